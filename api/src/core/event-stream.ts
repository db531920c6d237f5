import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsGzip, createGzipWriter, createPlainWriter, encodeEvents } from './event-writer.ts'
import type { Session } from './sessions.ts'

/** Headers of streams, which proxies must neither cache nor buffer. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/** Interval of comments, which keep proxies from closing a quiet stream, and of checks of the session. */
const HEARTBEAT_MS = 15_000
/** The interval is divided into slots; each stream has its heartbeat in one of them. */
const HEARTBEAT_SLOTS = 15
/**
 * Instead of its last heartbeat a stream ends, and its client opens another one: a client that vanished without closing
 * its connection is noticed by TCP only after a quarter of an hour. Between these numbers in turn, so that streams that
 * were opened together do not end together.
 */
const MIN_HEARTBEATS = 10
const MAX_HEARTBEATS = 20
/** When the `EventSource` of a browser reconnects. It does so after an outage, too. */
const RECONNECT_MS = 1_000
/** Checks of sessions that may query the database at a time. */
const CHECK_CONCURRENCY = 4
/** Further streams of a session end its oldest one. A browser that lost its connection may leave some behind. */
export const MAX_SESSION_STREAMS = 8
/** Time to read the rest, after the end of a stream. */
const END_TIMEOUT_MS = 30_000

/** Starts a response of server-sent events, which the caller writes. */
export function startEventStream(reply: FastifyReply, headers: OutgoingHttpHeaders = {}): ServerResponse {
  reply.hijack()
  const { raw } = reply
  // Ends with its connection instead of in chunks, each of which would need three writes.
  raw.removeHeader('transfer-encoding')
  raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...STREAM_HEADERS, ...headers })
  return raw
}

/** The same, compressed if the client accepts that. */
export function startCompressedStream({ headers }: FastifyRequest, reply: FastifyReply) {
  const vary = { vary: 'accept-encoding' }
  if (acceptsGzip(headers['accept-encoding'])) {
    const raw = startEventStream(reply, { ...vary, 'content-encoding': 'gzip' })
    return { raw, writer: createGzipWriter(raw) }
  }
  const raw = startEventStream(reply, vary)
  return { raw, writer: createPlainWriter(raw) }
}

/** Ends a stream with its last event, and disconnects a client that does not read it. */
export function endEventStream(raw: ServerResponse, event: string, writer = createPlainWriter(raw)): void {
  writer.end(encodeEvents(event))
  setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref()
}

/** An event with data of one line of JSON. */
export const eventText = (name: string, json: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`

/** A comment with the time at which events are sent, in ms since the epoch: a client notices what a proxy holds back. */
export const sentAtComment = (now: Date): string => `: ${now.getTime()}\n`

/** The comment of a heartbeat, with the same time. */
export const heartbeatText = (now: Date): string => `: heartbeat ${now.getTime()}\n\n`

/** The last event of a stream that is to be opened again at once. `id`: resumes after all that was sent. */
export const renewalEvent = (id?: string): string =>
  `retry: ${RECONNECT_MS}\n${eventText('end', JSON.stringify({ reason: 'renewal' }), id)}`

/**
 * Whether a session is that with which a stream was opened, with the same permissions and what they need, and a device
 * shows, or a system reads, the same.
 */
export const isUnchanged = (session: Session | null, before: Session): boolean =>
  session !== null &&
  !session.mustChangePassword &&
  !session.mustSetUpFactor &&
  isDeepStrictEqual(session.permissions, before.permissions) &&
  isDeepStrictEqual(session.device, before.device) &&
  isDeepStrictEqual(session.system, before.system)

/**
 * Whether a stream has to end, as its session may no longer read it; false while that is not known, because the database
 * is unavailable: the next heartbeat tries again.
 */
const isRefused = async ({ raw, isAllowed }: CheckedStream) => !(await isAllowed().catch(() => true)) && !raw.destroyed

/** Calls `send` once in each interval for each stream, evenly over the interval, and at last `renew`, which ends it. */
export function createHeartbeats<Stream>(send: (stream: Stream) => void, renew: (stream: Stream) => void) {
  /** The streams of each slot, with the number of their heartbeats that are left. */
  const slots = Array.from({ length: HEARTBEAT_SLOTS }, () => new Map<Stream, number>())
  const slotOf = new Map<Stream, Map<Stream, number>>()
  let opened = 0
  let sent = 0
  let timer: NodeJS.Timeout | undefined
  const sendNext = () => {
    sent = (sent + 1) % HEARTBEAT_SLOTS
    const slot = slots[sent] as Map<Stream, number>
    for (const [stream, left] of slot) {
      slot.set(stream, left - 1)
      if (left > 1) send(stream)
      else renew(stream)
    }
  }
  return {
    add(stream: Stream) {
      const slot = slots[opened % HEARTBEAT_SLOTS] as Map<Stream, number>
      const round = Math.floor(opened++ / HEARTBEAT_SLOTS)
      slotOf.set(stream, slot.set(stream, MAX_HEARTBEATS - (round % (MAX_HEARTBEATS - MIN_HEARTBEATS + 1))))
      timer ??= setInterval(sendNext, HEARTBEAT_MS / HEARTBEAT_SLOTS)
    },
    remove(stream: Stream) {
      slotOf.get(stream)?.delete(stream)
      slotOf.delete(stream)
      if (slotOf.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}

type CheckedStream = {
  raw: ServerResponse
  /** Whether the session may still read this stream. */
  isAllowed: () => Promise<boolean>
}

/** Checks the sessions of streams, few at a time and each once, and ends those that are refused. */
export function createSessionChecks<Stream extends CheckedStream>(end: (stream: Stream) => void) {
  const unchecked = new Set<Stream>()
  let checking = 0
  const checkQueued = async () => {
    checking += 1
    for (const stream of unchecked) {
      unchecked.delete(stream)
      if (isOpen(stream.raw) && (await isRefused(stream))) end(stream)
    }
    checking -= 1
  }
  return (stream: Stream) => {
    unchecked.add(stream)
    if (checking < CHECK_CONCURRENCY) void checkQueued()
  }
}

/** Whether events can still be written. */
export const isOpen = (raw: ServerResponse): boolean => !raw.destroyed && !raw.writableEnded
