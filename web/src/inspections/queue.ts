import type { WireInspection } from '@rogatka/contract/inspections.ts'
import type { WireQueueTimes } from '@rogatka/contract/inspections-queue.ts'

/** Place of an inspection in the queue, in this order. */
type Place = 'mine' | 'coming' | 'ofOthers' | 'passed'
const PLACES: readonly Place[] = ['mine', 'coming', 'ofOthers', 'passed']

const isTaken = ({ state }: Pick<WireInspection, 'state'>) => state === 'takenOver' || state === 'weighed'

/** When the vehicle reaches the checkpoint, ms; null if unknown. */
const arrivalOf = ({ wim }: Pick<WireInspection, 'wim'>): number | null =>
  wim?.checkpointTime ? Date.parse(wim.checkpointTime) : null

export function placeOf(inspection: WireInspection, userId: number, now: number): Place {
  if (isTaken(inspection)) return inspection.officer?.id === userId ? 'mine' : 'ofOthers'
  const arrival = arrivalOf(inspection)
  return inspection.state === 'passedBy' || (arrival !== null && arrival < now) ? 'passed' : 'coming'
}

/** The queue: own ones, then by the time to the checkpoint, those of others, and those that have passed, latest first. */
export function orderQueue(inspections: readonly WireInspection[], userId: number, now: number): WireInspection[] {
  const sortKeys = (it: WireInspection): [number, number] => {
    const place = placeOf(it, userId, now)
    const announced = Date.parse(it.announced.at)
    const time = isTaken(it) ? Date.parse(it.takenOverAt ?? it.announced.at) : (arrivalOf(it) ?? announced)
    return [PLACES.indexOf(place), place === 'passed' ? -time : time]
  }
  const keyed = inspections.map((it) => ({ it, keys: sortKeys(it) }))
  return keyed
    .sort(({ keys: [a, b], it }, { keys: [c, d], it: other }) => a - c || b - d || it.id - other.id)
    .map(({ it }) => it)
}

/** The order that was shown, while a card is in use: without those that are gone, new ones at the end. */
export function keepOrder(shown: readonly number[], ordered: readonly WireInspection[]): WireInspection[] {
  const place = (id: number) => {
    const at = shown.indexOf(id)
    return at < 0 ? shown.length : at
  }
  return [...ordered].sort((a, b) => place(a.id) - place(b.id))
}

/** What the counts of a queue need. */
export const timesOf = (inspections: readonly WireInspection[]): WireQueueTimes => ({
  taken: inspections.filter(isTaken).length,
  arrivals: inspections.filter(({ state }) => state === 'announced').map(({ wim }) => wim?.checkpointTime ?? null),
})
