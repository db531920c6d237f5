import { createStore, useStore } from './store.ts'

/** Vehicles that came while another page than the live list was open. */
const newCars = createStore(0)

export const useNewCars = (): number => useStore(newCars)
export const addNewCars = (count: number): void => newCars.set((now) => now + count)
export const resetNewCars = (): void => newCars.set(0)
