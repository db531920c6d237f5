import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { onTick } from '../core/clock.ts'
import { selfQuery } from '../core/useSelf.ts'
import { REPEAT_MS, startHitAlarm } from './hitAlarm.ts'
import { followHits } from './hitFeed.ts'
import { clearOpenHits, closeHitSheet, openHitsNow, setOpenHits, updateOpenHits } from './openHits.ts'

/**
 * Receives the open hits of a user (undefined: none) or a device, and sounds the alarm, again after `repeatMs`. `id`: what
 * tabs of the browser share them by.
 */
export function useHitWatch(id: number | undefined, repeatMs = REPEAT_MS): void {
  const client = useQueryClient()
  useEffect(() => {
    if (id === undefined) return
    const stop = new AbortController()
    const sound = startHitAlarm(id, repeatMs, stop.signal)
    void followHits(
      id,
      {
        receive: (hits) => {
          setOpenHits(hits)
          sound(hits)
        },
        clear: () => {
          clearOpenHits()
          void client.invalidateQueries({ queryKey: selfQuery.queryKey })
        },
      },
      stop.signal,
    )
    const stopTicking = onTick(() => {
      updateOpenHits()
      sound(openHitsNow())
    })
    return () => {
      stop.abort()
      stopTicking()
      clearOpenHits()
      closeHitSheet()
    }
  }, [id, repeatMs, client])
}
