import type { AlarmKind } from '@rogatka/contract/alarms.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { MINUTE_MS } from '../core/time.ts'

type VehicleForAlarms = Pick<
  Vehicle,
  | 'createdAt'
  | 'checkpointTime'
  | 'wrongDirection'
  | 'overheight'
  | 'overloadSA'
  | 'overloadMA'
  | 'overloadTL'
  | 'inspection'
> & { location: { id: number } }

/** Ids of the stations with alarms of these kinds. */
export type Stations = {
  /** With an open inspection: overload. */
  inspecting: ReadonlySet<number>
  /** With `overheight_alarm`. */
  overheight: ReadonlySet<number>
}

/** Excess in percent from which an overload is worth an alarm. */
const OVERLOAD_PERCENT = 20
/** An announced vehicle that nobody has taken over raises an alarm this long before the checkpoint. */
const ANNOUNCED_MS = MINUTE_MS
/** Without a checkpoint time an alarm ends this long after the detection. */
const NO_CHECKPOINT_MS = 5 * MINUTE_MS

/** The largest excess of a vehicle in percent; null without a scale. */
export const largestExcess = ({ overloadSA, overloadMA, overloadTL }: VehicleForAlarms): number | null => {
  const excesses = [overloadSA, overloadMA, overloadTL].filter((excess) => excess !== null)
  return excesses.length > 0 ? Math.max(...excesses) : null
}

/** The kinds of alarms that a vehicle causes now, with the end of its countdown. */
export function vehicleAlarms(
  vehicle: VehicleForAlarms,
  stations: Stations,
  now: Date,
): { kinds: AlarmKind[]; endsAt: Date } {
  const { createdAt, checkpointTime, location, inspection } = vehicle
  const endsAt = checkpointTime ?? new Date(createdAt.getTime() + NO_CHECKPOINT_MS)
  const left = endsAt.getTime() - now.getTime()
  if (left <= 0) return { kinds: [], endsAt }
  const kinds: AlarmKind[] = []
  if (vehicle.wrongDirection) kinds.push('wrong-way')
  if (
    stations.inspecting.has(location.id) &&
    checkpointTime !== null &&
    (inspection === undefined || inspection.state === 'announced') &&
    (largestExcess(vehicle) ?? 0) >= OVERLOAD_PERCENT
  )
    kinds.push('overload')
  if (inspection?.state === 'announced' && checkpointTime !== null && left <= ANNOUNCED_MS)
    kinds.push('announced-passing')
  if (vehicle.overheight && stations.overheight.has(location.id)) kinds.push('overheight')
  return { kinds, endsAt }
}
