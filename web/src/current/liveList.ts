import type { SortColumn, SortDirection, Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { BLACK } from '@rogatka/contract/wanted.ts'
import { countdown } from '@rogatka/domain/current/countdown.ts'
import { comparator } from '@rogatka/domain/current/order.ts'
import { retag } from '../ui/vehicle/retag.ts'

/*
 * The live list as a value: what is shown, what waits behind the button, and which vehicles were ever seen.
 * Times are ms since the epoch by the server's clock.
 */

export type LiveEntry = {
  vehicle: WireVehicle
  phase: 'approaching' | 'passed'
  /** When it came into view; null: it was there when the list was opened. */
  shownAt: number | null
  /** Within the first seconds of its showing. */
  fresh: boolean
}

/** A place that a vehicle left; the next arrival closes it. */
type Gap = { gap: number }

export type LiveList = {
  shown: readonly (LiveEntry | Gap)[]
  /** Newcomers that wait while the operator's hand is in the list. */
  held: readonly LiveEntry[]
  /** Ids in the order of their arrival, so that a vehicle delivered again is not new again. */
  seen: ReadonlySet<number>
}

export type Order = { orderByColumnName: SortColumn; orderDirection: SortDirection }

const FRESH_MS = 5_000
/** A vehicle is live for minutes; so many ids are hours of the busiest road. */
const MOST_SEEN = 20_000

export const emptyList: LiveList = { shown: [], held: [], seen: new Set() }

export const isGap = (slot: LiveEntry | Gap): slot is Gap => 'gap' in slot

/** Whether somebody looks for it: a black list has found it. */
export const isWanted = ({ vehicle }: LiveEntry): boolean => vehicle.wanted?.typeOfList === BLACK

export const entriesOf = (list: LiveList): LiveEntry[] => list.shown.flatMap((slot) => (isGap(slot) ? [] : [slot]))

const ms = (time: string | null) => (time === null ? null : Date.parse(time))

const phaseOf = (vehicle: WireVehicle, now: number, additionalSeconds: number) =>
  countdown(ms(vehicle.checkpointTime), now, additionalSeconds, Date.parse(vehicle.createdAt)).phase

/** Puts waiting entries into view, in order; the places of those that left close. */
function arrange(list: LiveList, newcomers: readonly LiveEntry[], order: Order): LiveList {
  if (newcomers.length === 0) return list
  return reorder({ ...list, shown: [...entriesOf(list), ...newcomers], held: [] }, order)
}

/** The same vehicles in another order, where it is another. */
export function reorder(list: LiveList, { orderByColumnName, orderDirection }: Order): LiveList {
  const entries = entriesOf(list)
  const compare = comparator(orderByColumnName, orderDirection)
  const sorted = entries.toSorted((a, b) => compare(a.vehicle, b.vehicle))
  return sorted.every((entry, i) => entry === entries[i]) ? list : { ...list, shown: sorted }
}

/** What is delivered again is replaced where it stands, so that nothing moves. */
const replaceIn = <Slot extends LiveEntry | Gap>(slots: readonly Slot[], by: ReadonlyMap<number, LiveEntry>) =>
  slots.some((slot) => !isGap(slot) && by.has(slot.vehicle.id))
    ? slots.map((slot) => {
        const next = isGap(slot) ? undefined : by.get(slot.vehicle.id)
        return next && !isGap(slot) ? { ...slot, vehicle: next.vehicle, phase: next.phase } : slot
      })
    : slots

type Delivery = { vehicles: readonly WireVehicle[]; now: number; additionalSeconds: number; order: Order }

/**
 * Takes in what the server delivered. A vehicle already there is replaced in its place; a new one comes into view,
 * or waits when the list is held. `opening`: the first delivery, in which nothing counts as new.
 * Answers how many vehicles were never seen before, and whether somebody looks for one of them.
 */
export function merge(
  list: LiveList,
  { vehicles, now, additionalSeconds, order }: Delivery,
  { held, opening }: { held: boolean; opening: boolean },
): { list: LiveList; arrived: number; wanted: boolean } {
  const delivered = new Map<number, LiveEntry>()
  for (const vehicle of vehicles) {
    const phase = phaseOf(vehicle, now, additionalSeconds)
    if (phase === 'gone') continue
    delivered.set(vehicle.id, { vehicle, phase, shownAt: opening ? null : now, fresh: !opening })
  }
  if (delivered.size === 0) return { list, arrived: 0, wanted: false }

  const known = new Set([...entriesOf(list), ...list.held].map(({ vehicle }) => vehicle.id))
  const newcomers = [...delivered.values()].filter(({ vehicle }) => !known.has(vehicle.id))
  const unseen = newcomers.filter(({ vehicle }) => !list.seen.has(vehicle.id))
  const next: LiveList = {
    shown: replaceIn(list.shown, delivered),
    held: replaceIn(list.held, delivered),
    seen: unseen.length === 0 ? list.seen : remember(list.seen, unseen),
  }
  const told = { arrived: opening ? 0 : unseen.length, wanted: !opening && unseen.some(isWanted) }
  if (held) return { list: { ...next, held: [...next.held, ...newcomers] }, ...told }
  return { list: arrange(next, [...next.held, ...newcomers], order), ...told }
}

const remember = (seen: ReadonlySet<number>, unseen: readonly LiveEntry[]) =>
  new Set([...seen, ...unseen.map(({ vehicle }) => vehicle.id)].slice(-MOST_SEEN))

/** Shows those that waited; they are new from now on. */
export const release = (list: LiveList, now: number, order: Order): LiveList =>
  arrange(
    list,
    list.held.map((entry) => ({ ...entry, shownAt: now, fresh: true })),
    order,
  )

/**
 * The list at a later moment: vehicles pass their checkpoint, cease to be new, and leave. Answers the same object when
 * nothing changed, and the same entries where they did not.
 */
export function advance(list: LiveList, now: number, additionalSeconds: number): LiveList {
  let changed = false
  const at = (entry: LiveEntry, fresh: boolean): LiveEntry | null => {
    const phase = phaseOf(entry.vehicle, now, additionalSeconds)
    if (phase === entry.phase && fresh === entry.fresh) return entry
    changed = true
    return phase === 'gone' ? null : { ...entry, phase, fresh }
  }
  const isFresh = ({ fresh, shownAt }: LiveEntry) => fresh && shownAt !== null && now - shownAt < FRESH_MS
  const shown = list.shown.map((slot) => (isGap(slot) ? slot : (at(slot, isFresh(slot)) ?? { gap: slot.vehicle.id })))
  const held = list.held.map((entry) => at(entry, entry.fresh)).filter((entry) => entry !== null)
  if (!changed) return list
  return { ...list, shown: shown.every(isGap) ? [] : shown, held }
}

/** The same list with other tags on one vehicle. */
export function withTags(list: LiveList, tagged: WireVehicle, tags: Tag[]): LiveList {
  const at = <Slot extends LiveEntry | Gap>(slot: Slot): Slot => {
    if (isGap(slot)) return slot
    const vehicle = retag(slot.vehicle, tagged, tags)
    return vehicle === slot.vehicle ? slot : { ...slot, vehicle }
  }
  return { ...list, shown: list.shown.map(at), held: list.held.map(at) }
}
