import { createStore, useStore } from './store.ts'

/** Vehicles that arrived while another page than the live list was open. */
const arrivals = createStore(0)

export const useArrivalCount = (): number => useStore(arrivals)
export const addArrivals = (count: number): void => arrivals.set((current) => current + count)
export const resetArrivals = (): void => arrivals.set(0)

/** Number of wanted vehicles before their checkpoints, seen or not. */
const approachingWanted = createStore(0)

export const useApproachingWanted = (): number => useStore(approachingWanted)
export const setApproachingWanted = (count: number): void => approachingWanted.set(count)

/** Keys of wanted vehicles that the live list shows at its top, while it is visible. */
const pinnedWanted = createStore<readonly string[]>([])

export const usePinnedWanted = (): readonly string[] => useStore(pinnedWanted)
export const setPinnedWanted = (keys: readonly string[]): void =>
  pinnedWanted.set((current) => (current.join() === keys.join() ? current : keys))
