import type {
  Comparison,
  Division,
  GraphType,
  PresetName,
  ResolutionUnit,
  StatName,
} from '@rogatka/contract/options.ts'
import type { VehicleFilters, Violation } from '@rogatka/contract/vehicle.ts'
import type { TimeClassCountryFilters } from '../vehicle/publicApi.ts'

export type Step = 1 | 2 | 3

type Conditions = Pick<VehicleFilters, 'locations' | 'ctg8p1' | 'laneNumbers' | Violation> & TimeClassCountryFilters

/** How a chart of too many bars is drawn: a chart for each series, or bars of the newest part; by default as lines. */
export const chartViews = ['multiples', 'bars'] as const
export type ChartView = (typeof chartViews)[number]

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
  compare?: Comparison | undefined
  chartView?: ChartView | undefined
}
