import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import { Comparison } from './Comparison.tsx'

/** The measured loads of a vehicle beside its static ones; nothing if it was not weighed. */
export function VehicleWeights({ vehicle }: { vehicle: WireVehicle }) {
  const { weighing, lane } = vehicle
  if (!weighing) return null
  const accuracyClass = lane.accuracyClass?.name as AccuracyClass | undefined
  const wim = { ...vehicle, tolerance: accuracyClass ? tolerances[accuracyClass] : null }
  return <Comparison inspection={{ wim, static: weighing }} />
}
