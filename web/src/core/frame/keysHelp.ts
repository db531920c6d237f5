import { createStore, useStore } from '../store.ts'

const shown = createStore(false)

export const useKeysShown = (): boolean => useStore(shown)
export const showKeys = (): void => shown.set(true)
export const hideKeys = (): void => shown.set(false)
