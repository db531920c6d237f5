import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_ADDITIONAL_SECONDS } from '@rogatka/contract/current.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import { isLive, LIVE_LOOKBACK_MS } from '@rogatka/domain/current/live.ts'
import type { FastifyBaseLogger } from 'fastify'
import { isDatabaseUnavailable, type Pool } from '../core/database.ts'
import { createListener } from '../core/listen.ts'
import { CHANNEL, type LiveEvent, parseLiveEvent } from '../core/live-events.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { inspectionMarks } from '../inspections/public-api.ts'
import { vehiclesByKeys } from '../vehicle/public-api.ts'
import { listMarks } from '../wanted/public-api.ts'
import { lastVehicleTimes, liveCandidateKeys } from './queries.ts'
import { createWindow, type Window, type WindowVehicle } from './window.ts'

const EXPIRY_INTERVAL_MS = 5_000
const RETRY_DELAY_MS = 500
/**
 * How long a window that has lost its connection is still served while it is rebuilt: an old list is better than none.
 */
const STALE_WINDOW_MS = 60_000
/** Time in which a lost connection is usually replaced. */
const RECONNECTION_MS = 3_000
/** A read that fails or takes longer counts as a lost connection: all later vehicles wait for it. */
const MAX_READ_MS = 5_000
/** After so many failed reads, vehicles are read in parts. */
const MAX_FAILURES = 3
/** If more vehicles cannot be read, it is taken for a fault of the database. */
const MAX_UNREADABLE = 10
/** Vehicles per query. */
const BATCH_SIZE = 1_000
/** How long notified vehicles that cannot be read are retried: Citus repeats commits that a worker has missed within a minute. */
const UNREADABLE_MS = 90_000

/**
 * `until`: set for vehicles that could not be read yet: when they are given up, in ms of `performance.now`. `isFailing`:
 * their query fails.
 */
type PendingEvent = LiveEvent & { until?: number; isFailing?: boolean }

type LiveKey = Pick<PassageKey, 'id' | 'createdAt'>

/** Vehicles that were read, and keys of those whose query fails. */
type Reading = { found: WindowVehicle[]; failed: ReadonlySet<string> }

export type LiveWindow = {
  /** The window; undefined until first loaded, and after it has been out of date for longer than STALE_WINDOW_MS. */
  current: () => Window | undefined
  /** How long ago the window surely had all commits, ms. */
  age: () => number
  /** Whether the window has not received commits for longer than a reconnection takes, or cannot read them. */
  isDisconnected: () => boolean
  /** Calls back after each change of the window, also when it was replaced. */
  onChange: (callback: () => void) => void
  /** Starts following commits; `ready` resolves when the window is loaded for the first time. */
  follow: () => { ready: Promise<void>; stop: () => Promise<void> }
}

/**
 * The live window of this process: loaded from the database, then updated by LISTEN/NOTIFY in commit order. After a
 * lost connection notifications may be missing, so a new window is loaded; until then the old one is served.
 */
