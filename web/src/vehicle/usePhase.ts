import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { countdown } from '@rogatka/domain/current/countdown.ts'
import { useCallback, useSyncExternalStore } from 'react'
import { onTick, serverNow } from '../core/clock.ts'

/** Phase of the vehicle: approaching, passed or gone; re-renders only on a change. */
export function usePhase(
  { checkpointTime, createdAt }: Pick<WireVehicle, 'checkpointTime' | 'createdAt'>,
  additionalSeconds: number,
) {
  const phase = useCallback(() => {
    const checkpoint = checkpointTime === null ? null : Date.parse(checkpointTime)
    return countdown(checkpoint, serverNow(), additionalSeconds, Date.parse(createdAt)).phase
  }, [checkpointTime, createdAt, additionalSeconds])
  return useSyncExternalStore(onTick, phase)
}
