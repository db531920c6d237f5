import { MAX_ATTACHMENTS, newTicket } from '@rogatka/contract/tickets.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { fromZodIssues } from '../core/error-mapping.ts'
import { isTooDeep } from '../core/json-depth.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'

type SentFile = { name: string; bytes: Buffer }
type Reported = { ticket: z.output<typeof newTicket>; files: SentFile[] }

/** Reads a new ticket, as JSON or as a form with files. */
export async function parseNewTicket(request: FastifyRequest): Promise<Reported> {
  const { body } = request
  if (!Buffer.isBuffer(body)) throw new Refusal('bad-request', 400)
  if (!/^multipart\/form-data/i.test(typeOf(request))) return { ticket: parsed(jsonOf(body)), files: [] }
  const form = await readForm(request)
  return { ticket: parsed(fieldsOf(form)), files: await filesOf(form) }
}

/**
 * Reads the files of a form.
 * @throws a refusal if there is none, or more than one addition may have
 */
export async function readFiles(request: FastifyRequest): Promise<SentFile[]> {
  const files = await filesOf(await readForm(request))
  if (files.length === 0) throw new Refusal('required-parameter-missing', 400, 'attachment')
  return files
}

const typeOf = ({ headers }: FastifyRequest): string => headers['content-type'] ?? ''

async function readForm(request: FastifyRequest): Promise<FormData> {
  try {
    const body = request.body as Buffer<ArrayBuffer>
    // The form holds its own copy of the files.
    request.body = null
    return await new Response(body, { headers: { 'content-type': typeOf(request) } }).formData()
  } catch {
    throw new Refusal('bad-request', 400)
  }
}

async function filesOf(form: FormData): Promise<SentFile[]> {
  const files: SentFile[] = []
  for (const sent of form.getAll('attachment')) {
    const isFile = typeof sent === 'object' && (sent.size > 0 || sent.name !== '')
    if (isFile) files.push({ name: sent.name, bytes: Buffer.from(await sent.arrayBuffer()) })
  }
  if (files.length > MAX_ATTACHMENTS) throw new Refusal('list-too-long', 422, 'attachment')
  return files
}

const NUMBERS = new Set(['userId', 'locationId', 'laneNumber', 'listRequests'])

function jsonOf(body: Buffer): unknown {
  const json = body.toString()
  if (isTooDeep(json)) throw new Refusal('bad-request', 400)
  try {
    return JSON.parse(json)
  } catch {
    throw new Refusal('bad-request', 400)
  }
}

/** A form knows only texts: what is empty or says `null` is absent. */
function fieldsOf(form: FormData): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (typeof value !== 'string' || name === 'attachment' || value === '' || value === 'null') continue
    if (name === 'isOpen') fields[name] = value === 'true' ? true : value === 'false' ? false : value
    else if (NUMBERS.has(name)) fields[name] = /^\d{1,15}$/.test(value) ? Number(value) : value
    else fields[name] = value
  }
  return fields
}

function parsed(value: unknown): Reported['ticket'] {
  const result = newTicket.safeParse(value, { reportInput: true })
  if (!result.success) throw refuseFields(400, fromZodIssues(result.error))
  return result.data
}