export function createLiveWindow(db: Pool, now: () => Date, log: Pick<FastifyBaseLogger, 'warn'>): LiveWindow {
  let window: Window | undefined
  /** When the window lost its connection; null while connected. */
  let disconnectedAt: Date | null = null
  let pending: PendingEvent[] = []
  const callbacks: (() => void)[] = []
  const notifyChange = () => {
    for (const callback of callbacks) callback()
  }
  let processing: Promise<void> | undefined
  let isLoading = true
  /** When all commits before had been received, in ms of `performance.now`. */
  let receivedAt = performance.now()
  /** Since when events are being read, in ms of `performance.now`; null if none wait. */
  let readingSince: number | null = null
  // Each rebuild is a new generation: pending work of earlier ones is dropped.
  let generation = 0

  const processPending = async (target: Window, ownGeneration: number) => {
    let failures = 0
    while (pending.length > 0 && ownGeneration === generation) {
      const events = pending
      pending = []
      readingSince ??= performance.now()
      const isInParts = failures >= MAX_FAILURES || events.some((event) => event.isFailing)
      const readKeys = (keys: readonly PassageKey[]) =>
        isInParts
          ? readInParts(db, keys, target)
          : read(db, keys).then((found) => ({ found, failed: new Set<string>() }))
      try {
        const unread = await apply(readKeys, target, events, now, () => ownGeneration === generation)
        if (ownGeneration === generation) readingSince = null
        failures = 0
        const failing = unread.filter((event) => event.isFailing)
        if (failing.length > 0 && !events.some((event) => event.isFailing))
          log.warn({ events: failing }, 'live window: these vehicles cannot be read, others are shown')
        notifyChange()
        if (unread.length > 0) setTimeout(applyLater, RETRY_DELAY_MS, unread).unref()
      } catch (error) {
        if (ownGeneration !== generation) return
        log.warn({ err: error }, 'live window: vehicles could not be read, retrying')
        pending = [...events, ...pending]
        failures += 1
        await sleep(RETRY_DELAY_MS)
      }
    }
  }
  const startProcessing = (target: Window) => {
    if (processing || pending.length === 0) return
    const run = processPending(target, generation).finally(() => {
      // A later generation has its own processing.
      if (processing !== run) return
      processing = undefined
      if (window === target) startProcessing(target)
    })
    processing = run
  }
  const applyLater = (events: readonly PendingEvent[]) => {
    pending.push(...events)
    if (window && !isLoading) startProcessing(window)
  }
  /** Starts a generation: events wait for the next window, pending ones are dropped. */
  const startGeneration = () => {
    generation++
    pending = []
    processing = undefined
    readingSince = null
    return generation
  }

  /** Loads a new window. Returns false if another generation began meanwhile. */
  const rebuild = async (): Promise<boolean> => {
    isLoading = true
    // A failed attempt does not restart the time.
    const since = readingSince ?? performance.now()
    const ownGeneration = startGeneration()
    readingSince = since
    const { vehicles, times, unreadable } = await load(db, now(), window)
    if (ownGeneration !== generation) return false
    // Continues the positions of the old window, so that polls answered by it get what came later.
    const next = createWindow(window?.end())
    next.load(vehicles, times, now())
    window = next
    readingSince = null
    isLoading = false
    notifyChange()
    startProcessing(next)
    const retried: PendingEvent = { kind: 'vehicles', keys: unreadable, isFailing: true }
    if (unreadable.length > 0) {
      log.warn({ events: [retried] }, 'live window: these vehicles cannot be read, others are shown')
      setTimeout(applyLater, RETRY_DELAY_MS, [retried]).unref()
    }
    return true
  }

  /** After a loss notifications may be missing until the window is rebuilt. */
  const recordReceived = (at: number) => {
    if (disconnectedAt === null) receivedAt = Math.max(receivedAt, at)
  }

  const follow = () => {
    let isReady: () => void = () => {}
    const ready = new Promise<void>((resolve) => {
      isReady = resolve
    })
    isLoading = true
    const listening = createListener(db, [CHANNEL], {
      onNotify: (_channel, payload) => {
        recordReceived(performance.now())
        const event = parseLiveEvent(payload)
        if (!event) return
        pending.push(event)
        if (window && !isLoading) startProcessing(window)
      },
      onProbed: recordReceived,
      onListening: async () => {
        const listeningAt = performance.now()
        if (!(await rebuild())) return
        disconnectedAt = null
        recordReceived(listeningAt)
        isReady()
      },
      onDisconnect: (error) => {
        disconnectedAt ??= now()
        log.warn({ err: error }, 'live window: connection lost, rebuilding')
      },
    })
    let isRepairing = false
    const expire = async () => {
      window?.expire(now())
      notifyChange()
      // A reconnection rebuilds it anyway.
      if (!window?.isClockSetBack() || isRepairing || disconnectedAt !== null) return
      isRepairing = true
      log.warn('live window: the clock was set back, rebuilding')
      await rebuild()
        .catch((error: unknown) => log.warn({ err: error }, 'live window: could not be rebuilt, retrying'))
        .finally(() => {
          isRepairing = false
        })
    }
    const expiring = setInterval(expire, EXPIRY_INTERVAL_MS).unref()
    const stop = async () => {
      clearInterval(expiring)
      const running = processing
      startGeneration()
      window = undefined
      await listening.stop()
      await running
    }
    return { ready, stop }
  }

  /** In both directions, so that a clock set back does not prolong it. */
  const isDisconnectedFor = (ms: number) =>
    disconnectedAt !== null && Math.abs(now().getTime() - disconnectedAt.getTime()) > ms
  const isReadingFor = (ms: number) => readingSince !== null && performance.now() - readingSince > ms
  return {
    age: () => Math.max(0, performance.now() - Math.min(receivedAt, readingSince ?? receivedAt)),
    current: () => (isDisconnectedFor(STALE_WINDOW_MS) || isReadingFor(STALE_WINDOW_MS) ? undefined : window),
    isDisconnected: () => isDisconnectedFor(RECONNECTION_MS) || isReadingFor(MAX_READ_MS),
    onChange: (callback) => void callbacks.push(callback),
    follow,
  }
}

/** All live vehicles from the database but those that cannot be read. */
async function load(db: Pool, now: Date, window: Window | undefined) {
  const keys = await liveCandidateKeys(
    db,
    new Date(now.getTime() - LIVE_LOOKBACK_MS),
    new Date(now.getTime() - MAX_ADDITIONAL_SECONDS * 1000),
  )
  const { found, failed } = await readInParts(db, keys, window)
  const vehicles = found.filter(({ vehicle, receivedAt }) => isLive(vehicle, receivedAt, now))
  const unreadable = keys.filter((key) => failed.has(vehicleKey(key)))
  return { vehicles, unreadable, times: await lastVehicleTimes(db) }
}

