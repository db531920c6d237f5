import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { countdown, formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { type RefCallback, useCallback } from 'react'
import { useTicking } from '../core/clock.ts'
import { MISSING } from '../core/format.ts'

/** Ref of an element with the countdown to the checkpoint; −00:42 after it, 00:00 at the end. */
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
