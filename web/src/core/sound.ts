import { createStore, useStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

const KEY = 'muted'

const muted = createStore(readStored('local', KEY) === 'true')

export const isMuted = (): boolean => muted.get()
export const useMuted = (): boolean => useStore(muted)

export function toggleMuted(): void {
  const next = !muted.get()
  writeStored('local', KEY, next ? 'true' : null)
  muted.set(next)
}
