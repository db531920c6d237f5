import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { liveUntil } from '@rogatka/domain/current/live.ts'
import type { ListMark } from '@rogatka/domain/wanted/visibility.ts'
import type { PassageKey } from '../core/passage.ts'
import type { Received } from '../vehicle/public-api.ts'

/** So long a vehicle that changed is told to everybody again. Screens ask every second, so all of them hear. */
const RESEND_MS = 3_000
/**
 * Rows that were loaded, not heard of, are in the order in which they were received. A row becomes visible a little
 * after that, so two of them may truly have come the other way round, if they are no farther apart than this.
 */
const ORDER_UNCERTAINTY_MS = 30_000

/** A vehicle as the window takes it in; `marks`: what the lists of all users say of it. */
export type WindowVehicle = Received & { marks?: readonly ListMark[] }

type WindowEntry = WindowVehicle & {
  /** Loaded, not heard of: its place is in doubt. */
  loaded: boolean
  /** Grows with each that is added. */
  place: number
  changedAt: Date | null
  /** ms; worked out once, for every question looks at many. */
  until: number
}

/** One text for a passage, to look it up by. */
export const nameOf = ({ id, createdAt }: Pick<PassageKey, 'id' | 'createdAt'>) => `${id}@${createdAt.getTime()}`

/** Whether, going back from the newest, nothing from this entry on can be new to who knows `last`. */
const endsAt = (last: WindowEntry, entry: WindowEntry): boolean =>
  last.loaded
    ? entry.loaded && entry.receivedAt.getTime() <= last.receivedAt.getTime() - ORDER_UNCERTAINTY_MS
    : entry === last

/**
 * The live vehicles of all stations in memory, in the order in which they became visible.
 *
 * A vehicle that changes (a picture of it comes) keeps its place: if it moved to the end, a client that knows it as
 * its last one would never be told of those in between. It is told to everybody for a few seconds instead; a client
 * that has it replaces it.
 *
 * `before`: the end of the window that this one replaces, so that places go on growing and what was answered up to
 * there stays true.
 */
export function createWindow(before = 0) {
  let order: WindowEntry[] = []
  const byName = new Map<string, WindowEntry>()
  /** The newest with each id: numbers of a station may start again. */
  const byId = new Map<number, WindowEntry>()
  /** By passage, in the order of the changes; those told to everybody already are let go of from the front. */
  const changed = new Map<string, WindowEntry>()
  const lastTimes = new Map<number, Date>()
  let places = before

  const add = (received: WindowVehicle, loaded: boolean) => {
    places += 1
    const until = liveUntil(received.vehicle, received.receivedAt)
    const entry = { ...received, loaded, place: places, changedAt: null, until }
    order.push(entry)
    byName.set(nameOf(entry.vehicle), entry)
    byId.set(entry.vehicle.id, entry)
  }

  const live = ({ until }: WindowEntry, now: Date) => now.getTime() < until

  /** Either side of now: a clock that was set back must not keep them. */
  const isRetold = ({ changedAt }: WindowEntry, now: Date) =>
    changedAt === null || Math.abs(now.getTime() - changedAt.getTime()) >= RESEND_MS

  const pruneChanged = (now: Date) => {
    for (const [name, entry] of changed) {
      if (!isRetold(entry, now)) return
      changed.delete(name)
    }
  }

  return {
    /** Starts anew from what the database holds. */
    load(vehicles: readonly WindowVehicle[], times: readonly { locationId: number; lastVehicleTime: Date }[]) {
      order = []
      changed.clear()
      byName.clear()
      byId.clear()
      lastTimes.clear()
      for (const { locationId, lastVehicleTime } of times) lastTimes.set(locationId, lastVehicleTime)
      const inOrder = vehicles.toSorted((a, b) => +a.receivedAt - +b.receivedAt || a.vehicle.id - b.vehicle.id)
      for (const received of inOrder) add(received, true)
    },

    /** A vehicle became visible now. One that was loaded moments before takes its true place. */
    append(received: WindowVehicle) {
      const name = nameOf(received.vehicle)
      const known = byName.get(name)
      if (known) order.splice(order.lastIndexOf(known), 1)
      changed.delete(name)
      add(received, false)
    },

    /** A vehicle has changed. One that is not live is nobody's concern. */
    change({ vehicle, marks = [] }: WindowVehicle, now: Date) {
      const name = nameOf(vehicle)
      const entry = byName.get(name)
      if (!entry) return
      changed.delete(name)
      changed.set(name, entry)
      Object.assign(entry, { vehicle, marks, changedAt: now, until: liveUntil(vehicle, entry.receivedAt) })
    },

    /** What the lists of all users say of a vehicle. */
    marksOf: (key: Pick<PassageKey, 'id' | 'createdAt'>): readonly ListMark[] => byName.get(nameOf(key))?.marks ?? [],

    has: (key: Pick<PassageKey, 'id' | 'createdAt'>) => byName.has(nameOf(key)),

    noteTime(locationId: number, at: Date) {
      const known = lastTimes.get(locationId)
      if (!known || known < at) lastTimes.set(locationId, at)
    },

    /** Lets go of the vehicles that have left. */
    expire(now: Date) {
      pruneChanged(now)
      const left = order.filter((entry) => live(entry, now))
      if (left.length === order.length) return
      for (const entry of order) if (!live(entry, now)) byName.delete(nameOf(entry.vehicle))
      order = left
      byId.clear()
      for (const entry of order) byId.set(entry.vehicle.id, entry)
    },

    /**
     * The live vehicles that became visible after this one, newest first, and those that changed just now.
     * Without an id, or after one that is not known any more: all. Those up to `beyond` are left out, changed ones apart.
     */
    *since(lastId: number | undefined, now: Date, beyond = 0): Generator<Vehicle> {
      const last = lastId === undefined ? undefined : byId.get(lastId)
      const told = new Set<WindowEntry>()
      for (let index = order.length - 1; index >= 0; index--) {
        const entry = order[index] as WindowEntry
        if (entry.place <= beyond || (last && endsAt(last, entry))) break
        told.add(entry)
        if (entry !== last && live(entry, now)) yield entry.vehicle
      }
      pruneChanged(now)
      for (const entry of changed.values())
        if ((entry === last || !told.has(entry)) && live(entry, now)) yield entry.vehicle
    },

    /** The place of the newest, for a look at those beyond it the next time. */
    end: () => places,

    /** The newest live vehicle; null when there is none. */
    lastId: (now: Date): number | null => order.findLast((entry) => live(entry, now))?.vehicle.id ?? null,

    find({ id, locationId, createdAt }: Omit<PassageKey, 'createdAt'> & { createdAt?: Date | undefined }, now: Date) {
      const entry = createdAt ? byName.get(nameOf({ id, createdAt })) : byId.get(id)
      return entry && entry.vehicle.location.id === locationId && live(entry, now) ? entry.vehicle : undefined
    },

    /** Stations of which anything was ever heard, with the time of their last vehicle. */
    lastTimes: (): ReadonlyMap<number, Date> => lastTimes,

    size: () => order.length,

    /** Changed vehicles that are still told to everybody. */
    changedSize: () => changed.size,
  }
}

export type Window = ReturnType<typeof createWindow>
