import { API_BASE, type Endpoint, type WireOf } from '@rogatka/contract/endpoint.ts'
import { ping } from '@rogatka/contract/session.ts'
import type { z } from 'zod'
import { localNow, syncServerTime } from './clock.ts'
import { recordFailure, recordResponse } from './connection.ts'
import { acceptDevice, deviceSession, refuseDevice } from './device.ts'
import { clearErrors } from './errors.ts'
import { ApiFailure, blobFailureOf, failureOf, hasCode, ServerUnavailable } from './failure.ts'
import { currentLanguage } from './language.ts'
import { askPurpose, lacksPurpose } from './purpose.ts'
import { type Query, queryString } from './queryString.ts'
import { hideQuery, type Search, type SearchPath, toFilters } from './searchPages.ts'
import { endSession, session, setMustChangePassword, setMustSetUpFactor } from './session.ts'
import { askStepUp } from './stepUp.ts'

type InputOf<E extends Endpoint, P extends 'params' | 'query' | 'body'> =
  E extends Record<P, infer S extends z.ZodType>
    ? Record<never, never> extends z.input<S>
      ? { [K in P]?: z.input<S> }
      : { [K in P]: z.input<S> }
    : Record<never, never>

type Extras = {
  signal?: AbortSignal
  /** Sent by a timer, not by the user: does not clear error messages. */
  background?: boolean
  /** Makes a repeated request have one effect, if the endpoint knows the header. */
  idempotencyKey?: string
  /** Sent even if the token of the device was refused, to learn whether the server accepts it again. */
  despiteRefusal?: boolean
}

type CallOptions<E extends Endpoint> = InputOf<E, 'params'> & InputOf<E, 'query'> & InputOf<E, 'body'> & Extras

type Rest<E extends Endpoint> = Record<never, never> extends CallOptions<E> ? [CallOptions<E>?] : [CallOptions<E>]

/** Calls an endpoint. @throws ApiFailure for an error status, ServerUnavailable without a response */
export async function call<E extends Endpoint>(endpoint: E, ...[options]: Rest<E>): Promise<WireOf<E, 'response'>> {
  const response = await sendRequest(endpoint, options)
  if (!response.ok) throw checkSession(failureOf(response.status, await jsonOf(response), requestIdOf(response)))
  return (endpoint.response && response.status !== 204 ? await response.json() : undefined) as WireOf<E, 'response'>
}

/** Like `call`, for endpoints whose body may be a form with a file, or a file. */
export async function callRaw<E extends Endpoint>(
  endpoint: E,
  body: unknown,
  options: InputOf<E, 'params'> & InputOf<E, 'query'> & Extras = {} as InputOf<E, 'params'> & InputOf<E, 'query'>,
): Promise<WireOf<E, 'response'>> {
  const response = await sendRequest(endpoint, { ...options, body })
  if (!response.ok) throw checkSession(failureOf(response.status, await jsonOf(response), requestIdOf(response)))
  return (await response.json()) as WireOf<E, 'response'>
}

/** Response body of a binary endpoint. */
export async function callBlob<E extends Endpoint>(endpoint: E, ...[options]: Rest<E>): Promise<Blob> {
  return blobOf(await sendRequest(endpoint, options))
}

/** Like `callBlob`, for endpoints whose body is a file. */
export const callRawBlob = async (endpoint: Endpoint, body: Blob): Promise<Blob> =>
  blobOf(await sendRequest(endpoint, { body }))

async function blobOf(response: Response): Promise<Blob> {
  if (response.ok) return response.blob()
  const { status } = response
  throw checkSession(blobFailureOf(status, await jsonOf(response), requestIdOf(response), retryAfterOf(response)))
}

/** Content of an immutable address below the API base, from the cache of the browser if it is there. */
export async function callCached(path: string, extras: Extras = {}): Promise<Blob> {
  const response = await send(API_BASE + path, { method: 'GET', accept: '*/*', isCacheable: true, ...extras })
  return blobOf(response)
}

/**
 * Opens the stream of an endpoint with events; `lastEventId` resumes it. @throws ApiFailure for an error status,
 * ServerUnavailable if the response is not such a stream
 */
