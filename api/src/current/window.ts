import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { liveUntil } from '@rogatka/domain/current/live.ts'
import type { ListMark } from '@rogatka/domain/wanted/visibility.ts'
import { QUERY_TIMEOUT_MS } from '../core/database.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import type { VehicleReceipt } from '../vehicle/public-api.ts'

/** How long a changed vehicle is sent to all clients that poll every second. */
export const RESEND_MS = 3_000
/** How long changes and removals are kept for streams that resume, and for clients that polled later. */
export const KEEP_CHANGES_MS = 60_000
/** Clocks and expiry of processes may differ by this; a stream that resumes in another one gets some changes again. */
const CLOCK_DIFFERENCE_MS = 10_000
/**
 * Loaded rows are ordered by time of receipt, but become visible later, at the worst when two statements of their
 * transaction have waited until their timeout: two rows closer than this may have the wrong order.
 */
const ORDER_UNCERTAINTY_MS = 2 * QUERY_TIMEOUT_MS
/** A clock that goes back by more was set; less is smoothed by `CLOCK_DIFFERENCE_MS`. */
const CLOCK_STEP_MS = 2_000
/** Notifications of vehicles that were loaded have arrived after this time; until then the order is incomplete. */
const LOAD_SETTLED_MS = 10_000

/** A vehicle of the window; `marks`: list marks of all users. */
export type WindowVehicle = VehicleReceipt & { marks?: readonly ListMark[] }

export type WindowEntry = WindowVehicle & {
  /** Loaded, not notified: its order is uncertain. */
  loaded: boolean
  /**
   * For a vehicle that could not be read when it was notified: the position before it, as vehicles since then may follow it
   * in other processes. Null for all others.
   */
  after: number | null
  /** Increases with each entry. */
  position: number
  /** The position at which it first became visible here: lower if it was loaded before it was notified. */
  firstPosition: number
  changedAt: Date | null
  /** Number of its last change, increasing with each change; 0: none. */
  change: number
  /** List marks that it has had before, one of each owner and list: who saw one of them learns that it was removed. */
  marksBefore: readonly ListMark[]
  /** End of live display, in ms; computed once, as each poll checks many. */
  liveUntil: number
}

/**
 * A state of the window, for `deltaSince`: the numbers of the last vehicle, change and removal. `foreign`: reconstructed
 * from an event, perhaps of another process, so that vehicles loaded here before may be new to it.
 */
export type WindowState = { position: number; change: number; removal: number; foreign?: boolean }

/** A vehicle that is no longer live. */
export type RemovedVehicle = { vehicle: Vehicle; removal: number; at: Date }

/**
 * What happened after a state of the window: new vehicles, oldest first, older ones that were read again for another
 * position, changed older ones, and removed ones.
 */
export type WindowDelta = {
  added: readonly WindowEntry[]
  moved: readonly WindowEntry[]
  changed: readonly WindowEntry[]
  removed: readonly RemovedVehicle[]
}

/** The marks of an entry and those before, one of each owner and list: who may see it depends on nothing else. */
const formerMarks = ({ marks = [], marksBefore }: WindowEntry): ListMark[] => [
  ...new Map([...marksBefore, ...marks].map((mark) => [`${mark.userId} ${mark.typeOfList}`, mark])).values(),
]

/** Whether a client that knows `last` knows this entry and all older ones. */
const isKnownWith = (last: WindowEntry, entry: WindowEntry): boolean =>
  last.loaded
    ? entry.loaded && entry.receivedAt.getTime() <= last.receivedAt.getTime() - ORDER_UNCERTAINTY_MS
    : last.after === null
      ? entry === last
      : entry.position <= last.after

/**
 * The live vehicles of all stations in memory, in the order in which they became visible.
 *
 * A changed vehicle keeps its position: moved to the end, it would hide those in between from a client whose last
 * vehicle it is. Instead it is sent to all clients for a few seconds, which replace it.
 *
 * `before`: the last position of the window that this one replaces, so that positions keep increasing and cached
 * positions stay valid.
 */
