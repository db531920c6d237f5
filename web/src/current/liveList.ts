import { type SortColumn, type Tag, violations, type WireVehicle } from '@rogatka/contract/vehicle.ts'
import { BLACK, WHITE } from '@rogatka/contract/wanted.ts'
import type { SortDirection } from '@rogatka/contract/wire.ts'
import { countdown } from '@rogatka/domain/current/countdown.ts'
import { comparator } from '@rogatka/domain/current/order.ts'
import { retag } from '../ui/vehicle/retag.ts'

/*
 * The live list as a value: what is shown, what waits behind the button, and which vehicles were ever seen.
 * Times are ms since the epoch by the server's clock.
 */
export type LiveEntry = {
  vehicle: WireVehicle
  /** `gone` for one tick, in which its countdown says 00:00. */
  phase: 'approaching' | 'passed' | 'gone'
  /** When it arrived; null: it was there when the list was opened. */
  arrivedAt: number | null
  /** Within the first seconds after its arrival. */
  justArrived: boolean
}

/** A place that a vehicle left; the next arrival closes it. */
type Gap = { gap: number }
export type Slot = LiveEntry | Gap

export type LiveList = {
  /** Wanted vehicles until their checkpoint, the soonest first: above the others and outside their order. */
  pinned: readonly Slot[]
  shown: readonly Slot[]
  /** Newcomers that wait while the operator's hand is in the list. */
  pending: readonly LiveEntry[]
  /** Ids in the order of their arrival, so that a vehicle delivered again is not new again. */
  seen: ReadonlySet<number>
}

export type SortOrder = { orderByColumnName: SortColumn; orderDirection: SortDirection }

const JUST_ARRIVED_MS = 5_000
/** A vehicle is live for minutes; so many ids are hours of the busiest road. */
const MAX_SEEN = 20_000

export const emptyList: LiveList = { pinned: [], shown: [], pending: [], seen: new Set() }

export const isGap = (slot: Slot): slot is Gap => 'gap' in slot

/** Whether somebody looks for it: a black list has found it. */
export const isWanted = ({ vehicle }: LiveEntry): boolean => vehicle.wanted?.typeOfList === BLACK

/** Whether it has its place above the list. Without a checkpoint it keeps it for as long as it is there. */
export const isPinned = (entry: LiveEntry): boolean =>
  isWanted(entry) && (entry.phase === 'approaching' || (entry.phase === 'passed' && !entry.vehicle.checkpointTime))

/** Whether it is marked as violating something: what is white-listed never is. */
export const isViolating = ({ vehicle }: LiveEntry): boolean =>
  vehicle.wanted?.typeOfList !== WHITE && violations.some((violation) => vehicle[violation])

const inSlots = (slots: readonly Slot[]) => slots.flatMap((slot) => (isGap(slot) ? [] : [slot]))

/** What is in view, pinned vehicles first. */
export const entriesOf = ({ pinned, shown }: LiveList): LiveEntry[] => [...inSlots(pinned), ...inSlots(shown)]

const ms = (time: string | null) => (time === null ? null : Date.parse(time))

const phaseOf = (vehicle: WireVehicle, now: number, additionalSeconds: number) =>
  countdown(ms(vehicle.checkpointTime), now, additionalSeconds, Date.parse(vehicle.createdAt)).phase

const bySoonest = ({ vehicle: a }: LiveEntry, { vehicle: b }: LiveEntry) =>
  Date.parse(a.checkpointTime ?? a.createdAt) - Date.parse(b.checkpointTime ?? b.createdAt) || a.id - b.id

/** All pinned vehicles, pending ones among them, the soonest first. */
export const pinnedOf = (list: LiveList): LiveEntry[] =>
  [...entriesOf(list), ...list.pending].filter(isPinned).sort(bySoonest)

/** Puts pending arrivals into view, in order; the places of those that left close. */
function arrange(
  list: LiveList,
  arrivals: readonly LiveEntry[],
  { orderByColumnName, orderDirection }: SortOrder,
): LiveList {
  const entries = [...entriesOf(list), ...arrivals]
  const compare = comparator(orderByColumnName, orderDirection)
  return {
    ...list,
    pinned: entries.filter(isPinned).sort(bySoonest),
    shown: entries.filter((entry) => !isPinned(entry)).sort((a, b) => compare(a.vehicle, b.vehicle)),
    pending: [],
  }
}

/** The same vehicles in another order, where it is another. */
export function reorder(list: LiveList, order: SortOrder): LiveList {
  const entries = entriesOf(list)
  const sorted = arrange(list, [], order)
  return entriesOf(sorted).every((entry, at) => entry === entries[at]) ? list : { ...sorted, pending: list.pending }
}

/**
 * Pins wanted vehicles and returns those that passed their checkpoint to the list; the same object where none is to be
 * moved. Not while the operator's hand is in the list.
 */
export function settle(list: LiveList, order: SortOrder): LiveList {
  const isSettled =
    list.pinned.every((slot) => !isGap(slot) && isPinned(slot)) &&
    list.shown.every((slot) => isGap(slot) || !isPinned(slot))
  return isSettled ? list : { ...arrange(list, [], order), pending: list.pending }
}