export async function callStream<E extends Endpoint>(
  endpoint: E,
  options: CallOptions<E> & { lastEventId: string | null },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const response = await sendRequest(endpoint, options)
  if (!response.ok) throw checkSession(failureOf(response.status, await jsonOf(response), requestIdOf(response)))
  const type = response.headers.get('content-type') ?? ''
  if (!response.body || !type.startsWith(EVENT_STREAM)) throw new ServerUnavailable('not an event stream')
  return response.body
}

type NamedFile = { bytes: Blob; name: string }

/**
 * Downloads from a link returned by the server, relative to the API base; the name is from Content-Disposition. Rejects
 * if the download is interrupted.
 */
export async function callLink(
  link: string,
  { onBytes, ...extras }: Extras & { onBytes?: (received: number) => void } = {},
): Promise<NamedFile> {
  const response = await send(API_BASE + link, { method: 'GET', accept: '*/*', ...extras })
  if (!response.ok) throw checkSession(blobFailureOf(response.status, await jsonOf(response), requestIdOf(response)))
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'rogatka'
  const bytes = await countBytes(response, onBytes)
    .blob()
    .catch((error: unknown) => {
      throw extras.signal?.aborted ? error : new ServerUnavailable('unavailable', { cause: error })
    })
  return { bytes, name }
}

/** The same response; reports the number of bytes received so far. */
function countBytes({ body, headers }: Response, onBytes: (received: number) => void = () => {}): Response {
  let received = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      received += part.byteLength
      onBytes(received)
      controller.enqueue(part)
    },
  })
  return new Response(body?.pipeThrough(counter), { headers: { 'content-type': headers.get('content-type') ?? '' } })
}

const EVENT_STREAM = 'text/event-stream'

type AnyOptions = { params?: unknown; query?: unknown; body?: unknown; lastEventId?: string | null } & Extras

/** URL of a call. */
function urlOf(endpoint: Endpoint, { params, query }: Pick<AnyOptions, 'params' | 'query'> = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  return API_BASE + path + queryString(query as Query | undefined)
}

async function sendRequest(endpoint: Endpoint, options: AnyOptions = {}): Promise<Response> {
  const request = { ...options, method: endpoint.method, accept: acceptOf(endpoint) }
  const hidden = endpoint.method === 'GET' ? hideQuery(endpoint.path, options.query) : null
  if (!hidden) return send(urlOf(endpoint, options), request)
  const address = urlOf(endpoint, { ...options, query: hidden.query })
  const { plateLpr, plates } = hidden.search.fields
  const ofPlate = { ...request, plate: plateLpr ?? plates ?? null }
  await saveSearch(hidden.search)
  const response = await send(address, ofPlate)
  if (response.status !== 404) return response
  // It was saved more than 12 hours ago.
  await saveSearch(hidden.search, true)
  return send(address, ofPlate)
}

/** Searches that were saved, or are being saved, by their path and id. */
let savedSearches = new Map<string, Promise<void>>()
session.subscribe(() => {
  if (session.get().token === null) savedSearches = new Map()
})

/** Saves a search once; `again`: whatever was saved before. @throws as `call` */
export function saveSearch(search: Search, again = false): Promise<void> {
  const key = `${search.api} ${search.id}`
  const saved = again ? undefined : savedSearches.get(key)
  if (saved) return saved
  const searches = savedSearches
  const saving = postSearch(search).catch((error: unknown) => {
    searches.delete(key)
    throw error
  })
  searches.set(key, saving)
  return saving
}

async function postSearch({ api, id, fields }: Search): Promise<void> {
  const body = { searchId: id, filters: toFilters(fields) }
  const response = await send(API_BASE + api, { method: 'POST', accept: 'application/json', body, background: true })
  if (!response.ok) throw checkSession(failureOf(response.status, await jsonOf(response), requestIdOf(response)))
}

/** The filters of a saved search. @throws as `call` */
export async function fetchSearch(api: SearchPath, id: string): Promise<Record<string, unknown>> {
  const address = `${API_BASE}${api}/${encodeURIComponent(id)}`
  const response = await send(address, { method: 'GET', accept: 'application/json', background: true })
  if (!response.ok) throw checkSession(failureOf(response.status, await jsonOf(response), requestIdOf(response)))
  const { filters } = (await response.json()) as { filters: Record<string, unknown> }
  return filters
}

function acceptOf({ events, binary }: Endpoint): string {
  if (events) return EVENT_STREAM
  return binary ? '*/*' : 'application/json'
}

