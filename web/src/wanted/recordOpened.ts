import { openHitSheet, type WireOpenHit } from '@rogatka/contract/wanted.ts'
import { call } from '../core/call.ts'

/** Tells the others who opened a hit. Nothing depends on it, so a failure is not shown. */
export function recordOpened({ id, createdAt }: Pick<WireOpenHit, 'id' | 'createdAt'>): void {
  void call(openHitSheet, { params: { id }, query: { createdAt }, background: true }).catch(() => {})
}
