import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { countdown, formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { type RefCallback, useCallback } from 'react'
import { useTicking } from '../core/clock.ts'
import { MISSING } from '../core/format.ts'

/** A ref for the element in which a vehicle's time to its checkpoint runs; −00:42 behind it, 00:00 at the end. */
export function useCountdown(
  { checkpointTime, createdAt }: Pick<WireVehicle, 'checkpointTime' | 'createdAt'>,
  additionalSeconds: number,
): RefCallback<HTMLElement> {
  const text = useCallback(
    (now: number) => {
      const checkpoint = checkpointTime === null ? null : Date.parse(checkpointTime)
      const { seconds } = countdown(checkpoint, now, additionalSeconds, Date.parse(createdAt))
      return seconds === null ? MISSING : formatCountdown(seconds)
    },
    [checkpointTime, createdAt, additionalSeconds],
  )
  return useTicking(text)
}
