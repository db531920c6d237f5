import type { WireHitDetail } from '@rogatka/contract/wanted.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { setApproachingWanted } from '../core/arrivals.ts'
import { serverNow } from '../core/clock.ts'
import { createStore, useStore } from '../core/store.ts'
import { setTitleCount } from '../core/useTitle.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'

/*
 * The open hits of black lists that the user may see, on every page, and the hit whose sheet is open. They are kept outside
 * React; hitFeed.ts receives them.
 */

type HitRef = Pick<WireOpenHit, 'id' | 'createdAt'>

const openHits = createStore<readonly WireOpenHit[]>([])
const sheet = createStore<HitRef | null>(null)

/** All open hits: those before the checkpoint, soonest first, then the newest. */
export const useOpenHits = (): readonly WireOpenHit[] => useStore(openHits)

/** The hit whose sheet is open. */
export const useHitSheet = (): HitRef | null => useStore(sheet)

export const hitSheetNow = (): HitRef | null => sheet.get()

/** Opens the sheet of a hit, on any page. */
export const openHitSheet = ({ id, createdAt }: HitRef): void => sheet.set({ id, createdAt })

export const closeHitSheet = (): void => sheet.set(null)

/** Whether the vehicle is before its checkpoint; without one it counts as passed. */
export const isApproaching = ({ checkpointTime }: Pick<WireOpenHit, 'checkpointTime'>, now = serverNow()): boolean =>
  checkpointTime !== null && Date.parse(checkpointTime) > now

/** How long a vehicle is announced whose time to the checkpoint is unknown. */
const UNKNOWN_TIME_MS = 60_000

/** Whether nobody has taken the hit of a vehicle that can still be stopped: it is announced by toast and alarm. */
export const isUrgent = (hit: WireOpenHit, now = serverNow()): boolean =>
  hit.taken === null &&
  (hit.checkpointTime === null ? now < Date.parse(hit.createdAt) + UNKNOWN_TIME_MS : isApproaching(hit, now))

/** The hit to attend to first: the soonest that nobody has taken, else the soonest. */
export const firstOf = (hits: readonly WireOpenHit[]): WireOpenHit | undefined =>
  hits.find((hit) => isUrgent(hit)) ?? hits[0]

/** Whether the header shows it: it can still be stopped, or nobody attended to it. */
export const needsAttention = (hit: WireOpenHit): boolean => hit.taken === null || isApproaching(hit)

const timeOf = ({ checkpointTime, createdAt }: WireOpenHit) => Date.parse(checkpointTime ?? createdAt)

/** Of the hits in the store: how many are before their checkpoints, and announced. */
let counts = ''
const countsOf = (hits: readonly WireOpenHit[]) =>
  `${hits.filter((hit) => isApproaching(hit)).length} ${hits.filter((hit) => isUrgent(hit)).length}`

const latestOpenHit = createStore<WireOpenHit | undefined>(undefined)

/** The newest hit that was open since the page was opened, as it was last seen. */
export const useLatestOpenHit = (): WireOpenHit | undefined => useStore(latestOpenHit)

/** Replaces the open hits: approaching ones first, the next one first, then those that have passed, the latest first. */
export function setOpenHits(hits: readonly WireOpenHit[]): void {
  const approaching = hits.filter((hit) => isApproaching(hit)).sort((a, b) => timeOf(a) - timeOf(b))
  const passed = hits.filter((hit) => !isApproaching(hit)).sort((a, b) => timeOf(b) - timeOf(a))
  counts = countsOf(hits)
  openHits.set([...approaching, ...passed])
  latestOpenHit.set((before) =>
    hits.reduce((latest, hit) => (latest && latest.createdAt > hit.createdAt ? latest : hit), before),
  )
  setApproachingWanted(approaching.length)
  setTitleCount(hits.filter(needsAttention).length)
}

/** Clears the open hits and the newest one: they may not be shown any more. */
export function clearOpenHits(): void {
  setOpenHits([])
  latestOpenHit.set(undefined)
}

/** Sorts and counts the open hits again when a vehicle has passed its checkpoint. */
export function updateOpenHits(): void {
  const hits = openHits.get()
  if (countsOf(hits) !== counts) setOpenHits(hits)
}

export const openHitsNow = (): readonly WireOpenHit[] => openHits.get()

/** Applies the answer to an action at once; the feed confirms it. */
export function updateHit({ closed, course: _, notified: __, ...hit }: WireHitDetail): void {
  const others = openHits.get().filter((other) => vehicleKey(other) !== vehicleKey(hit))
  setOpenHits(closed ? others : [...others, hit])
}

/** Whether there are open hits, or the sheet of one is open. */
export const useHasHits = (): boolean => {
  const [hits, opened] = [useStore(openHits), useStore(sheet)]
  return hits.length > 0 || opened !== null
}
