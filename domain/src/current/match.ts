import { type Category, categories, type Vehicle, type VehicleFilters, violations } from '@rogatka/contract/vehicle.ts'
import { type RangeField, rangeFields } from '@rogatka/contract/wire.ts'
import { plateMatches } from '../vehicle/plateMatch.ts'

/** Fields used by the filters. */
export type Matchable = Pick<
  Vehicle,
  | 'plateLpr'
  | 'ctg8p1'
  | 'speed'
  | 'totalLoad'
  | 'vehLength'
  | 'vehHeight'
  | 'numberOfAxles'
  | 'overloadSA'
  | 'overloadMA'
  | 'overloadTL'
  | (typeof violations)[number]
> & { location: Pick<Vehicle['location'], 'id'>; lane: Pick<Vehicle['lane'], 'laneNumber'> }

const MEASURES: Readonly<Record<RangeField, (vehicle: Matchable) => number | null>> = {
  Speed: ({ speed }) => speed,
  TotalLoad: ({ totalLoad }) => totalLoad,
  VehLength: ({ vehLength }) => vehLength,
  VehHeight: ({ vehHeight }) => vehHeight,
  NumberOfAxles: ({ numberOfAxles }) => numberOfAxles,
  OverloadSA: ({ overloadSA }) => overloadSA,
  OverloadMA: ({ overloadMA }) => overloadMA,
  OverloadTL: ({ overloadTL }) => overloadTL,
}

/** Filter category of a stored one: `lack` for 6, none and unknown values. */
export const categoryOf = (ctg8p1: number | null): Category =>
  categories.find((category) => category === String(ctg8p1)) ?? 'lack'

const isSelected = <T>(list: readonly T[] | undefined, value: T): boolean =>
  list === undefined || list.length === 0 || list.includes(value)

/** A bound of 0 is none; unmeasured values match no bound. */
const isWithin = (value: number | null, min: number | undefined, max: number | undefined): boolean =>
  (!min || (value !== null && value >= min)) && (!max || (value !== null && value <= max))

const violates = (vehicle: Matchable, filters: VehicleFilters): boolean => {
  const selected = violations.filter((violation) => filters[violation])
  return selected.length === 0 || selected.some((violation) => vehicle[violation])
}

/** Whether a vehicle matches all filters; of the selected violations one is sufficient (docs/domain.md). */
export const matches = (vehicle: Matchable, filters: VehicleFilters): boolean =>
  isSelected(filters.locations, vehicle.location.id) &&
  isSelected(filters.laneNumbers, vehicle.lane.laneNumber) &&
  isSelected(filters.ctg8p1, categoryOf(vehicle.ctg8p1)) &&
  violates(vehicle, filters) &&
  rangeFields.every((field) => isWithin(MEASURES[field](vehicle), filters[`min${field}`], filters[`max${field}`])) &&
  plateMatches(vehicle.plateLpr, filters.plateLpr, filters.similarity)
