import { setTimeout as sleepFor } from 'node:timers/promises'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import type { ImageType } from '@rogatka/contract/vehicle.ts'

/** Base URL, station key, and a signal that aborts sending. */
export type Server = { url: string; key: string; signal: AbortSignal }

export type Receipt = {
  accepted: number
  duplicates: number
  rejected: { index: number; errors: { code: string }[] }[]
}

/** Result of a request: accepted; to be retried, after `afterMs` if not null; or refused for good. */
export type Outcome<T> =
  | { kind: 'done'; answer: T }
  | { kind: 'later'; afterMs: number | null; why: string }
  | { kind: 'refused'; why: string }

const TIMEOUT_MS = 20_000
/** Retry interval for a rejected station key, which an administrator may correct. */
const KEY_RETRY_MS = 60_000

/** Parses Retry-After, seconds or a date (RFC 9110, 10.2.3), into ms; null: absent or invalid. */
export const retryAfterMs = (header: string | null, now: Date): number | null => {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now.getTime()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

const send = async (
  server: Server,
  method: string,
  path: string,
  type: string,
  body: string | Buffer,
): Promise<Outcome<string>> => {
  try {
    const response = await fetch(`${server.url}${API_BASE}${path}`, {
      method,
      headers: { authorization: `Bearer ${server.key}`, 'content-type': type },
      body: typeof body === 'string' ? body : new Uint8Array(body),
      signal: AbortSignal.any([server.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    const answer = await response.text()
    if (response.ok) return { kind: 'done', answer }
    const why = `${response.status} ${answer.slice(0, 300)}`
    if (response.status === 401 || response.status === 403)
      return { kind: 'later', afterMs: KEY_RETRY_MS, why: `the station key is not accepted: ${why}` }
    if (response.status === 429 || response.status === 408 || response.status >= 500)
      return { kind: 'later', afterMs: retryAfterMs(response.headers.get('retry-after'), new Date()), why }
    return { kind: 'refused', why }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return { kind: 'later', afterMs: null, why: cause instanceof Error ? cause.message || cause.name : String(cause) }
  }
}

/** Sends a batch of vehicles, as NDJSON or as a JSON array; real stations use both. */
export const sendVehicles = async (
  server: Server,
  vehicles: readonly WireMeasurement[],
  ndjson: boolean,
): Promise<Outcome<Receipt>> => {
  const outcome = ndjson
    ? await send(
        server,
        post.method,
        post.path,
        'application/x-ndjson',
        vehicles.map((vehicle) => `${JSON.stringify(vehicle)}\n`).join(''),
      )
    : await send(server, post.method, post.path, 'application/json', JSON.stringify(vehicles))
  return outcome.kind === 'done' ? { kind: 'done', answer: JSON.parse(outcome.answer) as Receipt } : outcome
}

/** Uploads an image of a vehicle. */
export const sendImage = (
  server: Server,
  vehicle: Pick<WireMeasurement, 'sequence' | 'createdAt'>,
  type: ImageType,
  jpeg: Buffer,
): Promise<Outcome<string>> =>
  send(
    server,
    'PUT',
    `/measurements/${vehicle.sequence}/images/${type}?createdAt=${encodeURIComponent(vehicle.createdAt)}`,
    'image/jpeg',
    jpeg,
  )

/** Sleeps; returns early on abort. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleepFor(Math.max(0, ms), undefined, { signal }).catch(() => undefined)

/** Polls /readyz until the server is ready or the signal aborts. */
export const untilReady = async (url: string, signal: AbortSignal): Promise<void> => {
  for (let wait = 100; !signal.aborted; wait = Math.min(2_000, wait * 1.5)) {
    const ready = await fetch(`${url}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) }).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await pause(wait, signal)
  }
}
