import { MAX_ATTACHMENTS, newTicket } from '@rogatka/contract/tickets.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { fromZodIssues } from '../core/error-mapping.ts'
import { isTooDeep } from '../core/json-depth.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'

type UploadedFile = { name: string; bytes: Buffer }
type ParsedReport = { ticket: z.output<typeof newTicket>; files: UploadedFile[] }

/** Parses a new ticket, as JSON or as a form with files. */
export async function parseNewTicket(request: FastifyRequest): Promise<ParsedReport> {
  const { body } = request
  if (!Buffer.isBuffer(body)) throw new Refusal('bad-request', 400)
  if (!/^multipart\/form-data/i.test(typeOf(request))) return { ticket: parseTicket(jsonOf(body)), files: [] }
  const form = await readForm(request)
  return { ticket: parseTicket(fieldsOf(form)), files: await filesOf(form) }
}

/**
 * Parses the files of a form.
 * @throws Refusal if there are none or too many
 */
export async function parseFiles(request: FastifyRequest): Promise<UploadedFile[]> {
  const files = await filesOf(await readForm(request))
  if (files.length === 0) throw new Refusal('required-parameter-missing', 400, 'attachment')
  return files
}

const typeOf = ({ headers }: FastifyRequest): string => headers['content-type'] ?? ''

async function readForm(request: FastifyRequest): Promise<FormData> {
  try {
    const body = request.body as Buffer<ArrayBuffer>
    // The form has its own copy of the files.
    request.body = null
    return await new Response(body, { headers: { 'content-type': typeOf(request) } }).formData()
  } catch {
    throw new Refusal('bad-request', 400)
  }
}

async function filesOf(form: FormData): Promise<UploadedFile[]> {
  const files: UploadedFile[] = []
  for (const value of form.getAll('attachment')) {
    const isFile = typeof value === 'object' && (value.size > 0 || value.name !== '')
    if (isFile) files.push({ name: value.name, bytes: Buffer.from(await value.arrayBuffer()) })
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

/** Form values are text: empty and `null` mean absent. */
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

function parseTicket(value: unknown): ParsedReport['ticket'] {
  const result = newTicket.safeParse(value, { reportInput: true })
  if (!result.success) throw refuseFields(400, fromZodIssues(result.error))
  return result.data
}
