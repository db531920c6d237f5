import { VisuallyHidden } from '@mantine/core'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { onTick } from '../core/clock.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { isUrgent, openHitsNow, useOpenHits } from './openHits.ts'
import { secondsLeft, useHitSentence } from './useHitSentence.ts'

/** Seconds to the checkpoint at which a hit is announced again. */
const ANNOUNCE_AT = [60, 30, 10]

/** What was last announced of each hit: a number of seconds, or that somebody took it. */
const announced = new Map<string, number | 'taken'>()

const stageOf = (hit: WireOpenHit): number | 'taken' =>
  hit.taken ? 'taken' : (ANNOUNCE_AT.findLast((at) => secondsLeft(hit) <= at) ?? Number.POSITIVE_INFINITY)

/** Live region: each new hit, again a minute, 30 and 10 s before the checkpoint, and when somebody has taken it. */
export function HitAnnouncer() {
  const { t } = useTranslation('wanted')
  const sentenceOf = useHitSentence()
  const hits = useOpenHits()
  const [lines, setLines] = useState<readonly { key: string; text: string }[]>([])
  const announce = useRef(() => {})
  announce.current = () => {
    for (const hit of openHitsNow()) {
      const key = vehicleKey(hit)
      const [stage, before] = [stageOf(hit), announced.get(key)]
      if (stage === before) continue
      announced.set(key, stage)
      // A hit that was taken, or whose vehicle had passed, before the page received it is not announced.
      if (before === undefined && !isUrgent(hit)) continue
      const text =
        hit.taken && stage === 'taken'
          ? t('spoken-taken', { plate: displayPlate(hit.plateLpr, hit.nationality), user: hit.taken.by.username })
          : sentenceOf(hit)
      setLines((current) => [...current.filter((line) => line.key !== key), { key, text }])
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: announces what has changed
  useEffect(() => announce.current(), [hits])
  useEffect(() => onTick(() => announce.current()), [])
  return (
    <VisuallyHidden>
      {lines.map(({ key, text }) => (
        <div key={key} role="alert">
          {text}
        </div>
      ))}
    </VisuallyHidden>
  )
}
