import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { stream as endpoint, type streamEnds } from '@rogatka/contract/current.ts'
import type { ListFlags, Tag, Vehicle, VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { markFor } from '@rogatka/domain/wanted/visibility.ts'
import { z } from 'zod'
import {
  createHeartbeats,
  createSessionChecks,
  endEventStream,
  eventText,
  heartbeatText,
  isOpen,
  MAX_SESSION_STREAMS,
  renewalEvent,
  sentAtComment,
} from '../core/event-stream.ts'
import { type EncodedEvents, type EventWriter, encodeEvents, encodeLongEvents } from '../core/event-writer.ts'
import { vehicleKey } from '../core/passage.ts'
import type { Session } from '../core/sessions.ts'
import { createCountersJson, createTallies, type Tally } from './counters.ts'
import type { LiveWindow } from './live-window.ts'
import type { VehicleJson } from './vehicle-json.ts'
import type { Window, WindowDelta, WindowEntry, WindowState } from './window.ts'

/** Minimum time between events of changes: the first is sent at once, those within this time after it together. */
const FLUSH_MS = 100
/** Minimum time between counters. */
const COUNTERS_MS = 1_000
/** A client that has not read a list, however long, after this time is too slow. */
const MAX_LIST_MS = 60_000
/** A client that has not read this many bytes after the list for `MAX_BACKLOG_MS` is too slow. */
const BACKLOG_BYTES = 1024 * 1024
const MAX_BACKLOG_MS = 10_000
/** A client that has not read this many bytes after the list is too slow at once. */
const MAX_BACKLOG_BYTES = 16 * 1024 * 1024

/** Characters of the content in an id of an event: 48 bits. */
const CONTENT_LENGTH = 8

type StreamQuery = VehicleFilters & ListFlags
type StreamEnd = (typeof streamEnds)[number]
type Events = typeof endpoint.events

/** An open stream. */
export type Subscriber = {
  session: Session
  query: StreamQuery
  isAnonymised: boolean
  raw: ServerResponse
  writer: EventWriter
  /** The user's tags by `vehicleKey`; undefined if not requested. */
  tags: ReadonlyMap<string, Tag[]> | undefined
  /** Id of the last event that the client received, if any. */
  lastEventId: string | undefined
  /** When the first list, or missed changes, that the client may still be reading was sent, in ms of `performance.now`. */
  listSentAt?: number | undefined
  /** Bytes sent since the last list. */
  bytesAfterList?: number | undefined
  /** When more than `BACKLOG_BYTES` began to wait, in ms of `performance.now`. */
  backlogSince?: number | undefined
  /** Records that the session watches stations. */
  watch: () => void
  /** Whether the session may still read this stream. */
  isAllowed: () => Promise<boolean>
}

/** Subscribers with the same filters and fields who see the same of a vehicle: each event is encoded once for them. */
type Channel = {
  key: string
  query: StreamQuery
  isAnonymised: boolean
  subscribers: Set<Subscriber>
  tally: Tally
  /** The last counters, encoded. */
  counters: string
  /** The list of the present state, if it was sent lately: many clients open at the same time. */
  list?: ListEvent | undefined
}

type ListEvent = { entries: readonly WindowEntry[]; marked: readonly WindowEntry[]; event: EncodedEvents }

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
export function createStreams(live: LiveWindow, json: VehicleJson, now: () => Date): Streams {
  const channels = new Map<string, Channel>()
  /** The streams of each session, oldest first. */
  const bySession = new Map<string, Set<Subscriber>>()
  let known: { window: Window; keyId: string } | undefined
  let state: WindowState = { position: 0, change: 0, removal: 0 }
  const tallies = createTallies()
  let flushing: NodeJS.Timeout | undefined
  /** In ms of `performance.now`. */
  let flushedAt = 0
  /** Whether counters may have changed since they were sent. */
  let areCountersDue = false
  /** In ms of `performance.now`. */
  let countersSentAt = 0
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
    heartbeats.remove(subscriber)
    if (channels.size > 0) return
    clearInterval(counting)
    counting = undefined
  }

  const endWith = (subscriber: Subscriber, event: string) => {
    const { raw, writer } = subscriber
    remove(subscriber)
    endEventStream(raw, event, writer)
  }

  const end = (subscriber: Subscriber, reason: StreamEnd) => endWith(subscriber, encode('end', { reason }))

  /** Ends a stream with the id of the present state: that of its last event may be too old to resume after it. */
  const renew = (subscriber: Subscriber) => {
    // It is still reading a list, and would begin again: it ends with a later heartbeat.
    if (subscriber.raw.writableLength > BACKLOG_BYTES) return sendHeartbeat(subscriber)
    flush()
    const [window, channel] = [live.current(), channels.get(channelKey(subscriber))]
    // It may have been too slow for the changes.
    if (!isOpen(subscriber.raw)) return
    endWith(subscriber, renewalEvent(window && channel ? eventId(channel, window) : undefined))
  }

  const limitSession = (subscriber: Subscriber) => {
    const ofSession = bySession.get(subscriber.session.key) ?? new Set()
    bySession.set(subscriber.session.key, ofSession.add(subscriber))
    const [oldest] = ofSession
    if (oldest && ofSession.size > MAX_SESSION_STREAMS) end(oldest, 'too-many-streams')
  }

  const send = (subscriber: Subscriber, events: EncodedEvents) => {
    if (!isOpen(subscriber.raw)) return
    subscriber.writer.write(events)
    subscriber.bytesAfterList = (subscriber.bytesAfterList ?? 0) + events.bytes.length
    if (isTooSlow(subscriber)) end(subscriber, 'slow-reader')
  }

  /** Sends a list, or all changes that were missed. One that is still being read keeps its deadline. */
  const sendList = (subscriber: Subscriber, list: EncodedEvents) => {
    if (!isOpen(subscriber.raw)) return
    if (subscriber.raw.writableLength <= BACKLOG_BYTES) subscriber.listSentAt = performance.now()
    subscriber.writer.write(list)
    subscriber.bytesAfterList = 0
  }

  /** Sends the marks that the subscriber sees, and null for those that it saw before. */
  const sendMarks = (subscriber: Subscriber, marked: readonly WindowEntry[]) => {
    const { session } = subscriber
    const marks = marked.flatMap(({ vehicle, marks = [], marksBefore }) => {
      const wanted = markFor(session, marks) ?? null
      return wanted || markFor(session, marksBefore) ? [{ ...keyOf(vehicle), wanted }] : []
    })
    if (marks.length > 0) send(subscriber, encodeEvents(encode('wanted', marks)))
  }

  const sendTags = (subscriber: Subscriber, entries: readonly WindowEntry[]) => {
    const { tags: all } = subscriber
    if (!all?.size) return
    const tagged = entries.flatMap(({ vehicle }) => {
      const tags = all.get(vehicleKey(vehicle))
      return tags ? [{ ...keyOf(vehicle), tags }] : []
    })
    if (tagged.length > 0) send(subscriber, encodeEvents(encode('tags', tagged)))
  }

  const vehiclesIn = ({ query, isAnonymised }: Channel, entries: readonly WindowEntry[]): string => {
    const encode = json.encoder(query, isAnonymised)
    return `[${entries.map(({ vehicle }) => encode(vehicle))}]`
  }

  const listFor = (channel: Channel, window: Window): ListEvent => {
    if (channel.list) return channel.list
    const at = now().getTime()
    const { matches } = channel.tally
    const entries = window.entries().filter((entry) => entry.liveUntil > at && matches(entry.vehicle))
    const data = `{"content":${vehiclesIn(channel, entries)}}`
    const event = encodeLongEvents(eventText('list', data, eventId(channel, window)))
    channel.list = { entries, marked: markedOf(entries), event }
    return channel.list
  }

  /** Changes of the window; null if none concerns the channel. */
  const changesFor = (channel: Channel, window: Window, delta: WindowDelta) => {
    const concerns = ({ vehicle }: { vehicle: Vehicle }) => channel.tally.matches(vehicle)
    const [added, changed, removed] = [
      delta.added.filter(concerns),
      delta.changed.filter(concerns),
      delta.removed.filter(concerns),
    ]
    if (added.length + changed.length + removed.length === 0) return null
    const keys = endpoint.events.vehicles.shape.removed.encode(removed.map(({ vehicle }) => keyOf(vehicle)))
    const data = `{"added":${vehiclesIn(channel, added)},"changed":${vehiclesIn(channel, changed)},"removed":${JSON.stringify(keys)}}`
    const entries = [...added, ...changed]
    return { entries, marked: markedOf(entries), event: eventText('vehicles', data, eventId(channel, window)) }
  }

  /** With the time until which the window surely has all changes: a stream of another process resumes after it. */
  const eventId = (channel: Channel, window: Window) =>
    `${window.newestKey(channel.query.locations) ?? 'none'}_${now().getTime() - Math.ceil(live.age())}_${contentOf(channel)}`

  /**
   * What a channel shows of vehicles, as part of ids of events: after another selection, for another kind of viewer or with
   * other addresses of images, a stream begins with the list.
   */
  const contentOf = ({ key }: Channel): string =>
    hash('sha256', key + json.keyId(), 'base64url').slice(0, CONTENT_LENGTH)

  const flush = () => {
    clearTimeout(flushing)
    flushing = undefined
    flushedAt = performance.now()
    const window = live.current()
    if (!window) return
    const [before, since] = [known, state]
    known = { window, keyId: json.keyId() }
    state = window.state()
    const isKnown = before?.window === window && before.keyId === known.keyId
    if (isKnown && isDeepStrictEqual(state, since)) return
    const delta = isKnown ? window.deltaSince(since) : undefined
    const allTallies = [...channels.values()].map(({ tally }) => tally)
    if (delta) tallies.update(delta, allTallies)
    else tallies.reset(window, allTallies)
    const countersOf = delta !== undefined && startCounters() ? createCountersJson(window, now()) : undefined
    for (const channel of channels.values()) {
      channel.list = undefined
      if (!delta) {
        const { event, marked } = listFor(channel, window)
        for (const subscriber of channel.subscribers) {
          sendMarks(subscriber, marked)
          sendList(subscriber, event)
        }
        continue
      }
      const changes = changesFor(channel, window, delta)
      const counters = countersOf ? changedCounters(channel, countersOf) : ''
      if (!changes && !counters) continue
      // One write for both: with thousands of streams, each costs more than what it sends.
      const events = encodeEvents(sentAtComment(now()) + (changes?.event ?? '') + counters)
      for (const subscriber of channel.subscribers) {
        // Before the event: a client that got its id resumes after it, and would miss marks sent later.
        if (changes) sendMarks(subscriber, changes.marked)
        send(subscriber, events)
      }
    }
  }

  /** Whether counters are sent now. */
  const startCounters = () => {
    const time = performance.now()
    if (!areCountersDue || time - countersSentAt < COUNTERS_MS) return false
    areCountersDue = false
    countersSentAt = time
    return true
  }

  /** The event with the counters, or nothing if they are those sent before. */
  const changedCounters = (channel: Channel, countersOf: (tally: Tally) => string): string => {
    const counters = eventText('counters', countersOf(channel.tally))
    if (counters === channel.counters) return ''
    channel.counters = counters
    return counters
  }

  /** Ends all streams if vehicles can no longer arrive, so that no client takes an old list for the present one. */
  const endIfDisconnected = () => {
    if (live.isDisconnected()) for (const subscriber of subscribers()) end(subscriber, 'unavailable')
  }

  const sendCounters = () => {
    endIfDisconnected()
    // Lists have many megabytes: they are cached only for clients that open at about the same time.
    for (const channel of channels.values()) channel.list = undefined
    // Tallies have to be up to date.
    if (flushing) flush()
    const window = live.current()
    if (!window || !startCounters()) return
    const countersOf = createCountersJson(window, now())
    for (const channel of channels.values()) {
      const counters = changedCounters(channel, countersOf)
      if (!counters) continue
      const events = encodeEvents(sentAtComment(now()) + counters)
      for (const subscriber of channel.subscribers) send(subscriber, events)
    }
  }

  const checkSession = createSessionChecks<Subscriber>((subscriber) => end(subscriber, 'session-changed'))
  const sendHeartbeat = (subscriber: Subscriber) => {
    send(subscriber, encodeEvents(heartbeatText(now())))
    subscriber.watch()
    checkSession(subscriber)
  }
  const heartbeats = createHeartbeats<Subscriber>(sendHeartbeat, renew)
  let counting: NodeJS.Timeout | undefined

  live.onChange(() => {
    areCountersDue = true
    if (channels.size > 0) flushing ??= setTimeout(flush, Math.max(0, flushedAt + FLUSH_MS - performance.now()))
  })

  return {
    open(subscriber, window) {
      const { query, isAnonymised, raw, writer } = subscriber
      // The client may have gone while the visit was opened: no event would remove the subscriber.
      if (raw.destroyed) return
      if (isStopped) return endEventStream(raw, encode('end', { reason: 'shutdown' }), writer)
      // What has changed without any stream is no longer kept.
      if (channels.size === 0) known = undefined
      // Brings the others up to date, so that all subscribers of a channel have the same state.
      flush()
      const key = channelKey(subscriber)
      const channel = channels.get(key) ?? {
        key,
        query,
        isAnonymised,
        subscribers: new Set(),
        tally: tallies.create(query),
        counters: '',
      }
      channels.set(key, channel)
      channel.subscribers.add(subscriber)
      raw.on('close', () => remove(subscriber))
      limitSession(subscriber)
      heartbeats.add(subscriber)
      counting ??= setInterval(sendCounters, COUNTERS_MS / 2)

      const resumed = resumeState(window, subscriber.lastEventId, contentOf(channel), now())
      if (resumed) {
        const changes = changesFor(channel, window, window.deltaSince(resumed))
        sendTags(subscriber, changes?.entries ?? [])
        sendMarks(subscriber, changes?.marked ?? [])
        sendList(subscriber, encodeLongEvents(changes?.event ?? `id: ${eventId(channel, window)}\n\n`))
      } else {
        const { event, entries, marked } = listFor(channel, window)
        sendTags(subscriber, entries)
        sendMarks(subscriber, marked)
        sendList(subscriber, event)
      }
      if (!channel.counters) changedCounters(channel, createCountersJson(window, now()))
      send(subscriber, encodeEvents(channel.counters))
      // It may have changed while the stream was opened.
      checkSession(subscriber)
    },
    checkSessions(userId) {
      for (const subscriber of subscribers())
        if (userId === undefined || subscriber.session.userId === userId) checkSession(subscriber)
    },
    stop() {
      isStopped = true
      clearTimeout(flushing)
      for (const subscriber of subscribers()) end(subscriber, 'shutdown')
    },
    size: () => subscribers().length,
  }
}

