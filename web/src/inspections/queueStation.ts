import { readStored, writeStored } from '../core/browserStorage.ts'
import { createStore } from '../core/store.ts'

const POINT = 'inspection-point'

/** The station whose queue this device shows; null: all. */
export const point = createStore<number | null>(Number(readStored('local', POINT)) || null)

export function selectPoint(id: number | null): void {
  writeStored('local', POINT, id === null ? null : String(id))
  point.set(id)
}
