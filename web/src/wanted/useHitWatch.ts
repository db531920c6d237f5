import { useEffect } from 'react'
import { onTick } from '../core/clock.ts'
import { REPEAT_MS, startHitAlarm } from './hitAlarm.ts'
import { followHits } from './hitFeed.ts'
import { closeHitSheet, openHitsNow, setOpenHits, updateOpenHits } from './openHits.ts'

/**
 * Receives the open hits of a user (undefined: none) or a device, and sounds the alarm, again after `repeatMs`. `id`: what
 * tabs of the browser share them by.
 */
export function useHitWatch(id: number | undefined, repeatMs = REPEAT_MS): void {
  useEffect(() => {
    if (id === undefined) return
    const stop = new AbortController()
    const sound = startHitAlarm(id, repeatMs, stop.signal)
    void followHits(
      id,
      (hits) => {
        setOpenHits(hits)
        sound(hits)
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
      setOpenHits([])
      closeHitSheet()
    }
  }, [id, repeatMs])
}
