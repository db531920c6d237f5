import { hasAnyRight, hasRight } from '@rogatka/contract/access.ts'
import { type Access, API_BASE, type Endpoint, type ValueOf } from '@rogatka/contract/endpoint.ts'
import { MAX_BATCH_BYTES, MAX_IMAGE_BYTES } from '@rogatka/contract/ingest.ts'
import { type Language, languageOf } from '@rogatka/contract/languages.ts'
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@rogatka/contract/tickets.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import { type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import { EncodedJson } from './encoded-json.ts'
import { CLEAR_CACHE } from './headers.ts'
import { tokenOf } from './known-tokens.ts'
import type { Described } from './openapi.ts'
import type { RateCounter } from './rates.ts'
import { Refusal } from './refusal.ts'
import { hashToken, type Session, type Sessions } from './sessions.ts'
import { sql } from './statement.ts'
import { withTimeout } from './timeout.ts'
import type { Upload } from './uploads.ts'

/** What a room needs to open its routes. */
export type Api = {
  http: FastifyInstance
  db: Pool
  config: Config
  sessions: Sessions
  rates: RateCounter
  /** The clock; tests set it. */
  now: () => Date
}

/** Who calls: a session where the access asks for one, a station where it asks for a station's key. */
type Caller<A> = A extends 'public'
  ? { session: undefined; station: undefined }
  : A extends 'station'
    ? { session: undefined; station: { locationId: number } }
    : { session: Session; station: undefined }

export type Call<E extends Endpoint> = {
  db: Pool
  now: Date
  params: ValueOf<E, 'params'>
  query: ValueOf<E, 'query'>
  body: ValueOf<E, 'body'>
  language: Language
  request: FastifyRequest
  reply: FastifyReply
} & Caller<E['access']>

type Answer<E extends Endpoint> = E extends { response: z.ZodType } ? ValueOf<E, 'response'> | EncodedJson : unknown

/** Every opened endpoint, for the access matrix test. */
export const registeredEndpoints = (api: Api): Endpoint[] => opened.get(api.http) ?? []
const opened = new WeakMap<FastifyInstance, Endpoint[]>()

/**
 * Opens an endpoint: checks the access, parses params, query and body, answers, encodes.
 * A refusal is thrown (`Refusal`); the error handler of the app gives it its form.
 */
export function route<E extends Endpoint>(
  api: Api,
  endpoint: E,
  answer: (call: Call<E>) => Answer<E> | Promise<Answer<E>>,
): void {
  opened.set(api.http, [...(opened.get(api.http) ?? []), endpoint])
  const bytes = endpoint.raw ? RAW[endpoint.raw] : undefined

  const schema: FastifySchema = {
    summary: endpoint.summary,
    tags: [endpoint.path.split('/')[1] ?? ''],
    description: `Access: ${accessInWords(endpoint.access)}`,
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    ...(endpoint.response && { response: { 200: endpoint.response } }),
    ...(endpoint.access !== 'public' && { security: [{ bearer: [] }] }),
    ...(bytes && { consumes: bytes.types }),
  } as FastifySchema

  api.http.route({
    method: endpoint.method,
    url: API_BASE + endpoint.path,
    schema,
    ...(bytes ? { bodyLimit: bytes.limit } : endpoint.access === 'public' ? { bodyLimit: MAX_PUBLIC_BYTES } : {}),
    config: {
      ...(endpoint.raw && { raw: endpoint.raw }),
      ...(bytes?.uploadBytes && { uploadBytes: bytes.uploadBytes }),
      ...(endpoint.binary && { binary: true }),
    },
    onRequest: async (request, reply) => {
      request.caller = await callerOf(api, endpoint, request, reply)
      if (endpoint.rate) api.rates(endpoint.rate, request)
      if (bytes?.uploadBytes) expectUpload(request, reply)
    },
    handler: async (request, reply) => {
      const call = {
        session: request.caller.session,
        station: request.caller.station,
        db: api.db,
        now: api.now(),
        params: request.params,
        query: request.query,
        body: request.body,
        language: languageOf(request.headers['accept-language']),
        request,
        reply,
      }
      if (request.upload) request.upload.isHandled = true
      const result = await Promise.resolve(answer(call as unknown as Call<E>)).finally(() => request.upload?.leave?.())
      if (endpoint.binary) return reply
      if (!endpoint.response) return reply.code(204).send()
      if (result instanceof EncodedJson) return reply.type('application/json; charset=utf-8').send(result.bytes)
      return result
    },
  })
}

/** Has the place of an upload freed if its route is never reached; else it is freed when the route has ended. */
function expectUpload(request: FastifyRequest, reply: FastifyReply): void {
  const upload: Upload = { isHandled: false }
  request.upload = upload
  reply.raw.once('close', () => {
    if (!upload.isHandled) upload.leave?.()
  })
}

/** Of JSON. */
export const MAX_JSON_BYTES = 1024 * 1024
/** Of callers whom nobody knows yet: what they send is names, passwords and tokens. */
const MAX_PUBLIC_BYTES = 4 * 1024

/** The attachments, and as much again as a body has anywhere for the other fields. */
const MAX_ATTACHMENTS_BYTES = MAX_ATTACHMENTS * MAX_ATTACHMENT_BYTES + 1024 * 1024

/** `limit` of a body that is read as a whole, `uploadBytes` of a form with files. */
const RAW: Record<NonNullable<Endpoint['raw']>, { types: string[]; limit: number; uploadBytes?: number }> = {
  measurements: { types: ['application/json', 'application/x-ndjson'], limit: MAX_BATCH_BYTES },
  'image/jpeg': { types: ['image/jpeg'], limit: MAX_IMAGE_BYTES },
  ticket: {
    types: ['application/json', 'multipart/form-data'],
    limit: MAX_JSON_BYTES,
    uploadBytes: MAX_ATTACHMENTS_BYTES,
  },
  attachments: { types: ['multipart/form-data'], limit: MAX_JSON_BYTES, uploadBytes: MAX_ATTACHMENTS_BYTES },
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: { session?: Session; station?: { locationId: number } }
    upload?: Upload
  }
  interface FastifyContextConfig extends Described {
    /** The limit of requests does not count it: it is asked by machines that watch, and answers little. */
    unlimited?: boolean
    /** It takes a form with files, of so many bytes. */
    uploadBytes?: number
  }
}

