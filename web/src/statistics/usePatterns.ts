import { useMediaQuery } from '@mantine/hooks'
import { readStored, writeStored } from '../core/browserStorage.ts'
import { createStore, useStore } from '../core/store.ts'

const SETTING = 'patterns'

/** Whether charts use patterns besides colours; stored by the browser. */
const patterns = createStore(readStored('local', SETTING) === 'on')

export const useForcedColors = (): boolean =>
  useMediaQuery('(forced-colors: active)', false, { getInitialValueInEffect: false })

/** As set; always in forced colours, which charts do not follow. */
export function usePatterns(): boolean {
  const chosen = useStore(patterns)
  return useForcedColors() || chosen
}

export function setPatterns(on: boolean): void {
  writeStored('local', SETTING, on ? 'on' : null)
  patterns.set(on)
}
