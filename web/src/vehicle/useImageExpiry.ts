import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { serverNow } from '../core/clock.ts'
import { useBuild } from '../core/useBuild.ts'

/** Retention period of images in days, if the vehicle has none because it is older; else null. */
export function useImageExpiry(): (vehicle: WireVehicle) => number | null {
  const { build } = useBuild()
  return ({ images = [], createdAt }) => {
    if (!build || images.length > 0) return null
    const { imageRetentionDays: days } = build
    return serverNow() - Date.parse(createdAt) > days * DAY_MS ? days : null
  }
}
