import { hasAnyRight, hasRight } from '@rogatka/contract/access.ts'
import {
  type Access,
  API_BASE,
  type Endpoint,
  STEP_UP_MINUTES,
  type StepUp,
  type ValueOf,
} from '@rogatka/contract/endpoint.ts'
import { MAX_IMPORT_BYTES } from '@rogatka/contract/imports.ts'
import { MAX_BATCH_BYTES, MAX_IMAGE_BYTES } from '@rogatka/contract/ingest.ts'
import { type Language, languageOf } from '@rogatka/contract/languages.ts'
import type { LookKind } from '@rogatka/contract/looks.ts'
import { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } from '@rogatka/contract/tickets.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Pool } from './database.ts'
import { EncodedJson } from './encoded-json.ts'
import { CLEAR_CACHE } from './headers.ts'
import { tokenOf } from './known-tokens.ts'
import { type Look, type LookSource, questionOf, shownOf } from './look.ts'
import type { Metrics } from './metrics.ts'
import { type RouteDocs, XML } from './openapi.ts'
import type { PlateSearches } from './plate-searches.ts'
import type { RateCounter } from './rates.ts'
import { Refusal } from './refusal.ts'
import type { Session, SessionDevice, SessionSystem, Sessions } from './sessions.ts'
import { runIn } from './spans.ts'
import type { StationKeys } from './station-keys.ts'
import { requireStepUp } from './step-up.ts'
import type { Trail } from './trail.ts'
import type { Upload } from './uploads.ts'

/** Dependencies of the routes of a feature. */
export type Api = {
  http: FastifyInstance
  db: Pool
  /** For archive, statistics and reports: the replica, if there is one, with all that was committed before. */
  readDb: Pool
  config: Config
  sessions: Sessions
  stationKeys: StationKeys
  rates: RateCounter
  searches: PlateSearches
  metrics: Metrics
  trail: Trail
  /** Clock, set by tests. */
  now: () => Date
}

/** The caller: a session, a device or a system for access by its token, or a station for access by station key. */
type Caller<A> = A extends 'public'
  ? { session: undefined; station: undefined }
  : A extends 'station'
    ? { session: undefined; station: { locationId: number } }
    : A extends 'device'
      ? { session: Session & { device: SessionDevice }; station: undefined }
      : A extends 'system'
        ? { session: Session & { system: SessionSystem }; station: undefined }
        : { session: Session; station: undefined }

export type Call<E extends Endpoint> = {
  db: Pool
  /** As in `Api`. */
  readDb: Pool
  now: Date
  params: ValueOf<E, 'params'>
  query: ValueOf<E, 'query'>
  body: ValueOf<E, 'body'>
  language: Language
  request: FastifyRequest
  reply: FastifyReply
  /**
   * Records what the response of an endpoint with `looks` shows, before it is sent; null: neither plate nor sharp
   * image. Each response needs a call.
   * @throws 503 if it cannot be recorded
   */
  look: (look: Look | null) => Promise<void>
} & Caller<E['access']>

type Answer<E extends Endpoint> = E extends { response: z.ZodType } ? ValueOf<E, 'response'> | EncodedJson : unknown

/** All registered endpoints, for the access tests. */
export const registeredEndpoints = ({ http }: Api): Endpoint[] => endpointsOf(http)
export const endpointsOf = (http: FastifyInstance): Endpoint[] => registered.get(http) ?? []
const registered = new WeakMap<FastifyInstance, Endpoint[]>()

/**
 * Registers an endpoint: checks access, parses params, query and body, and encodes the response. The handler throws
 * `Refusal`; the error handler formats it.
 */
