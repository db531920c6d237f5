import { useEffect } from 'react'
import { onTick } from '../core/clock.ts'
import { useSelf } from '../core/useSelf.ts'
import { soundAlarm } from './hitAlarm.ts'
import { followHits } from './hitFeed.ts'
import { closeHitSheet, openHitsNow, setOpenHits, updateOpenHits } from './openHits.ts'

/** On every page: receives the open hits and sounds the alarm. */
export function HitWatch() {
  const userId = useSelf().data?.id
  useEffect(() => {
    if (userId === undefined) return
    const stop = new AbortController()
    void followHits(
      userId,
      (hits) => {
        setOpenHits(hits)
        soundAlarm(hits)
      },
      stop.signal,
    )
    const stopTicking = onTick(() => {
      updateOpenHits()
      soundAlarm(openHitsNow())
    })
    return () => {
      stop.abort()
      stopTicking()
      setOpenHits([])
      closeHitSheet()
    }
  }, [userId])
  return null
}
