import { BLACK, WHITE } from '@rogatka/contract/options.ts'
import { type SortColumn, type Tag, violations, type WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { SortDirection } from '@rogatka/contract/wire.ts'
import { countdown } from '@rogatka/domain/current/countdown.ts'
import { comparator } from '@rogatka/domain/current/order.ts'
import { retag } from '../ui/vehicle/retag.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'

/*
 * The live list as an immutable value: shown and pending vehicles, and the keys of all seen so far. Times are ms since the
 * epoch by the server's clock.
 */
export type LiveEntry = {
  vehicle: WireVehicle
  /** `gone` for one tick, with countdown 00:00. */
  phase: 'approaching' | 'passed' | 'gone'
  /** Arrival time; null: in the initial list. */
  arrivedAt: number | null
  /** Within the first seconds after the arrival. */
  justArrived: boolean
}

/** Empty slot of a removed vehicle; the next arrival closes it. */
type Gap = { gap: string }
export type Slot = LiveEntry | Gap

export type LiveList = {
  /** Wanted vehicles until their checkpoint, soonest first: above the others, unsorted. */
  pinned: readonly Slot[]
  unpinned: readonly Slot[]
  /** Arrivals held back while the user hovers over the list or navigates it by keyboard. */
  pending: readonly LiveEntry[]
  /** Keys in order of arrival; a vehicle that is delivered again is not new. */
  seen: ReadonlySet<string>
}

export type SortOrder = { orderByColumnName: SortColumn; orderDirection: SortDirection }

const JUST_ARRIVED_MS = 5_000
/** Vehicles are live for minutes; this number covers hours of the busiest road. */
const MAX_SEEN = 20_000

export const emptyList: LiveList = { pinned: [], unpinned: [], pending: [], seen: new Set() }

export const isGap = (slot: Slot): slot is Gap => 'gap' in slot

/** Whether it is on a black list. */
export const isWanted = ({ vehicle }: Pick<LiveEntry, 'vehicle'>): boolean => vehicle.wanted?.typeOfList === BLACK

/** Whether it is pinned. Without a checkpoint it stays pinned until it leaves. */
export const isPinned = (entry: LiveEntry): boolean =>
  isWanted(entry) && (entry.phase === 'approaching' || (entry.phase === 'passed' && !entry.vehicle.checkpointTime))

/** Whether it is marked with a violation; white-listed vehicles never are. */
export const isViolating = ({ vehicle }: Pick<LiveEntry, 'vehicle'>): boolean =>
  vehicle.wanted?.typeOfList !== WHITE && violations.some((violation) => vehicle[violation])

const inSlots = (slots: readonly Slot[]) => slots.flatMap((slot) => (isGap(slot) ? [] : [slot]))

/** Displayed entries, pinned ones first. */
export const entriesOf = ({ pinned, unpinned }: LiveList): LiveEntry[] => [...inSlots(pinned), ...inSlots(unpinned)]

const ms = (time: string | null) => (time === null ? null : Date.parse(time))

const phaseOf = (vehicle: WireVehicle, now: number, additionalSeconds: number) =>
  countdown(ms(vehicle.checkpointTime), now, additionalSeconds, Date.parse(vehicle.createdAt)).phase

const bySoonest = ({ vehicle: a }: LiveEntry, { vehicle: b }: LiveEntry) =>
  Date.parse(a.checkpointTime ?? a.createdAt) - Date.parse(b.checkpointTime ?? b.createdAt) || a.id - b.id

/** All pinned entries, including pending ones, soonest first. */
export const pinnedOf = (list: LiveList): LiveEntry[] =>
  [...entriesOf(list), ...list.pending].filter(isPinned).sort(bySoonest)

/** Inserts arrivals in order and removes the gaps. */
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
    unpinned: entries.filter((entry) => !isPinned(entry)).sort((a, b) => compare(a.vehicle, b.vehicle)),
    pending: [],
  }
}

/** Applies another sort order; returns the same object if nothing moves. */
export function reorder(list: LiveList, order: SortOrder): LiveList {
  const entries = entriesOf(list)
  const sorted = arrange(list, [], order)
  return entriesOf(sorted).every((entry, at) => entry === entries[at]) ? list : { ...sorted, pending: list.pending }
}

/**
 * Pins wanted vehicles and moves those past their checkpoint into the list; returns the same object if nothing moves.
 * Not called while arrivals are paused.
 */
export function settle(list: LiveList, order: SortOrder): LiveList {
  const isSettled =
    list.pinned.every((slot) => !isGap(slot) && isPinned(slot)) &&
    list.unpinned.every((slot) => isGap(slot) || !isPinned(slot))
  return isSettled ? list : { ...arrange(list, [], order), pending: list.pending }
}

/** A vehicle that is delivered again keeps its position. */
const replaceIn = <S extends Slot>(slots: readonly S[], replacements: ReadonlyMap<string, LiveEntry>) =>
  slots.some((slot) => !isGap(slot) && replacements.has(vehicleKey(slot.vehicle)))
    ? slots.map((slot) => {
        const next = isGap(slot) ? undefined : replacements.get(vehicleKey(slot.vehicle))
        return next && !isGap(slot) ? { ...slot, vehicle: next.vehicle, phase: next.phase } : slot
      })
    : slots