export function route<E extends Endpoint>(
  api: Api,
  endpoint: E,
  handler: (call: Call<E>) => Answer<E> | Promise<Answer<E>>,
): void {
  registered.set(api.http, [...(registered.get(api.http) ?? []), endpoint])
  const bytes = endpoint.raw ? RAW[endpoint.raw] : undefined

  const schema: FastifySchema = {
    summary: endpoint.summary,
    description: `Access: ${formatAccess(endpoint)}${endpoint.stepUp ? `. ${STEP_UP_TEXTS[endpoint.stepUp]}` : ''}`,
    ...(endpoint.params && { params: endpoint.params }),
    ...(endpoint.query && { querystring: endpoint.query }),
    ...(endpoint.body && { body: endpoint.body }),
    ...(endpoint.response && { response: responsesOf(endpoint.response) }),
    ...(bytes && { consumes: bytes.types }),
  } as FastifySchema

  api.http.route({
    method: endpoint.method,
    url: API_BASE + endpoint.path,
    schema,
    ...(bytes ? { bodyLimit: bytes.limit } : endpoint.access === 'public' ? { bodyLimit: MAX_PUBLIC_BYTES } : {}),
    // A HEAD request would open a stream that nobody reads.
    ...(endpoint.events && { exposeHeadRoute: false }),
    // Images are compressed already, and reports too large to be compressed while they are sent. XML shrinks to a twentieth.
    ...(endpoint.binary && endpoint.binary !== XML && { compress: false }),
    config: {
      ...(endpoint.raw && { raw: endpoint.raw }),
      ...(bytes?.uploadBytes && { uploadBytes: bytes.uploadBytes }),
      ...(endpoint.binary && { binary: endpoint.binary }),
      ...(endpoint.events && { events: true }),
    },
    onRequest: async (request, reply) => {
      request.caller = await authenticate(api, endpoint, request, reply)
      if (endpoint.rate) api.rates(endpoint.rate, request)
      if (bytes?.uploadBytes) releaseUnhandledUpload(request, reply)
    },
    ...(endpoint.looks && { onSend: assertLook }),
    handler: async (request, reply) => {
      const call = {
        session: request.caller.session,
        station: request.caller.station,
        db: api.db,
        readDb: api.readDb,
        now: api.now(),
        params: request.params,
        query: request.query,
        body: request.body,
        language: languageOf(request.headers['accept-language']),
        request,
        reply,
        look: (look: Look | null) => recordLook(api, endpoint, request, look),
      }
      if (request.upload) request.upload.isHandled = true
      const handle = () => handler(call as unknown as Call<E>)
      const result = await Promise.resolve(runIn(request.span, handle)).finally(() => request.upload?.release?.())
      if (endpoint.shows) await call.look(lookAtAnswer(endpoint.shows, result))
      if (endpoint.binary || endpoint.events) return reply
      if (!endpoint.response || result === undefined) return reply.code(204).send()
      if (result instanceof EncodedJson) return reply.type('application/json; charset=utf-8').send(result.bytes)
      return result
    },
  })
}

/** By status; 204 without content where the response may be absent. */
const responsesOf = (response: z.ZodType) =>
  response.safeParse(undefined).success ? { 200: response, 204: z.null().describe('Done') } : { 200: response }

/** Records what a response shows, also that to a HEAD request, whose length discloses what was found. */
async function recordLook({ trail }: Api, endpoint: Endpoint, request: FastifyRequest, look: Look | null) {
  const { session } = request.caller
  if (!endpoint.looks || !session) throw new Error(`${endpoint.method} ${endpoint.path} is not declared to look`)
  if (look) {
    const source: LookSource = { session, ip: request.ip, endpoint }
    // Without a schema they are what the client has sent.
    const params = endpoint.params ? request.params : {}
    const query = endpoint.query ? request.query : {}
    const complete = { ...(request.question ?? questionOf({ params, query })), ...look }
    await (endpoint.looks === 'visit' ? trail.recordVisit(source, complete) : trail.record(source, complete))
  }
  request.hasLooked = true
}

/** Kinds whose rows may hold a plate anywhere, as they are shown as they were received. */
const RAW_KINDS: readonly LookKind[] = ['audit', 'imports', 'quarantine']

/** What a JSON response shows: the plates in its fields; null if it has none. */
function lookAtAnswer(kind: LookKind, result: unknown): Look | null {
  const answer = result instanceof EncodedJson ? JSON.parse(result.bytes.toString()) : result
  const shown = shownOf(platesInAnswer(answer))
  if (shown.count === 0 && !RAW_KINDS.includes(kind)) return null
  const { content, totalCount } = (answer ?? {}) as { content?: unknown[]; totalCount?: number }
  return { kind, results: totalCount ?? content?.length ?? 1, shown }
}

const PLATE_FIELDS = new Set(['plateLpr', 'plate', 'plates', 'entryPlate'])

/** The texts of fields for plates, wherever they are in a response. */
function platesInAnswer(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || value instanceof Date) return []
  if (Array.isArray(value)) return value.flatMap(platesInAnswer)
  return Object.entries(value).flatMap(([name, field]) =>
    PLATE_FIELDS.has(name) && [field].flat().every((one) => typeof one === 'string')
      ? ([field].flat() as string[])
      : platesInAnswer(field),
  )
}

/** @throws Error before a response is sent whose look was not recorded */
async function assertLook(request: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
  if (statusCode < 300 && !request.hasLooked)
    throw new Error(`${request.method} ${request.routeOptions.url} was not written down`)
}

const STEP_UP_TEXTS: Record<StepUp, string> = {
  recent: `Needs a sign-in or \`POST /session/step-up\` within ${STEP_UP_MINUTES} minutes`,
  session: 'Needs `POST /session/step-up` once in a session of an earlier version',
}

