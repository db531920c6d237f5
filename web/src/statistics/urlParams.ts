import type { Division, GraphType, PresetName, ResolutionUnit, StatName } from '@rogatka/contract/options.ts'
import type { VehicleFilters, Violation } from '@rogatka/contract/vehicle.ts'

export type Step = 1 | 2 | 3

type Conditions = Pick<VehicleFilters, 'locations' | 'ctg8p1' | 'laneNumbers' | Violation>

/** URL parameters of the statistics: step, whether the result is shown, and the query in wire units. */
export type StatisticsSearch = Conditions & {
  step?: Step | undefined
  result?: true | undefined
  preset?: PresetName | undefined
  /** ISO 8601 in UTC. */
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  statResolutionUnit?: ResolutionUnit | undefined
  statResolutionValue?: number | undefined
  statName?: StatName | undefined
  groupBy?: Division | undefined
  graphType?: GraphType | undefined
}