/** Records since when a client has a backlog; returns whether it is too slow. */
function isTooSlow(subscriber: Subscriber): boolean {
  const { raw, listSentAt = 0, bytesAfterList = 0 } = subscriber
  const time = performance.now()
  const backlog = Math.min(raw.writableLength, bytesAfterList)
  if (backlog <= BACKLOG_BYTES) subscriber.backlogSince = undefined
  else subscriber.backlogSince ??= time
  if (backlog > MAX_BACKLOG_BYTES) return true
  if (subscriber.backlogSince !== undefined && time - subscriber.backlogSince > MAX_BACKLOG_MS) return true
  const isListUnread = raw.writableLength > bytesAfterList + BACKLOG_BYTES
  return isListUnread && time - listSentAt > MAX_LIST_MS
}

const channelKey = ({ query, isAnonymised }: Pick<Subscriber, 'query' | 'isAnonymised'>) =>
  JSON.stringify([isAnonymised, Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1))])

/** Those with marks, now or before, of which subscribers see different ones. */
const markedOf = (entries: readonly WindowEntry[]) =>
  entries.filter(({ marks = [], marksBefore }) => marks.length > 0 || marksBefore.length > 0)

const keyOf = ({ id, createdAt, location }: Vehicle) => ({ id, createdAt, locationId: location.id })

/** The state of the window after an event; undefined if it is unknown here, too long ago, or of another content. */
function resumeState(
  window: Window,
  lastEventId: string | undefined,
  content: string,
  now: Date,
): WindowState | undefined {
  const [, key, time, ofEvent] = /^(\d+@\d+)_(\d+)_([\w-]+)$/.exec(lastEventId ?? '') ?? []
  return key === undefined || ofEvent !== content ? undefined : window.stateAfter(key, new Date(Number(time)), now)
}

const encode = <Name extends keyof Events>(name: Name, data: z.output<Events[Name]>): string =>
  eventText(name, JSON.stringify(z.encode(endpoint.events[name] as z.ZodType, data)))
