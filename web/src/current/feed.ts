import { check, list, stream } from '@rogatka/contract/current.ts'
import type { ListFlags, Tag, VehicleFilters, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { call } from '../core/call.ts'
import { readEvents, type ServerEvent } from '../core/events.ts'
import { ApiFailure, ServerUnavailable } from '../core/failure.ts'
import { createLateness, type Lateness } from '../core/lateness.ts'
import { countListRequest } from '../core/listRequests.ts'
import { pause } from '../core/pause.ts'
import { recordPermissionsChanged, refreshSelf, watchPermissions } from '../core/useSelf.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { type CurrentSearch, filtersOf, orderOf } from './search.ts'
import { withStreamSlot } from './streamSlots.ts'

/*
 * Where the live list gets its vehicles: from the stream of the server, or by polling while there is no stream, because
 * the server is unavailable, a proxy holds it back, or other tabs have all streams of this browser.
 */

const POLL_MS = 1_000
/** Request timeout, so that the next poll can start. */
const TIMEOUT_MS = 15_000
/** A server process sends a change to all polls for 3 s; after a longer gap only a full list surely has it. */
const MAX_GAP_MS = 2_500
/** After a full list, this many times its duration passes until the next, so that slow ones do not overload the server. */
const FULL_LIST_PAUSE = 4
/** Polling starts if the stream sends nothing for this long before its first event. */
const STREAM_START_MS = 2_000
/** A stream that sends nothing for this long before its first event is held back by a proxy. */
const STREAM_TIMEOUT_MS = 10_000
/** The server sends something at least every 15 s. */
const STREAM_SILENCE_MS = 20_000
/** A stream that ends sooner is of no use. */
const MIN_STREAM_MS = 10_000
/** A stream that was interrupted is resumed within this time, so that not all clients come back at once. */
const RESUME_MS = 1_000
/** Time until the next attempt after a stream of no use; doubles up to the maximum. */
const RETRY_MS = 5_000
const MAX_RETRY_MS = 300_000

/** All that the live list shows of a vehicle. */
const ALL_DETAILS: ListFlags = { withAxles: true, withImages: true, withTags: true }

export type Counter = { locationId: number; vehicles: number; lastVehicleTime: string | null }

/** What a client of the live list has received, so that it can continue after a pause. */
export type FeedPosition = { lastEventId: string | null; opened: boolean }

export type FeedHandlers = {
  /** `requestedAt`: by `performance.now`. */
  onVehicles: (vehicles: readonly WireVehicle[], requestedAt: number) => void
  /** Of the stream; null: from now on by polling, without counters. */
  onCounters: (counters: readonly Counter[] | null) => void
  /** The permissions of the session have changed: what was received may no longer be seen. */
  onSessionChanged: () => void
  /** A response of the server, or a part of the stream. */
  onResponse: () => void
  onFailure: (error: unknown) => void
}

/** Follows the live vehicles that match, with these details, until `signal`. */
export async function follow(
  search: () => CurrentSearch,
  position: FeedPosition,
  handlers: FeedHandlers,
  signal: AbortSignal,
  details = ALL_DETAILS,
): Promise<void> {
  let retryMs = RETRY_MS
  let hasFailed = false
  let wake = new AbortController()
  watchPermissions(handlers.onSessionChanged, signal)
  const polling = createPolling(
    search,
    position,
    {
      ...handlers,
      onFailure: (error) => {
        hasFailed = true
        handlers.onFailure(error)
      },
      onResponse: () => {
        handlers.onResponse()
        if (!hasFailed) return
        // The server is back: the stream is tried at once.
        hasFailed = false
        retryMs = RETRY_MS
        wake.abort()
      },
    },
    signal,
    details,
  )
  const lateness = createLateness()
  /** Reads a stream, and polls if it does not begin soon. */
  const readStream = async () => {
    let pollingTimer = setTimeout(polling.start, STREAM_START_MS)
    const end = await streamOnce(() => ({ ...filtersOf(search()), ...details }), position, lateness, signal, {
      ...handlers,
      onLoading: () => {
        clearTimeout(pollingTimer)
        pollingTimer = setTimeout(polling.start, STREAM_START_MS)
      },
      onBegin: () => {
        clearTimeout(pollingTimer)
        polling.stop()
      },
    })
    clearTimeout(pollingTimer)
    return end
  }
  while (!signal.aborted) {
    let streamedMs = 0
    await withStreamSlot(async () => {
      // The slot is kept: between two streams another tab would take it.
      for (let isRenewed = true; isRenewed && !signal.aborted; ) {
        const end = await readStream()
        streamedMs = end.streamedMs
        isRenewed = end.isRenewal && streamedMs >= MIN_STREAM_MS
      }
    }).catch(() => {
      // Other tabs have all streams.
    })
    if (signal.aborted) return
    if (streamedMs >= MIN_STREAM_MS) {
      retryMs = RETRY_MS
      await pause(Math.random() * RESUME_MS, signal)
      continue
    }
    polling.start()
    wake = new AbortController()
    await pause(retryMs * (0.5 + Math.random()), AbortSignal.any([signal, wake.signal]))
    // So that not all clients come at once after an outage.
    if (wake.signal.aborted) await pause(Math.random() * RETRY_MS, signal)
    else retryMs = Math.min(2 * retryMs, MAX_RETRY_MS)
  }
}

/** `streamedMs`: how long a stream delivered; 0 if it never began or was held back. `isRenewal`: the server ended it to open another one. */
type StreamEnd = { streamedMs: number; isRenewal: boolean }

/** Reads a stream until it ends, in whatever way. */
async function streamOnce(
  query: () => VehicleFilters & ListFlags,
  position: FeedPosition,
  lateness: Lateness,
  stopSignal: AbortSignal,
  handlers: FeedHandlers & { onLoading: () => void; onBegin: () => void },
): Promise<StreamEnd> {
  const stop = new AbortController()
  const startTimeout = () => setTimeout(() => stop.abort(new ServerUnavailable('no event')), STREAM_TIMEOUT_MS)
  let timeout = startTimeout()
  let beganAt: number | null = null
  let isRenewal = false
  let isHeldBack = false
  lateness.begin()
  const requestedAt = performance.now()
  const read = createReader((vehicles) => handlers.onVehicles(vehicles, requestedAt))
  const onEvent = (event: StreamEvent) => {
    if (event.name === 'end') {
      isRenewal = event.data.reason === 'renewal'
      if (event.data.reason === 'session-changed') {
        recordPermissionsChanged()
        handlers.onSessionChanged()
      }
      return
    }
    if (beganAt === null) {
      beganAt = performance.now()
      clearTimeout(timeout)
      handlers.onBegin()
    }
    if (event.name === 'counters') handlers.onCounters(event.data)
    read(event)
    position.opened = true
  }
  try {
    await readEvents(stream, {
      query: query(),
      lastEventId: position.lastEventId,
      silenceMs: STREAM_SILENCE_MS,
      signal: AbortSignal.any([stopSignal, stop.signal]),
      onEvent,
      onId: (id) => {
        position.lastEventId = id
      },
      onSentAt: (sentAt) => {
        if (!lateness.isHeldBack(sentAt, performance.now())) return
        isHeldBack = true
        // After what came with it.
        queueMicrotask(() => stop.abort(new ServerUnavailable('held back')))
      },
      onBytes: () => {
        handlers.onResponse()
        if (beganAt !== null) return
        // A part of the first list, which may be long.
        clearTimeout(timeout)
        timeout = startTimeout()
        handlers.onLoading()
      },
    })
  } catch {
    // Polling, which follows, reports what is wrong.
  } finally {
    clearTimeout(timeout)
  }
  return { streamedMs: beganAt === null || isHeldBack ? 0 : performance.now() - beganAt, isRenewal }
}

type StreamEvent = ServerEvent<(typeof stream)['events']>

/** Joins vehicles with their marks and tags, which come before them. */
function createReader(onVehicles: (vehicles: readonly WireVehicle[]) => void) {
  let marks = new Map<string, WireVehicle['wanted']>()
  let tags: Map<string, Tag[]> | null = new Map()

  const complete = (vehicle: WireVehicle): WireVehicle => {
    const key = vehicleKey(vehicle)
    const wanted = marks.get(key)
    // Only the first vehicles come with tags; later ones keep those that are known.
    return { ...vehicle, ...(wanted && { wanted }), ...(tags && { tags: tags.get(key) ?? [] }) }
  }

  return ({ name, data }: Exclude<StreamEvent, { name: 'end' }>) => {
    if (name === 'wanted') marks = new Map(data.map((it) => [vehicleKey(it), it.wanted ?? undefined]))
    else if (name === 'tags') tags = new Map(data.map((it) => [vehicleKey(it), it.tags]))
    // They follow the first vehicles, if there are any.
    else if (name === 'counters') tags = null
    else {
      onVehicles((name === 'list' ? data.content : [...data.added, ...data.changed]).map(complete))
      marks = new Map()
      tags = null
    }
  }
}

type Polling = { start: () => void; stop: () => void }

function createPolling(
  search: () => CurrentSearch,
  position: FeedPosition,
  handlers: FeedHandlers,
  stopSignal: AbortSignal,
  details: ListFlags,
): Polling {
  let running: AbortController | null = null
  return {
    start: () => {
      if (running || stopSignal.aborted) return
      running = new AbortController()
      handlers.onCounters(null)
      void poll(search, position, handlers, AbortSignal.any([stopSignal, running.signal]), details)
    },
    stop: () => {
      running?.abort()
      running = null
    },
  }
}

async function poll(
  search: () => CurrentSearch,
  position: FeedPosition,
  handlers: FeedHandlers,
  signal: AbortSignal,
  details: ListFlags,
): Promise<void> {
  const known: PollState = { lastId: null, coveredAt: 0, isComplete: false, nextFullAt: 0 }
  while (!signal.aborted) {
    const startedAt = performance.now()
    await refresh(search(), position, known, handlers, signal, details).then(refreshSelf, (error: unknown) => {
      if (signal.aborted) return
      const isForbidden = error instanceof ApiFailure && error.status === 403
      if (isForbidden && position.opened) {
        position.opened = false
        handlers.onSessionChanged()
      } else handlers.onFailure(error)
    })
    await pause(POLL_MS - (performance.now() - startedAt), signal)
  }
}

/** What polling knows; times by `performance.now`. */
type PollState = {
  /** Newest vehicle of the last list. */
  lastId: number | null
  /** When the last answered request was sent: it covers all changes before. */
  coveredAt: number
  /** Whether no change was missed. */
  isComplete: boolean
  nextFullAt: number
}

/** One poll: checks for changes, and fetches new vehicles if there are any, or all if changes may have been missed. */
async function refresh(
  search: CurrentSearch,
  position: FeedPosition,
  known: PollState,
  handlers: FeedHandlers,
  stopSignal: AbortSignal,
  details: ListFlags,
): Promise<void> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(TIMEOUT_MS)])
  const options = { signal, background: true }
  const fullQuery = filtersOf(search)
  const incrementalQuery = { ...fullQuery, ...(known.lastId !== null && { lastId: known.lastId }) }
  let sentAt = performance.now()
  /** The server may have answered as late as now. */
  const recordGap = () => {
    const now = performance.now()
    known.isComplete &&= now - known.coveredAt <= MAX_GAP_MS
    return now
  }
  const { refresh } = position.opened ? await call(check, { query: incrementalQuery, ...options }) : { refresh: true }
  const now = recordGap()
  const isFull = !known.isComplete && now >= known.nextFullAt
  if (refresh || isFull) {
    sentAt = now
    countListRequest()
    const query = { ...(isFull ? fullQuery : incrementalQuery), ...orderOf(search), ...details }
    const response = await call(list, { query, ...options }).finally(() => {
      const endedAt = recordGap()
      if (isFull) known.nextFullAt = endedAt + FULL_LIST_PAUSE * (endedAt - sentAt)
    })
    if (stopSignal.aborted) return
    known.isComplete ||= isFull
    known.lastId = response.lastId ?? known.lastId
    position.opened = true
    handlers.onVehicles(response.content, sentAt)
  }
  known.coveredAt = sentAt
  handlers.onResponse()
}
