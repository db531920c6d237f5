import { createStore, useStore } from '../store.ts'

const helpOpen = createStore(false)

export const useShortcutHelpOpen = (): boolean => useStore(helpOpen)
export const openShortcutHelp = (): void => helpOpen.set(true)
export const closeShortcutHelp = (): void => helpOpen.set(false)