async function read(db: Pool, keys: readonly PassageKey[]): Promise<WindowVehicle[]> {
  const found: WindowVehicle[] = []
  for (let from = 0; from < keys.length; from += BATCH_SIZE) {
    const batch = keys.slice(from, from + BATCH_SIZE)
    const [vehicles, marks, inspections] = await Promise.all([
      vehiclesByKeys(db, batch),
      listMarks(db, batch),
      inspectionMarks(db, batch),
    ])
    const byKey = Map.groupBy(marks, vehicleKey)
    for (const { vehicle, receivedAt } of vehicles) {
      const key = vehicleKey(vehicle)
      const inspection = inspections.get(key)
      // In the vehicle, as all viewers see it: it is encoded once for them.
      found.push({
        vehicle: inspection ? { ...vehicle, inspection } : vehicle,
        receivedAt,
        marks: byKey.get(key) ?? [],
      })
    }
  }
  return found
}

/**
 * Reads vehicles in ever smaller parts, so that one that cannot be read does not stop the others.
 * @throws if nothing can be read, not even another vehicle, or if many vehicles cannot
 */
async function readInParts(db: Pool, keys: readonly PassageKey[], window: Window | undefined): Promise<Reading> {
  const failed = new Set<string>()
  let hasRead = false
  const readPart = async (part: readonly PassageKey[]): Promise<WindowVehicle[]> => {
    try {
      const found = await read(db, part)
      hasRead = true
      return found
    } catch (error) {
      if (isDatabaseUnavailable(error) || failed.size >= MAX_UNREADABLE) throw error
      if (part.length > 1) {
        const middle = Math.ceil(part.length / 2)
        return [...(await readPart(part.slice(0, middle))), ...(await readPart(part.slice(middle)))]
      }
      for (const key of part) failed.add(vehicleKey(key))
      if (!hasRead) {
        const known = window?.entries().find(({ vehicle }) => !keys.some(({ id }) => id === vehicle.id))?.vehicle
        const other = known
          ? { id: known.id, createdAt: known.createdAt, locationId: known.location.id }
          : keys.find((key) => !failed.has(vehicleKey(key)))
        if (!other) throw error
        await read(db, [other])
        hasRead = true
      }
      return []
    }
  }
  return { found: await readPart(keys), failed }
}

/** Replaces the change of a station by that of its vehicles: in the window, and added by the same events. */
function expandStationEvents(
  window: Window,
  events: readonly PendingEvent[],
): Exclude<LiveEvent, { kind: 'station' }>[] {
  const added = events.flatMap((event) => (event.kind === 'vehicles' ? event.keys : []))
  const keys = () => [...window.entries().map(({ vehicle }) => vehicle), ...added]
  return events.map((event) =>
    event.kind === 'station'
      ? { kind: 'marks', keys: keys().filter(({ id }) => locationOf(id) === event.locationId) }
      : event,
  )
}

/**
 * Applies events to the window in order; changes nothing if the reading fails. Returns events of the vehicles that cannot be
 * read yet: with Citus their notification arrives when the coordinator has committed, and its workers commit after it.
 */
async function apply(
  readKeys: (keys: readonly PassageKey[]) => Promise<Reading>,
  window: Window,
  notified: readonly PendingEvent[],
  now: () => Date,
  isCurrent: () => boolean,
): Promise<PendingEvent[]> {
  const events = expandStationEvents(window, notified)
  const isNew = new Set<string>()
  const keys = events.flatMap((event) => {
    if (event.kind === 'time') return []
    if (event.kind === 'vehicles') for (const key of event.keys) isNew.add(vehicleKey(key))
    // Images and marks of vehicles that are not in the window are ignored.
    return event.keys.filter((key) => isNew.has(vehicleKey(key)) || window.has(key))
  })
  const distinct = new Map(keys.map((key) => [vehicleKey(key), { ...key, locationId: locationOf(key.id) }]))
  const { found: vehicles, failed } = await readKeys([...distinct.values()])
  if (!isCurrent()) return []
  const found = new Map(vehicles.map((received) => [vehicleKey(received.vehicle), received]))
  const at = now()
  for (const event of events) {
    if (event.kind === 'time') {
      for (const { locationId, at } of event.times) window.recordTime(locationId, at)
      continue
    }
    for (const key of event.keys) {
      const received = found.get(vehicleKey(key))
      if (event.kind !== 'vehicles') {
        if (received) window.change(received, at)
      } else if (!received) window.addMissing(key)
      else if (isLive(received.vehicle, received.receivedAt, at)) window.append(received)
      else window.giveUp(key)
    }
  }
  const time = performance.now()
  return events.flatMap((event, index) => {
    if (event.kind === 'time') return []
    const { kind } = event
    const until = notified[index]?.until ?? time + UNREADABLE_MS
    const hasFailed = (key: LiveKey) => failed.has(vehicleKey(key))
    const keys = event.keys.filter((key) => (kind === 'vehicles' ? !found.has(vehicleKey(key)) : hasFailed(key)))
    // No other process has a vehicle whose query fails.
    for (const key of keys) if (time >= until || hasFailed(key)) window.giveUp(key)
    return keys.length > 0 && time < until ? { kind, keys, until, isFailing: keys.some(hasFailed) } : []
  })
}
