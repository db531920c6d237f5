import type { ServerResponse } from 'node:http'
import { stream as endpoint, type streamEnds } from '@rogatka/contract/current.ts'
import type { ListFlags, Tag, Vehicle, VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { matches } from '@rogatka/domain/current/match.ts'
import { selectFields } from '@rogatka/domain/vehicle/selectFields.ts'
import { markFor } from '@rogatka/domain/wanted/visibility.ts'
import { z } from 'zod'
import { vehicleKey } from '../core/passage.ts'
import type { Session } from '../core/sessions.ts'
import type { ImageAddresses } from '../vehicle/public-api.ts'
import { countVehicles } from './counters.ts'
import type { LiveWindow } from './live-window.ts'
import type { Window, WindowEntry, WindowState } from './window.ts'

/** Changes within this time are sent in one event. */
const FLUSH_MS = 100
/** Minimum time between counters. */
const COUNTERS_MS = 1_000
/** Interval of comments, which keep proxies from closing a quiet stream, and of checks of the session. */
const HEARTBEAT_MS = 15_000
/** A client that has not read this many bytes for `MAX_BACKLOG_MS` is too slow. */
const BACKLOG_BYTES = 1024 * 1024
const MAX_BACKLOG_MS = 10_000
/** A client that has not read this many bytes is too slow at once. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024
/** Further streams of a session end its oldest one. A browser that lost its connection may leave some behind. */
const MAX_SESSION_STREAMS = 8
/** Time to read the rest, after the end of a stream. */
const END_TIMEOUT_MS = 30_000

type StreamQuery = VehicleFilters & ListFlags
type StreamEnd = (typeof streamEnds)[number]
type Events = typeof endpoint.events

/** An open stream. */
export type Subscriber = {
  session: Session
  query: StreamQuery
  isAnonymised: boolean
  raw: ServerResponse
  /** The user's tags by `vehicleKey`; undefined if not requested. */
  tags: ReadonlyMap<string, Tag[]> | undefined
  /** Id of the last event that the client received, if any. */
  lastEventId: string | undefined
  /** When more than `BACKLOG_BYTES` began to wait, in ms of `performance.now`. */
  backlogSince?: number | undefined
  /** Records that the session watches stations. */
  watch: () => void
  /** Whether the session may still read this stream. */
  isAllowed: () => Promise<boolean>
}

/** Subscribers with the same filters and fields who see the same of a vehicle: each event is encoded once for them. */
type Channel = {
  query: StreamQuery
  isAnonymised: boolean
  subscribers: Set<Subscriber>
  /** The last counters, encoded. */
  counters: string
}

export type Streams = {
  /** Sends events of the current window until the client disconnects or the stream ends. */
  open: (subscriber: Subscriber, window: Window) => void
  /** Checks the sessions of a user, or of all, after a change. */
  checkSessions: (userId?: number) => void
  /** Ends all streams. */
  stop: () => void
  size: () => number
}

/** Streams of live vehicles to many clients. */
export function createStreams(live: LiveWindow, addresses: ImageAddresses, now: () => Date): Streams {
  const channels = new Map<string, Channel>()
  /** The streams of each session, oldest first. */
  const bySession = new Map<string, Set<Subscriber>>()
  let known: Window | undefined
  let state: WindowState = { position: 0, change: 0, removal: 0 }
  let flushing: NodeJS.Timeout | undefined
  let isCountersDue = false
  let isStopped = false

  const subscribers = () => [...channels.values()].flatMap((channel) => [...channel.subscribers])

  const remove = (subscriber: Subscriber) => {
    const key = channelKey(subscriber)
    const channel = channels.get(key)
    channel?.subscribers.delete(subscriber)
    if (channel?.subscribers.size === 0) channels.delete(key)
    const ofSession = bySession.get(subscriber.session.key)
    ofSession?.delete(subscriber)
    if (ofSession?.size === 0) bySession.delete(subscriber.session.key)
    if (channels.size > 0) return
    clearInterval(heartbeats)
    clearInterval(counting)
    heartbeats = counting = undefined
  }

  const end = (subscriber: Subscriber, reason: StreamEnd) => {
    const { raw } = subscriber
    remove(subscriber)
    raw.end(encode('end', { reason }))
    setTimeout(() => raw.destroy(), END_TIMEOUT_MS).unref()
  }

  const limitSession = (subscriber: Subscriber) => {
    const ofSession = bySession.get(subscriber.session.key) ?? new Set()
    bySession.set(subscriber.session.key, ofSession.add(subscriber))
    const [oldest] = ofSession
    if (oldest && ofSession.size > MAX_SESSION_STREAMS) end(oldest, 'too-many-streams')
  }

  const send = (subscriber: Subscriber, event: string | Buffer) => {
    const { raw } = subscriber
    if (raw.destroyed || raw.writableEnded) return
    raw.write(event)
    const time = performance.now()
    if (raw.writableLength <= BACKLOG_BYTES) subscriber.backlogSince = undefined
    else subscriber.backlogSince ??= time
    const isStuck = subscriber.backlogSince !== undefined && time - subscriber.backlogSince > MAX_BACKLOG_MS
    if (isStuck || raw.writableLength > MAX_BACKLOG_BYTES) end(subscriber, 'slow-reader')
  }

  /** Sends the marks that the subscriber sees, and null for those that it saw before. */
  const sendMarks = (subscriber: Subscriber, entries: readonly WindowEntry[]) => {
    const { session } = subscriber
    const marks = entries.flatMap(({ vehicle, marks = [], marksBefore }) => {
      if (marks.length === 0 && marksBefore.length === 0) return []
      const wanted = markFor(session, marks) ?? null
      return wanted || markFor(session, marksBefore) ? [{ ...keyOf(vehicle), wanted }] : []
    })
    if (marks.length > 0) send(subscriber, encode('wanted', marks))
  }

  const sendTags = (subscriber: Subscriber, entries: readonly WindowEntry[]) => {
    const tagged = entries.flatMap(({ vehicle }) => {
      const tags = subscriber.tags?.get(vehicleKey(vehicle))
      return tags ? [{ ...keyOf(vehicle), tags }] : []
    })
    if (tagged.length > 0) send(subscriber, encode('tags', tagged))
  }

  const shownIn = ({ query, isAnonymised }: Channel, vehicle: Vehicle): Vehicle =>
    selectFields(addresses.show(vehicle, isAnonymised), query, [])

  const listFor = (channel: Channel, window: Window) => {
    const at = now().getTime()
    const entries = window.entries().filter((entry) => entry.liveUntil > at && matches(entry.vehicle, channel.query))
    const data = { content: entries.map(({ vehicle }) => shownIn(channel, vehicle)) }
    return { entries, event: Buffer.from(encode('list', data, eventId(window))) }
  }

  /** The changes since a state of the window; null if none concerns the channel. */
  const changesFor = (channel: Channel, window: Window, since: WindowState) => {
    const delta = window.deltaSince(since)
    const concerns = ({ vehicle }: { vehicle: Vehicle }) => matches(vehicle, channel.query)
    const [added, changed, removed] = [
      delta.added.filter(concerns),
      delta.changed.filter(concerns),
      delta.removed.filter(concerns),
    ]
    if (added.length + changed.length + removed.length === 0) return null
    const shown = ({ vehicle }: WindowEntry) => shownIn(channel, vehicle)
    const data = {
      added: added.map(shown),
      changed: changed.map(shown),
      removed: removed.map(({ vehicle }) => keyOf(vehicle)),
    }
    return { entries: [...added, ...changed], event: Buffer.from(encode('vehicles', data, eventId(window))) }
  }

  const eventId = (window: Window) => `${window.newestKey() ?? 'none'}_${now().getTime()}`

  const flush = () => {
    clearTimeout(flushing)
    flushing = undefined
    const window = live.current()
    if (!window) return
    const [before, since] = [known, state]
    known = window
    state = window.state()
    for (const channel of channels.values()) {
      if (window !== before) {
        const { event, entries } = listFor(channel, window)
        for (const subscriber of channel.subscribers) {
          sendMarks(subscriber, entries)
          send(subscriber, event)
        }
        continue
      }
      const changes = changesFor(channel, window, since)
      if (!changes) continue
      for (const subscriber of channel.subscribers) {
        // Before the event: a client that got its id resumes after it, and would miss marks sent later.
        sendMarks(subscriber, changes.entries)
        send(subscriber, changes.event)
      }
    }
  }

  const countersFor = (channel: Channel, window: Window) =>
    encode('counters', countVehicles(window, channel.query, now()))

  /** Ends all streams if vehicles can no longer arrive, so that no client takes an old list for the present one. */
  const endIfDisconnected = () => {
    if (live.isDisconnected()) for (const subscriber of subscribers()) end(subscriber, 'unavailable')
  }

  const sendCounters = () => {
    endIfDisconnected()
    const window = live.current()
    if (!window || !isCountersDue) return
    isCountersDue = false
    for (const channel of channels.values()) {
      const counters = countersFor(channel, window)
      if (counters === channel.counters) continue
      channel.counters = counters
      for (const subscriber of channel.subscribers) send(subscriber, counters)
    }
  }

  const checkSession = async (subscriber: Subscriber) => {
    // Not known while the database is unavailable: the next heartbeat tries again.
    if (!(await subscriber.isAllowed().catch(() => true)) && !subscriber.raw.destroyed)
      end(subscriber, 'session-changed')
  }

  const sendHeartbeats = () => {
    for (const subscriber of subscribers()) {
      send(subscriber, ': heartbeat\n\n')
      subscriber.watch()
      void checkSession(subscriber)
    }
  }

  let heartbeats: NodeJS.Timeout | undefined
  let counting: NodeJS.Timeout | undefined

  live.onChange(() => {
    isCountersDue = true
    if (channels.size > 0) flushing ??= setTimeout(flush, FLUSH_MS)
  })

  return {
    open(subscriber, window) {
      const { query, isAnonymised, raw } = subscriber
      // The client may have gone while the visit was opened: no event would remove the subscriber.
      if (raw.destroyed) return
      if (isStopped) return void raw.end(encode('end', { reason: 'shutdown' }))
      // Brings the others up to date, so that all subscribers of a channel have the same state.
      flush()
      const key = channelKey(subscriber)
      const channel = channels.get(key) ?? { query, isAnonymised, subscribers: new Set(), counters: '' }
      channels.set(key, channel)
      channel.subscribers.add(subscriber)
      raw.on('close', () => remove(subscriber))
      limitSession(subscriber)
      heartbeats ??= setInterval(sendHeartbeats, HEARTBEAT_MS)
      counting ??= setInterval(sendCounters, COUNTERS_MS)

      const resumed = resumeState(window, subscriber.lastEventId, now())
      if (resumed) {
        const changes = changesFor(channel, window, resumed)
        sendTags(subscriber, changes?.entries ?? [])
        sendMarks(subscriber, changes?.entries ?? [])
        send(subscriber, changes?.event ?? `id: ${eventId(window)}\n\n`)
      } else {
        const { event, entries } = listFor(channel, window)
        sendTags(subscriber, entries)
        sendMarks(subscriber, entries)
        send(subscriber, event)
      }
      channel.counters ||= countersFor(channel, window)
      send(subscriber, channel.counters)
      // It may have changed while the stream was opened.
      void checkSession(subscriber)
    },
    checkSessions(userId) {
      for (const subscriber of subscribers())
        if (userId === undefined || subscriber.session.userId === userId) void checkSession(subscriber)
    },
    stop() {
      isStopped = true
      clearTimeout(flushing)
      for (const subscriber of subscribers()) end(subscriber, 'shutdown')
    },
    size: () => subscribers().length,
  }
}

const channelKey = ({ query, isAnonymised }: Pick<Subscriber, 'query' | 'isAnonymised'>) =>
  JSON.stringify([isAnonymised, Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))])

const keyOf = ({ id, createdAt, location }: Vehicle) => ({ id, createdAt, locationId: location.id })

/** The state of the window after an event; undefined if it is unknown here or too long ago. */
function resumeState(window: Window, lastEventId: string | undefined, now: Date): WindowState | undefined {
  const [, key, time] = /^(\d+@\d+)_(\d+)$/.exec(lastEventId ?? '') ?? []
  return key === undefined ? undefined : window.stateAfter(key, new Date(Number(time)), now)
}

/** An event as text; its data are one line of JSON. */
function encode<Name extends keyof Events>(name: Name, data: z.output<Events[Name]>, id?: string): string {
  const json = JSON.stringify(z.encode(endpoint.events[name] as z.ZodType, data))
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${json}\n\n`
}