/** What is delivered again is replaced where it stands, so that nothing moves. */
const replaceIn = <S extends Slot>(slots: readonly S[], by: ReadonlyMap<number, LiveEntry>) =>
  slots.some((slot) => !isGap(slot) && by.has(slot.vehicle.id))
    ? slots.map((slot) => {
        const next = isGap(slot) ? undefined : by.get(slot.vehicle.id)
        return next && !isGap(slot) ? { ...slot, vehicle: next.vehicle, phase: next.phase } : slot
      })
    : slots

type Delivery = { vehicles: readonly WireVehicle[]; now: number; additionalSeconds: number; order: SortOrder }

/** What a delivery brought: vehicles never seen before, those of them that violate something, and newly wanted ones. */
type Arrival = { list: LiveList; arrived: number; violating: number; wanted: readonly WireVehicle[] }

/**
 * Takes in what the server delivered. A vehicle already there is replaced in its place; a new one comes into view,
 * or waits when the list is paused. `opening`: the first delivery, in which nothing counts as new.
 */
export function mergeDelivery(
  list: LiveList,
  { vehicles, now, additionalSeconds, order }: Delivery,
  { paused, opening }: { paused: boolean; opening: boolean },
): Arrival {
  const delivered = new Map<number, LiveEntry>()
  for (const vehicle of vehicles) {
    const phase = phaseOf(vehicle, now, additionalSeconds)
    if (phase === 'gone') continue
    delivered.set(vehicle.id, { vehicle, phase, arrivedAt: opening ? null : now, justArrived: !opening })
  }
  if (delivered.size === 0) return { list, arrived: 0, violating: 0, wanted: [] }

  const known = new Map([...entriesOf(list), ...list.pending].map((entry) => [entry.vehicle.id, entry]))
  const arrivals = [...delivered.values()].filter(({ vehicle }) => !known.has(vehicle.id))
  const unseen = arrivals.filter(({ vehicle }) => !list.seen.has(vehicle.id))
  // A list may come to look for a vehicle that is on its way already.
  const nowWanted = [...delivered.values()].filter((entry) => {
    const before = known.get(entry.vehicle.id)
    return isWanted(entry) && (before ? !isWanted(before) : !list.seen.has(entry.vehicle.id))
  })
  const next: LiveList = {
    pinned: replaceIn(list.pinned, delivered),
    shown: replaceIn(list.shown, delivered),
    pending: replaceIn(list.pending, delivered),
    seen: unseen.length === 0 ? list.seen : remember(list.seen, unseen),
  }
  const news = opening
    ? { arrived: 0, violating: 0, wanted: [] }
    : {
        arrived: unseen.length,
        violating: unseen.filter(isViolating).length,
        wanted: nowWanted.map(({ vehicle }) => vehicle),
      }
  if (paused) return { list: { ...next, pending: [...next.pending, ...arrivals] }, ...news }
  const pending = [...next.pending, ...arrivals]
  return { list: pending.length > 0 ? arrange(next, pending, order) : settle(next, order), ...news }
}

const remember = (seen: ReadonlySet<number>, unseen: readonly LiveEntry[]) =>
  new Set([...seen, ...unseen.map(({ vehicle }) => vehicle.id)].slice(-MAX_SEEN))

const hasJustArrived = ({ justArrived, arrivedAt }: LiveEntry, now: number) =>
  justArrived && arrivedAt !== null && now - arrivedAt < JUST_ARRIVED_MS

/** Shows those that waited; new are those that arrived within the last seconds. */
export function showPending(list: LiveList, now: number, order: SortOrder): LiveList {
  if (list.pending.length === 0) return settle(list, order)
  const arrivals = list.pending.map((entry) => ({ ...entry, justArrived: hasJustArrived(entry, now) }))
  return arrange(list, arrivals, order)
}

/**
 * The list at a later moment: vehicles pass their checkpoint, cease to be new, and leave. One that leaves stays for the
 * tick at which its countdown is 00:00. Answers the same object when nothing changed, and the same entries where they
 * did not.
 */
export function advanceTo(list: LiveList, now: number, additionalSeconds: number): LiveList {
  let changed = false
  const at = (entry: LiveEntry): LiveEntry | null => {
    const phase = phaseOf(entry.vehicle, now, additionalSeconds)
    const justArrived = hasJustArrived(entry, now)
    if (phase === entry.phase && justArrived === entry.justArrived && phase !== 'gone') return entry
    changed = true
    return phase === 'gone' && entry.phase === 'gone' ? null : { ...entry, phase, justArrived }
  }
  const inPlace = (slot: Slot): Slot => (isGap(slot) ? slot : (at(slot) ?? { gap: slot.vehicle.id }))
  const pinned = list.pinned.map(inPlace)
  const shown = list.shown.map(inPlace)
  // Nobody sees the countdown of one that waits.
  const pending = list.pending.map(at).filter((entry) => entry !== null && entry.phase !== 'gone') as LiveEntry[]
  if (!changed) return list
  const isEmpty = [...pinned, ...shown].every(isGap)
  return { ...list, pinned: isEmpty ? [] : pinned, shown: isEmpty ? [] : shown, pending }
}

/** The same list with other tags on one vehicle. */
export function withTags(list: LiveList, tagged: WireVehicle, tags: Tag[]): LiveList {
  const at = <S extends Slot>(slot: S): S => {
    if (isGap(slot)) return slot
    const vehicle = retag(slot.vehicle, tagged, tags)
    return vehicle === slot.vehicle ? slot : { ...slot, vehicle }
  }
  return { ...list, pinned: list.pinned.map(at), shown: list.shown.map(at), pending: list.pending.map(at) }
}
