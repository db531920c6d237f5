import { createStore, useStore } from './store.ts'
import { setTitleMark } from './useTitle.ts'

/** Vehicles that arrived while another page than the live list was open. */
const arrivals = createStore(0)

export const useArrivalCount = (): number => useStore(arrivals)
export const addArrivals = (count: number): void => arrivals.set((now) => now + count)
export const resetArrivals = (): void => arrivals.set(0)

/** Number of wanted vehicles before their checkpoints, seen or not. */
const approachingWanted = createStore(0)

export const useApproachingWanted = (): number => useStore(approachingWanted)
export const setApproachingWanted = (count: number): void => approachingWanted.set(count)

/** Ids of approaching wanted vehicles that the user has not seen; marks the tab's title if there are any. */
const unseenWantedIds = createStore<readonly number[]>([])
unseenWantedIds.subscribe(() => setTitleMark(unseenWantedIds.get().length > 0))

export const unseenWanted = (): readonly number[] => unseenWantedIds.get()
export const useUnseenWanted = (): readonly number[] => useStore(unseenWantedIds)
export const addUnseenWanted = (ids: readonly number[]): void =>
  unseenWantedIds.set((now) => [...new Set([...now, ...ids])])
/** Keeps the ids that match; the others were seen or have passed. */
export const keepUnseenWanted = (isKept: (id: number) => boolean): void =>
  unseenWantedIds.set((now) => (now.every(isKept) ? now : now.filter(isKept)))
