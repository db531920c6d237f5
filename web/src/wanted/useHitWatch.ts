import { useEffect } from 'react'
import { onTick } from '../core/clock.ts'
import { REPEAT_MS, soundAlarm } from './hitAlarm.ts'
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
    void followHits(
      id,
      (hits) => {
        setOpenHits(hits)
        soundAlarm(hits, repeatMs)
      },
      stop.signal,
    )
    const stopTicking = onTick(() => {
      updateOpenHits()
      soundAlarm(openHitsNow(), repeatMs)
    })
    return () => {
      stop.abort()
      stopTicking()
      setOpenHits([])
      closeHitSheet()
    }
  }, [id, repeatMs])
}
