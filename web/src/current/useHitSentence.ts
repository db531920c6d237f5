import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'

/** Spoken text of a wanted vehicle: plate, station, time to the checkpoint. Stable per vehicle. */
export function useHitSentence(): (vehicle: WireVehicle) => string {
  const { t } = useTranslation('current')
  return useMemo(() => {
    const sentences = new Map<string, string>()
    return (vehicle) => {
      const key = vehicleKey(vehicle)
      const existing = sentences.get(key)
      if (existing) return existing
      const { plateLpr, nationality, location, checkpointTime } = vehicle
      const secondsLeft = checkpointTime
        ? Math.max(0, Math.ceil((Date.parse(checkpointTime) - serverNow()) / 1_000))
        : null
      const sentence = [
        `${t('vehicle:wanted')} ${plateLpr ? displayPlate(plateLpr, nationality) : t('vehicle:unreadable-plate')}`,
        location.shortName,
        secondsLeft !== null &&
          t('left-to-checkpoint', {
            minutes: t('minutes', { count: Math.floor(secondsLeft / 60) }),
            seconds: t('seconds', { count: secondsLeft % 60 }),
          }),
      ]
        .filter(Boolean)
        .join(', ')
      sentences.set(key, sentence)
      return sentence
    }
  }, [t])
}
