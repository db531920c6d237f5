import type { WireInspection } from '@rogatka/contract/inspections.ts'
import type { WireQueueTimes } from '@rogatka/contract/inspections-queue.ts'

/** Section of the queue in which an inspection is, in this order. */
type QueueSection = 'mine' | 'coming' | 'ofOthers' | 'passed'
const SECTIONS: readonly QueueSection[] = ['mine', 'coming', 'ofOthers', 'passed']

const isTaken = ({ state }: Pick<WireInspection, 'state'>) => state === 'takenOver' || state === 'weighed'

/** When the vehicle reaches the checkpoint, ms; null if unknown. */
const arrivalOf = ({ wim }: Pick<WireInspection, 'wim'>): number | null =>
  wim?.checkpointTime ? Date.parse(wim.checkpointTime) : null

export function sectionOf(inspection: WireInspection, userId: number, now: number): QueueSection {
  if (isTaken(inspection)) return inspection.officer?.id === userId ? 'mine' : 'ofOthers'
  const arrival = arrivalOf(inspection)
  return inspection.state === 'passedBy' || (arrival !== null && arrival < now) ? 'passed' : 'coming'
}

/** The queue: own ones, then by the time to the checkpoint, those of others, and those that have passed, latest first. */
export function orderQueue(inspections: readonly WireInspection[], userId: number, now: number): WireInspection[] {
  const sortKeys = (it: WireInspection): [number, number] => {
    const section = sectionOf(it, userId, now)
    const announced = Date.parse(it.announced.at)
    const time = isTaken(it) ? Date.parse(it.takenOverAt ?? it.announced.at) : (arrivalOf(it) ?? announced)
    return [SECTIONS.indexOf(section), section === 'passed' ? -time : time]
  }
  const keyed = inspections.map((it) => ({ it, keys: sortKeys(it) }))
  return keyed
    .sort(({ keys: [a, b], it }, { keys: [c, d], it: other }) => a - c || b - d || it.id - other.id)
    .map(({ it }) => it)
}

/** The order that was shown, while a card is in use: without those that are gone, new ones at the end. */
export function keepOrder(shown: readonly number[], ordered: readonly WireInspection[]): WireInspection[] {
  const positionOf = (id: number) => {
    const at = shown.indexOf(id)
    return at < 0 ? shown.length : at
  }
  return [...ordered].sort((a, b) => positionOf(a.id) - positionOf(b.id))
}

/** What the counts of a queue need. */
export const timesOf = (inspections: readonly WireInspection[]): WireQueueTimes => ({
  taken: inspections.filter(isTaken).length,
  arrivals: inspections.filter(({ state }) => state === 'announced').map(({ wim }) => wim?.checkpointTime ?? null),
})