type RequestData = {
  method: string
  accept: string
  body?: unknown
  isCacheable?: boolean
  lastEventId?: string | null
  /** The plate that is searched for. */
  plate?: string | null
} & Extras

/**
 * Sends a request; if the server first wants to know that it is the user, or why they look for plates, asks them and sends
 * it once more. Not for a request that the user did not make: nobody expects its question.
 */
async function send(address: string, data: RequestData): Promise<Response> {
  const asked = new Set<Ask>()
  for (;;) {
    const response = await sendOnce(address, data)
    const ask = await questionOf(response, data)
    // Each question once, so that a server that asks for ever ends.
    if (!ask || asked.has(ask) || !(await ask(data))) return response
    asked.add(ask)
  }
}

type Ask = (data: RequestData) => Promise<boolean>
const verifyUser: Ask = ({ signal }) => askStepUp(signal)
const learnPurpose: Ask = ({ signal, plate = null }) => askPurpose(plate, signal)

/** The question that the server asks in place of an answer; null: none, or nobody expects it. */
async function questionOf(response: Response, { background }: RequestData): Promise<Ask | null> {
  if (![403, 422].includes(response.status) || background || !session.get().token) return null
  // The body of a response is read once.
  const failure = failureOf(response.status, await jsonOf(response.clone()), null)
  if (hasCode(failure, 'step-up-required')) return verifyUser
  return lacksPurpose(failure) ? learnPurpose : null
}

async function sendOnce(
  address: string,
  {
    method,
    accept,
    body,
    isCacheable = false,
    lastEventId,
    signal,
    background,
    idempotencyKey,
    despiteRefusal,
  }: RequestData,
): Promise<Response> {
  if (!background) clearErrors()
  const device = deviceSession.get()
  if (device.isRefused && !despiteRefusal) throw new ApiFailure('401', 401, [], null)
  const token = device.token ?? session.get().token
  const headers = new Headers({ accept, 'accept-language': currentLanguage() })
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (lastEventId) headers.set('last-event-id', lastEventId)
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)
  // Ignores the browser cache, in which earlier releases stored images, except for immutable addresses.
  const request: RequestInit = { method, headers, cache: isCacheable ? 'default' : 'no-store' }
  // The browser sets the content type of a form, with its boundary.
  if (body instanceof FormData) request.body = body
  else if (body instanceof Blob) {
    headers.set('content-type', 'application/octet-stream')
    request.body = body
  } else if (body !== undefined) {
    headers.set('content-type', 'application/json')
    request.body = JSON.stringify(body)
  }
  if (signal) request.signal = signal
  const sentAt = localNow()
  const response = await fetch(address, request).catch((error: unknown) => {
    if (signal?.aborted) throw error
    recordFailure()
    throw new ServerUnavailable('unavailable', { cause: error })
  })
  if ([502, 504].includes(response.status)) recordFailure()
  // 503 may concern only one part of the server. A cached response is as old as its date.
  else if (response.status !== 503 && !isCacheable) recordResponse()
  if (!isCacheable) syncServerTime(response.headers.get('date'), sentAt, localNow())
  if (response.ok && device.isRefused && device.token) acceptDevice(device.token)
  if (response.status === 401 && device.token) refuseDevice(device.token)
  else if (response.status === 401 && token) endDeadSession(token)
  return response
}

/** The server rejected the session: sends one ping, ignores its result and ends the session. */
function endDeadSession(token: string) {
  if (session.get().token !== token || endedToken === token) return
  endedToken = token
  const headers = { authorization: `Bearer ${token}` }
  void fetch(urlOf(ping), { headers })
    .catch(() => undefined)
    .then(() => session.get().token === token && endSession('session-expired'))
}
let endedToken: string | null = null

/** Records what the user of the session must do first (new password, second factor), and returns the failure. */
function checkSession<F extends ReturnType<typeof failureOf>>(failure: F): F {
  if (failure.status !== 403 || !session.get().token) return failure
  if (hasCode(failure, 'password-expired')) setMustChangePassword(true)
  if (hasCode(failure, 'factor-setup-required')) setMustSetUpFactor(true)
  return failure
}

const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => null)

/** In ms; null if it is missing or a date. */
function retryAfterOf({ headers }: Response): number | null {
  const seconds = headers.get('retry-after') ?? ''
  return /^\d+$/.test(seconds) ? Number(seconds) * 1_000 : null
}

const requestIdOf = (response: Response): string | null => response.headers.get('x-request-id')