export function createWindow(before = 0) {
  let entries: WindowEntry[] = []
  const byKey = new Map<string, WindowEntry>()
  /** The newest with each id: a station may restart its sequence. */
  const byId = new Map<number, WindowEntry>()
  /** In order of change; removed from the front when sent to polls long enough. Short, as each poll reads it. */
  const resent = new Map<string, WindowEntry>()
  /** In order of change, for streams, to which a change is sent once: kept for those that resume. */
  const changed = new Map<string, WindowEntry>()
  const lastTimes = new Map<number, Date>()
  /** The positions before vehicles that were notified, but cannot be read yet, by key. */
  const missing = new Map<string, number>()
  let removed: RemovedVehicle[] = []
  let lastPosition = before
  let lastChange = 0
  let lastRemoval = 0
  let loadedAt: Date | null = null
  /** The latest time of a change or expiry, in ms. */
  let latest = 0
  let isClockSetBack = false

  const observeClock = (now: Date) => {
    const time = now.getTime()
    if (time < latest - CLOCK_STEP_MS) isClockSetBack = true
    latest = Math.max(latest, time)
  }

  const add = (received: WindowVehicle, loaded: boolean, existing?: WindowEntry) => {
    lastPosition += 1
    const key = vehicleKey(received.vehicle)
    const entry = {
      ...received,
      loaded,
      after: missing.get(key) ?? null,
      position: lastPosition,
      firstPosition: existing?.firstPosition ?? lastPosition,
      changedAt: null,
      change: 0,
      marksBefore: existing ? formerMarks(existing) : [],
      liveUntil: liveUntil(received.vehicle, received.receivedAt),
    }
    missing.delete(key)
    entries.push(entry)
    byKey.set(key, entry)
    byId.set(entry.vehicle.id, entry)
  }

  /**
   * The newest vehicle before which none is missing: a client that knows it has all of those before, in whatever process.
   */
  const findNewest = (isWanted: (entry: WindowEntry) => boolean) => {
    const before = Math.min(...missing.values())
    return entries.findLast((entry) => entry.position <= before && isWanted(entry))
  }

  const isOf = ({ vehicle }: WindowEntry, locations: readonly number[] | undefined) =>
    !locations?.length || locations.includes(vehicle.location.id)

  const isLiveAt = ({ liveUntil }: WindowEntry, now: Date) => now.getTime() < liveUntil

  /** In both directions, so that a clock set back does not prolong it. */
  const isResendOver = ({ changedAt }: WindowEntry, now: Date, changesMs = RESEND_MS) =>
    changedAt === null || Math.abs(now.getTime() - changedAt.getTime()) >= changesMs

  const isKept = (at: Date | null, now: Date) => at !== null && Math.abs(now.getTime() - at.getTime()) < KEEP_CHANGES_MS

  const pruneResent = (now: Date) => {
    for (const [key, entry] of resent) {
      if (!isResendOver(entry, now)) return
      resent.delete(key)
    }
  }

  const pruneChanges = (now: Date) => {
    pruneResent(now)
    for (const [key, entry] of changed) {
      if (isKept(entry.changedAt, now)) break
      changed.delete(key)
    }
    if (removed[0] && !isKept(removed[0].at, now)) removed = removed.filter(({ at }) => isKept(at, now))
  }

  return {
    /** Replaces the content by that of the database. */
    load(
      vehicles: readonly WindowVehicle[],
      times: readonly { locationId: number; lastVehicleTime: Date }[],
      now: Date,
    ) {
      loadedAt = now
      observeClock(now)
      entries = []
      resent.clear()
      changed.clear()
      removed = []
      byKey.clear()
      byId.clear()
      lastTimes.clear()
      for (const { locationId, lastVehicleTime } of times) lastTimes.set(locationId, lastVehicleTime)
      const inOrder = vehicles.toSorted((a, b) => +a.receivedAt - +b.receivedAt || a.vehicle.id - b.vehicle.id)
      for (const received of inOrder) add(received, true)
    },

    /** Adds a vehicle that became visible. One loaded moments before moves to its exact position. */
    append(received: WindowVehicle) {
      const key = vehicleKey(received.vehicle)
      const existing = byKey.get(key)
      if (existing) entries.splice(entries.lastIndexOf(existing), 1)
      resent.delete(key)
      changed.delete(key)
      add(received, false, existing)
    },

    /** Records that a vehicle was notified before it can be read; it is appended later, or given up. */
    addMissing(key: Pick<PassageKey, 'id' | 'createdAt'>) {
      const name = vehicleKey(key)
      if (!byKey.has(name) && !missing.has(name)) missing.set(name, lastPosition)
    },

    giveUp: (key: Pick<PassageKey, 'id' | 'createdAt'>) => void missing.delete(vehicleKey(key)),

    /** Updates a vehicle; ignored if it is not in the window. */
    change({ vehicle, marks = [] }: WindowVehicle, now: Date) {
      observeClock(now)
      const key = vehicleKey(vehicle)
      const entry = byKey.get(key)
      if (!entry) return
      for (const map of [resent, changed]) {
        map.delete(key)
        map.set(key, entry)
      }
      lastChange += 1
      Object.assign(entry, {
        vehicle,
        marks,
        changedAt: now,
        change: lastChange,
        marksBefore: formerMarks(entry),
        liveUntil: liveUntil(vehicle, entry.receivedAt),
      })
    },

    /** The list marks of a vehicle for all users. */
    marksOf: (key: Pick<PassageKey, 'id' | 'createdAt'>): readonly ListMark[] =>
      byKey.get(vehicleKey(key))?.marks ?? [],

    has: (key: Pick<PassageKey, 'id' | 'createdAt'>) => byKey.has(vehicleKey(key)),

    recordTime(locationId: number, at: Date) {
      const existing = lastTimes.get(locationId)
      if (!existing || existing < at) lastTimes.set(locationId, at)
    },

    /** Removes vehicles that are no longer live. */
    expire(now: Date) {
      observeClock(now)
      pruneChanges(now)
      const remaining = entries.filter((entry) => isLiveAt(entry, now))
      if (remaining.length === entries.length) return
      for (const entry of entries) {
        if (isLiveAt(entry, now)) continue
        byKey.delete(vehicleKey(entry.vehicle))
        resent.delete(vehicleKey(entry.vehicle))
        changed.delete(vehicleKey(entry.vehicle))
        lastRemoval += 1
        removed.push({ vehicle: entry.vehicle, removal: lastRemoval, at: now })
      }
      entries = remaining
      byId.clear()
      for (const entry of entries) byId.set(entry.vehicle.id, entry)
    },

    /**
     * The live vehicles that became visible after this one, newest first, and those changed in the last `changesMs`.
     * Without an id, if it is unknown or if changes are no longer kept for so long: all. Unchanged ones up to position
     * `afterPosition` are skipped.
     */
    *since(
      lastId: number | undefined,
      now: Date,
      { afterPosition = 0, changesMs = RESEND_MS } = {},
    ): Generator<Vehicle> {
      const isKnown = lastId !== undefined && changesMs <= KEEP_CHANGES_MS
      const last = isKnown ? byId.get(lastId) : undefined
      const minPosition = changesMs <= KEEP_CHANGES_MS ? afterPosition : 0
      // Without a last one all are found, and none a second time.
      const isAll = !last && minPosition === 0
      const yielded = new Set<WindowEntry>()
      for (let index = entries.length - 1; index >= 0; index--) {
        const entry = entries[index] as WindowEntry
        if (entry.position <= minPosition || (last && isKnownWith(last, entry))) break
        if (!isAll) yielded.add(entry)
        if (entry !== last && isLiveAt(entry, now)) yield entry.vehicle
      }
      pruneResent(now)
      if (isAll) return
      for (const entry of (changesMs > RESEND_MS ? changed : resent).values()) {
        if (isResendOver(entry, now, changesMs)) continue
        if ((entry === last || !yielded.has(entry)) && isLiveAt(entry, now)) yield entry.vehicle
      }
    },

    /** Whether the clock was set back: vehicles may have been removed too early, and times of changes are not in order. */
    isClockSetBack: () => isClockSetBack,

    /** All vehicles, newest first. */
    entries: (): readonly WindowEntry[] => entries.toReversed(),

    /** Vehicles that are no longer live, but not yet removed. */
    expired: (now: Date): readonly WindowEntry[] => entries.filter((entry) => !isLiveAt(entry, now)),

    state: (): WindowState => ({ position: lastPosition, change: lastChange, removal: lastRemoval }),

    /** Changes and removals are kept for a minute. */
    deltaSince({ position, change, removal, foreign = false }: WindowState): WindowDelta {
      const first = entries.findLastIndex((entry) => entry.position <= position) + 1
      const isNew = (entry: WindowEntry) => foreign || entry.firstPosition > position
      const since = entries.slice(first)
      return {
        added: since.filter(isNew),
        moved: since.filter((entry) => !isNew(entry)),
        changed: [...changed.values()].filter((entry) => entry.change > change && entry.position <= position),
        removed: removed.filter((it) => it.removal > removal),
      }
    },

    /**
     * The state after a vehicle became visible, at this time of another process, or earlier. Undefined if it is unknown or
     * too long ago, if orders are uncertain (of a loaded vehicle, or of all just after loading), or if the clock was set back.
     */
    stateAfter(key: string, at: Date, now: Date): WindowState | undefined {
      if (isClockSetBack || at.getTime() > now.getTime() + CLOCK_DIFFERENCE_MS) return undefined
      const entry = byKey.get(key)
      if (loadedAt && Math.abs(now.getTime() - loadedAt.getTime()) < LOAD_SETTLED_MS) return undefined
      if (!entry || entry.loaded || !isKept(at, new Date(now.getTime() + CLOCK_DIFFERENCE_MS))) return undefined
      const since = at.getTime() - CLOCK_DIFFERENCE_MS
      const lastBefore = removed.findLast((it) => it.at.getTime() < since)
      const change = Math.max(
        0,
        ...[...changed.values()].filter(({ changedAt }) => +(changedAt ?? 0) < since).map((it) => it.change),
      )
      return { position: entry.after ?? entry.position, change, removal: lastBefore?.removal ?? 0, foreign: true }
    },

    /**
     * Key of the newest vehicle in the order of all processes, of some stations if given: ids contain the station's own
     * sequence, which is not disclosed to users of other stations. Null if there is none.
     */
    newestKey: (locations?: readonly number[]): string | null => {
      const newest = findNewest((entry) => isOf(entry, locations))
      return newest ? vehicleKey(newest.vehicle) : null
    },

    /** The position of the newest vehicle. */
    end: () => lastPosition,

    /** Id of the newest live vehicle in the order of all processes, of some stations if given; null if there is none. */
    lastId: (now: Date, locations?: readonly number[]): number | null =>
      findNewest((entry) => isOf(entry, locations) && isLiveAt(entry, now))?.vehicle.id ?? null,

    find({ id, locationId, createdAt }: Omit<PassageKey, 'createdAt'> & { createdAt?: Date | undefined }, now: Date) {
      const entry = createdAt ? byKey.get(vehicleKey({ id, createdAt })) : byId.get(id)
      return entry && entry.vehicle.location.id === locationId && isLiveAt(entry, now) ? entry.vehicle : undefined
    },

    /** The last vehicle times of stations that have ever sent vehicles. */
    lastTimes: (): ReadonlyMap<number, Date> => lastTimes,

    size: () => entries.length,

    /** Number of changed vehicles still sent to all clients. */
    changedSize: () => resent.size,

    /** Number of changed and removed vehicles that are kept for streams. */
    keptSize: () => changed.size + removed.length,

    /** Number of entries in all collections. */
    memorySize: () =>
      entries.length +
      byKey.size +
      byId.size +
      resent.size +
      changed.size +
      removed.length +
      missing.size +
      lastTimes.size,
  }
}

export type Window = ReturnType<typeof createWindow>