const stationByKey = (db: Pool, keyHash: Buffer) =>
  db.prepared<{ locationId: number }>(sql`
  select location_id as "locationId" from station_key where key_hash = ${keyHash}`)

async function callerOf(
  api: Api,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyRequest['caller']> {
  if (endpoint.access === 'public') return {}
  const token = tokenOf(request)
  const { knownTokens } = api.http
  if (endpoint.access === 'station') {
    const [key] = token ? await withTimeout(stationByKey(api.db, hashToken(token)), SESSION_TIMEOUT_MS) : []
    if (!token || !key) {
      if (token) knownTokens.remove(token)
      throw new Refusal('wrong-station-key', 401)
    }
    knownTokens.add(token)
    return { station: key }
  }
  const session = token ? await api.sessions.find(token, api.now()) : null
  if (!token || !session) {
    if (token) {
      knownTokens.remove(token)
      // Only where a token came: another site can cause a call without one, and may not empty the cache.
      reply.headers(CLEAR_CACHE)
    }
    throw new Refusal('unauthorized', 401)
  }
  knownTokens.add(token)
  // Also a refusal that follows is somebody's.
  request.caller = { session }
  if (session.mustChangePassword) {
    if (!endpoint.evenExpired) throw new Refusal('password-expired', 403)
  } else if (!isAllowed(session.permissions, endpoint.access)) throw new Refusal('forbidden', 403)
  return { session }
}

/** Whether these permissions open an endpoint of this access to a session. */
function isAllowed(permissions: readonly string[], access: Exclude<Access, 'public' | 'station'>): boolean {
  if (access === 'session') return true
  if (typeof access === 'string') return hasRight(permissions, access)
  return 'allOf' in access
    ? access.allOf.every((right) => hasRight(permissions, right))
    : hasAnyRight(permissions, access)
}

const accessInWords = (access: Access): string =>
  typeof access === 'string' ? access : 'allOf' in access ? access.allOf.join(' and ') : access.join(' or ')
