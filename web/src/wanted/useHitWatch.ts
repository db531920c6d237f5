import { useEffect } from 'react'
import { onTick } from '../core/clock.ts'
import { useSelf } from '../core/useSelf.ts'
import { REPEAT_MS, soundAlarm } from './hitAlarm.ts'
import { followHits } from './hitFeed.ts'
import { closeHitSheet, openHitsNow, setOpenHits, updateOpenHits } from './openHits.ts'

/** Receives the open hits and sounds the alarm, again after `repeatMs`. `enabled`: the user may see hits. */
export function useHitWatch(enabled = true, repeatMs = REPEAT_MS): void {
  const { data: self } = useSelf()
  const userId = enabled ? self?.id : undefined
  useEffect(() => {
    if (userId === undefined) return
    const stop = new AbortController()
    void followHits(
      userId,
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
  }, [userId, repeatMs])
}
