import { hitStream, openHits, type WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { call } from '../core/call.ts'
import { readEvents } from '../core/events.ts'
import { ApiFailure } from '../core/failure.ts'
import { createLateness, type Lateness } from '../core/lateness.ts'
import { pause } from '../core/pause.ts'
import { onTabMessage, postToTabs } from '../core/tabs.ts'

/*
 * Receives the open hits: by a stream of the server in one tab of the browser, which has few connections, and from that
 * tab in the others. Without a stream (a proxy holds it back, the page was not loaded securely) by polling.
 */

const POLL_MS = 1_000
/** Request timeout, so that the next poll can start. */
const TIMEOUT_MS = 15_000
/** The stream sends its first event at once; later it counts as held back. */
const STREAM_START_MS = 3_000
/** The server sends something at least every 15 s. */
const STREAM_SILENCE_MS = 20_000
/** A stream that is renewed sooner is of no use. */
const MIN_STREAM_MS = 10_000
/** Time of polling until the stream is tried again. */
const RETRY_MS = 30_000
/** A stream that was interrupted is resumed within this time; one that the server renews, at once. */
const RESUME_MS = 1_000

type Receiver = {
  receive: (hits: readonly WireOpenHit[]) => void
  /** The rights have changed, or there is none: what was received may not be shown any more. */
  clear: () => void
}

/** A tab that receives for all. */
type Publisher = { publish: (content: WireOpenHit[]) => void; clear: () => void }

/** Receives the open hits of a user or device until `signal`. */
export async function followHits(userId: number, { receive, clear }: Receiver, signal: AbortSignal): Promise<void> {
  let latest: WireOpenHit[] | null = null
  let isLeader = false
  const publish = (content: WireOpenHit[]) => {
    latest = content
    receive(content)
    if (isLeader) postToTabs('hits', { userId, content })
  }
  const publisher: Publisher = {
    publish,
    clear: () => {
      latest = null
      clear()
      if (isLeader) postToTabs('hits', { userId, content: [], isCleared: true })
    },
  }
  onTabMessage(
    {
      hits: (message) => {
        if (message.userId !== userId || isLeader) return
        if (message.isCleared) clear()
        else receive(message.content)
      },
      'hits-requested': (message) => {
        if (message.userId === userId && isLeader && latest) postToTabs('hits', { userId, content: latest })
      },
    },
    signal,
  )
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return poll(publisher, signal)
  postToTabs('hits-requested', { userId })
  await locks
    .request(`rogatka-hits-${userId}`, { signal }, async () => {
      isLeader = true
      await stream(publisher, signal)
    })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
}

/** Reads one stream after another, and polls while there is none. */
async function stream(publisher: Publisher, signal: AbortSignal): Promise<void> {
  const lateness = createLateness()
  while (!signal.aborted) {
    const startedAt = performance.now()
    const { hasBegun, isRenewal } = await streamOnce(publisher, lateness, signal)
    if (signal.aborted) return
    if (hasBegun && isRenewal && performance.now() - startedAt >= MIN_STREAM_MS) continue
    if (hasBegun) await pause(Math.random() * RESUME_MS, signal)
    const polling = new AbortController()
    const timer = hasBegun ? undefined : setTimeout(() => polling.abort(), RETRY_MS)
    if (!hasBegun) await poll(publisher, AbortSignal.any([signal, polling.signal]))
    clearTimeout(timer)
  }
}

/**
 * Reads a stream until it ends, in whatever way. Returns whether it delivered anything without being held back, and whether
 * the server renews it.
 */
async function streamOnce({ publish, clear }: Publisher, lateness: Lateness, signal: AbortSignal) {
  const start = new AbortController()
  const timer = setTimeout(() => start.abort(), STREAM_START_MS)
  let hasBegun = false
  let isRenewal = false
  let isHeldBack = false
  lateness.begin()
  try {
    await readEvents(hitStream, {
      query: {},
      lastEventId: null,
      silenceMs: STREAM_SILENCE_MS,
      signal: AbortSignal.any([signal, start.signal]),
      onEvent: (event) => {
        if (event.name === 'end') {
          isRenewal = event.data.reason === 'renewal'
          if (event.data.reason === 'session-changed') clear()
          return
        }
        clearTimeout(timer)
        hasBegun = true
        publish(event.data.content)
      },
      onSentAt: (sentAt) => {
        if (!lateness.isHeldBack(sentAt, performance.now())) return
        isHeldBack = true
        // After what came with it.
        queueMicrotask(() => start.abort())
      },
    })
  } catch {
    // Polling, which follows, or the next stream reports what is wrong.
  } finally {
    clearTimeout(timer)
  }
  return { hasBegun: hasBegun && !isHeldBack, isRenewal }
}

async function poll({ publish, clear }: Publisher, stopSignal: AbortSignal): Promise<void> {
  let isDenied = false
  while (!stopSignal.aborted) {
    const startedAt = performance.now()
    const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(TIMEOUT_MS)])
    // The connection state of the page shows that the server is unavailable; what is known stays.
    const response = await call(openHits, { signal, background: true }).catch((error: unknown) => {
      if (!(error instanceof ApiFailure) || error.status !== 403) return null
      if (!isDenied && !stopSignal.aborted) clear()
      isDenied = true
      return null
    })
    if (response) isDenied = false
    if (response && !stopSignal.aborted) publish(response.content)
    await pause(POLL_MS - (performance.now() - startedAt), stopSignal)
  }
}
