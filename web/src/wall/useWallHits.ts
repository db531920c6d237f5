import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { onTick, serverNow } from '../core/clock.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { isApproaching, isUrgent, needsAttention, useOpenHits } from '../wanted/publicApi.ts'

/** How many share the top. */
const MAX_SHOWN = 2
/** How long a vehicle that passed without anybody stays at the top; the desk keeps it until somebody closes it. */
const PASSED_MS = 15 * MINUTE_MS

/** Those at the top, most urgent first, and the number of further ones. */
export type WallHits = { shown: readonly WireOpenHit[]; more: number }

const isShown = (hit: WireOpenHit, now: number): boolean =>
  needsAttention(hit) && now - Date.parse(hit.checkpointTime ?? hit.createdAt) < PASSED_MS

/** 0: nobody has taken it, and it can be stopped; 1: it can be stopped; 2: it has passed. */
const rankOf = (hit: WireOpenHit, now: number): number => (isUrgent(hit, now) ? 0 : isApproaching(hit, now) ? 1 : 2)

/** The open hits at present; renders again when one of them changes its place. */
export function useWallHits(): WallHits {
  const open = useOpenHits()
  const select = useCallback(() => {
    const now = serverNow()
    return open.filter((hit) => isShown(hit, now)).sort((a, b) => rankOf(a, now) - rankOf(b, now))
  }, [open])
  // A text, so that equal results are equal.
  useSyncExternalStore(
    onTick,
    useCallback(() => {
      const now = serverNow()
      return select()
        .map((hit) => `${vehicleKey(hit)} ${rankOf(hit, now)}`)
        .join()
    }, [select]),
  )
  const hits = select()
  return { shown: hits.slice(0, MAX_SHOWN), more: Math.max(0, hits.length - MAX_SHOWN) }
}
