import { readStored, writeStored } from '../core/browserStorage.ts'
import { createStore, useStore } from '../core/store.ts'

const SETTING = 'patterns'

/** Whether charts use patterns besides colours; stored by the browser. */
const patterns = createStore(readStored('local', SETTING) === 'on')

export const usePatterns = (): boolean => useStore(patterns)

export function setPatterns(on: boolean): void {
  writeStored('local', SETTING, on ? 'on' : null)
  patterns.set(on)
}