/** Releases the slot of an upload whose handler is never reached; otherwise the handler releases it. */
function releaseUnhandledUpload(request: FastifyRequest, reply: FastifyReply): void {
  const upload: Upload = { isHandled: false }
  request.upload = upload
  reply.raw.once('close', () => {
    if (!upload.isHandled) upload.release?.()
  })
}

/** Limit of JSON bodies. */
export const MAX_JSON_BYTES = 1024 * 1024
/** Limit without authentication: such bodies are names, passwords and tokens. */
const MAX_PUBLIC_BYTES = 4 * 1024

/** All attachments, plus the limit of JSON bodies for the other fields. */
const MAX_ATTACHMENTS_BYTES = MAX_ATTACHMENTS * MAX_ATTACHMENT_BYTES + 1024 * 1024

/** `limit` applies to a body read as a whole, `uploadBytes` to a form with files. */
const RAW: Record<NonNullable<Endpoint['raw']>, { types: string[]; limit: number; uploadBytes?: number }> = {
  measurements: { types: ['application/json', 'application/x-ndjson'], limit: MAX_BATCH_BYTES },
  'image/jpeg': { types: ['image/jpeg'], limit: MAX_IMAGE_BYTES },
  ticket: {
    types: ['application/json', 'multipart/form-data'],
    limit: MAX_JSON_BYTES,
    uploadBytes: MAX_ATTACHMENTS_BYTES,
  },
  attachments: { types: ['multipart/form-data'], limit: MAX_JSON_BYTES, uploadBytes: MAX_ATTACHMENTS_BYTES },
  // Passed on as a stream; the route limits its size.
  file: { types: ['application/octet-stream'], limit: MAX_IMPORT_BYTES },
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: { session?: Session; station?: { locationId: number } }
    upload?: Upload
    /** What the response shows was recorded. */
    hasLooked?: boolean
    /** What was asked, if the saved search that the query names has a part of it. */
    question?: Pick<Look, 'criteria' | 'asked'>
  }
  interface FastifyContextConfig extends RouteDocs {
    /** Not rate-limited: polled by monitoring, with small responses. */
    unlimited?: boolean
    /** Accepts a form with files of up to this size. */
    uploadBytes?: number
  }
}

async function authenticate(
  api: Api,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyRequest['caller']> {
  if (endpoint.access === 'public') return {}
  const token = tokenOf(request)
  const { knownTokens } = api.http
  if (endpoint.access === 'station') {
    const station = token ? await api.stationKeys.find(token, api.now()) : undefined
    if (!token || !station) {
      if (token) knownTokens.remove(token)
      throw new Refusal('wrong-station-key', 401)
    }
    knownTokens.add(token)
    return { station }
  }
  const session = token ? await api.sessions.find(token, api.now()) : null
  if (!token || !session) {
    if (token) {
      knownTokens.remove(token)
      // Only with a token: another site can cause requests without one, and must not clear the cache.
      reply.headers(CLEAR_CACHE)
    }
    throw new Refusal('unauthorized', 401)
  }
  knownTokens.add(token)
  // For the log of a refusal below.
  request.caller = { session }
  if (!acceptsKind(endpoint, session)) throw new Refusal('forbidden', 403)
  if (session.mustChangePassword) {
    if (!endpoint.allowsExpiredPassword) throw new Refusal('password-expired', 403)
  } else if (session.mustSetUpFactor && !endpoint.allowsMissingFactor) throw new Refusal('factor-setup-required', 403)
  else if (!isAllowed(session.permissions, endpoint.access)) throw new Refusal('forbidden', 403)
  if (endpoint.stepUp) await requireStepUp(api.db, session, api.now(), endpoint.stepUp)
  return { session }
}

/** Whether an endpoint is for users, for devices, or for systems. */
function acceptsKind({ access, device = false, system = false }: Endpoint, session: Session): boolean {
  if (session.device) return access === 'device' || device
  if (session.system) return access === 'system' || system
  return access !== 'device' && access !== 'system'
}

/** Whether these permissions grant access in a session. */
function isAllowed(permissions: readonly string[], access: Exclude<Access, 'public' | 'station'>): boolean {
  if (access === 'session' || access === 'device' || access === 'system') return true
  if (typeof access === 'string') return hasRight(permissions, access)
  return 'allOf' in access
    ? access.allOf.every((right) => hasRight(permissions, right))
    : hasAnyRight(permissions, access)
}

function formatAccess({ access, device, system }: Endpoint): string {
  const rights =
    typeof access === 'string' ? access : 'allOf' in access ? access.allOf.join(' and ') : access.join(' or ')
  return [rights, device && 'devices', system && 'systems'].filter(Boolean).join(', ')
}
