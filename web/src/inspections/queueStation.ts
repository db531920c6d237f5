import { readStored, writeStored } from '../core/browserStorage.ts'
import { createStore } from '../core/store.ts'

const STORAGE_KEY = 'inspection-point'

/** The station whose queue this device shows; null: all. */
export const queueStation = createStore<number | null>(Number(readStored('local', STORAGE_KEY)) || null)

export function selectQueueStation(id: number | null): void {
  writeStored('local', STORAGE_KEY, id === null ? null : String(id))
  queueStation.set(id)
}