type Delivery = { vehicles: readonly WireVehicle[]; now: number; additionalSeconds: number; order: SortOrder }

/** Result of a delivery: numbers of new vehicles and of those with violations, and the newly wanted vehicles. */
type Arrival = { list: LiveList; arrived: number; violating: number; wanted: readonly WireVehicle[] }

/**
 * Merges a delivery. Known vehicles are replaced in place, and keep their tags if it has none; new ones are inserted, or
 * pending if paused. `opening`: the initial delivery, in which nothing is new.
 */
export function mergeDelivery(
  list: LiveList,
  { vehicles, now, additionalSeconds, order }: Delivery,
  { paused, opening }: { paused: boolean; opening: boolean },
): Arrival {
  const existing = new Map([...entriesOf(list), ...list.pending].map((entry) => [vehicleKey(entry.vehicle), entry]))
  const delivered = new Map<string, LiveEntry>()
  for (const sent of vehicles) {
    const phase = phaseOf(sent, now, additionalSeconds)
    if (phase === 'gone') continue
    const key = vehicleKey(sent)
    const tags = sent.tags ?? existing.get(key)?.vehicle.tags
    const vehicle = tags ? { ...sent, tags } : sent
    delivered.set(key, { vehicle, phase, arrivedAt: opening ? null : now, justArrived: !opening })
  }
  if (delivered.size === 0) return { list, arrived: 0, violating: 0, wanted: [] }

  const arrivals = [...delivered.values()].filter(({ vehicle }) => !existing.has(vehicleKey(vehicle)))
  const unseen = arrivals.filter(({ vehicle }) => !list.seen.has(vehicleKey(vehicle)))
  // A vehicle may become wanted after its arrival.
  const newlyWanted = [...delivered.values()].filter((entry) => {
    const before = existing.get(vehicleKey(entry.vehicle))
    return isWanted(entry) && (before ? !isWanted(before) : !list.seen.has(vehicleKey(entry.vehicle)))
  })
  const next: LiveList = {
    pinned: replaceIn(list.pinned, delivered),
    unpinned: replaceIn(list.unpinned, delivered),
    pending: replaceIn(list.pending, delivered),
    seen: unseen.length === 0 ? list.seen : addSeen(list.seen, unseen),
  }
  const counts = opening
    ? { arrived: 0, violating: 0, wanted: [] }
    : {
        arrived: unseen.length,
        violating: unseen.filter(isViolating).length,
        wanted: newlyWanted.map(({ vehicle }) => vehicle),
      }
  if (paused) return { list: { ...next, pending: [...next.pending, ...arrivals] }, ...counts }
  const pending = [...next.pending, ...arrivals]
  return { list: pending.length > 0 ? arrange(next, pending, order) : settle(next, order), ...counts }
}

const addSeen = (seen: ReadonlySet<string>, unseen: readonly LiveEntry[]) =>
  new Set([...seen, ...unseen.map(({ vehicle }) => vehicleKey(vehicle))].slice(-MAX_SEEN))

const hasJustArrived = ({ justArrived, arrivedAt }: LiveEntry, now: number) =>
  justArrived && arrivedAt !== null && now - arrivedAt < JUST_ARRIVED_MS

/** Inserts pending arrivals; those of the last seconds are marked as new. */
export function showPending(list: LiveList, now: number, order: SortOrder): LiveList {
  if (list.pending.length === 0) return settle(list, order)
  const arrivals = list.pending.map((entry) => ({ ...entry, justArrived: hasJustArrived(entry, now) }))
  return arrange(list, arrivals, order)
}

/**
 * Advances the list to a later time: vehicles pass their checkpoint, stop being new, and leave. A leaving one stays for
 * the tick with countdown 00:00. Returns the same list object if nothing changed, and the same objects of unchanged
 * entries.
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
  const advanceSlot = (slot: Slot): Slot => (isGap(slot) ? slot : (at(slot) ?? { gap: vehicleKey(slot.vehicle) }))
  const pinned = list.pinned.map(advanceSlot)
  const unpinned = list.unpinned.map(advanceSlot)
  // Pending vehicles need no last tick, as their countdown is hidden.
  const pending = list.pending.map(at).filter((entry) => entry !== null && entry.phase !== 'gone') as LiveEntry[]
  if (!changed) return list
  const isEmpty = [...pinned, ...unpinned].every(isGap)
  return { ...list, pinned: isEmpty ? [] : pinned, unpinned: isEmpty ? [] : unpinned, pending }
}

/** Replaces the tags of one vehicle. */
export function withTags(list: LiveList, tagged: WireVehicle, tags: Tag[]): LiveList {
  const at = <S extends Slot>(slot: S): S => {
    if (isGap(slot)) return slot
    const vehicle = retag(slot.vehicle, tagged, tags)
    return vehicle === slot.vehicle ? slot : { ...slot, vehicle }
  }
  return { ...list, pinned: list.pinned.map(at), unpinned: list.unpinned.map(at), pending: list.pending.map(at) }
}
