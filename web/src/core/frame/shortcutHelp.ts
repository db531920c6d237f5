import { createStore, useStore } from '../store.ts'

const shown = createStore(false)

export const useShortcutHelpOpen = (): boolean => useStore(shown)
export const openShortcutHelp = (): void => shown.set(true)
export const closeShortcutHelp = (): void => shown.set(false)
