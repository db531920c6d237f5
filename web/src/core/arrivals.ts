import { createStore, useStore } from './store.ts'
import { setTitleMark } from './useTitle.ts'

/** Vehicles that arrived while another page than the live list was open. */
const arrivals = createStore(0)

export const useArrivalCount = (): number => useStore(arrivals)
export const addArrivals = (count: number): void => arrivals.set((current) => current + count)
export const resetArrivals = (): void => arrivals.set(0)

/** Number of wanted vehicles before their checkpoints, seen or not. */
const approachingWanted = createStore(0)

export const useApproachingWanted = (): number => useStore(approachingWanted)
export const setApproachingWanted = (count: number): void => approachingWanted.set(count)

/** Keys of approaching wanted vehicles that the user has not seen; marks the tab's title if there are any. */
const unseenWantedKeys = createStore<readonly string[]>([])
unseenWantedKeys.subscribe(() => setTitleMark(unseenWantedKeys.get().length > 0))

export const unseenWanted = (): readonly string[] => unseenWantedKeys.get()
export const useUnseenWanted = (): readonly string[] => useStore(unseenWantedKeys)
export const addUnseenWanted = (keys: readonly string[]): void =>
  unseenWantedKeys.set((current) => [...new Set([...current, ...keys])])
/** Keeps the keys that match; the others were seen or have passed. */
export const keepUnseenWanted = (isKept: (key: string) => boolean): void =>
  unseenWantedKeys.set((current) => (current.every(isKept) ? current : current.filter(isKept)))
