import { createStore, useStore } from './store.ts'
import { setTitleMark } from './useTitle.ts'

/** Vehicles that came while another page than the live list was open. */
const arrivals = createStore(0)

export const useArrivalCount = (): number => useStore(arrivals)
export const addArrivals = (count: number): void => arrivals.set((now) => now + count)
export const resetArrivals = (): void => arrivals.set(0)

/** Wanted vehicles on their way to a checkpoint, seen or not. */
const wantedOnWay = createStore(0)

export const useWantedOnWay = (): number => useStore(wantedOnWay)
export const setWantedOnWay = (count: number): void => wantedOnWay.set(count)

/** Ids of wanted vehicles on their way that nobody here has seen yet; the tab's title says that there are any. */
const wantedCars = createStore<readonly number[]>([])
wantedCars.subscribe(() => setTitleMark(wantedCars.get().length > 0))

export const unseenWanted = (): readonly number[] => wantedCars.get()
export const useUnseenWanted = (): readonly number[] => useStore(wantedCars)
export const addUnseenWanted = (ids: readonly number[]): void => wantedCars.set((now) => [...new Set([...now, ...ids])])
/** Keeps those that fulfil the condition; the others were seen or have passed. */
export const keepUnseenWanted = (isKept: (id: number) => boolean): void =>
  wantedCars.set((now) => (now.every(isKept) ? now : now.filter(isKept)))
