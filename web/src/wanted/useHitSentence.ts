import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { isApproaching } from './openHits.ts'

/** Whole seconds until the checkpoint, 0 behind it or without one. */
export const secondsLeft = ({ checkpointTime }: WireOpenHit): number =>
  checkpointTime === null ? 0 : Math.max(0, Math.ceil((Date.parse(checkpointTime) - serverNow()) / 1_000))

/** Spoken text of a hit: plate, station, time to the checkpoint at present. */
export function useHitSentence(): (hit: WireOpenHit) => string {
  const { t } = useTranslation('wanted')
  return useCallback(
    (hit) => {
      const seconds = secondsLeft(hit)
      return [
        `${t('vehicle:wanted')} ${displayPlate(hit.plateLpr, hit.nationality)}`,
        hit.location.shortName,
        isApproaching(hit)
          ? t('left-to-checkpoint', {
              minutes: t('minutes', { count: Math.floor(seconds / 60) }),
              seconds: t('seconds', { count: seconds % 60 }),
            })
          : t('passed-checkpoint'),
      ].join(', ')
    },
    [t],
  )
}
