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

/** Whether a vehicle matches filters. */
export type Match = (vehicle: Matchable) => boolean

/** The conditions of a list; an empty one is no filter. */
const selection = <T>(list: readonly T[] | undefined, read: (vehicle: Matchable) => T): Match[] => {
  if (!list?.length) return []
  const selected = new Set(list)
  return [(vehicle) => selected.has(read(vehicle))]
}

/** A bound of 0 is none; unmeasured values match no bound. */
const range = (field: RangeField, filters: VehicleFilters): Match[] => {
  const [min, max] = [
    filters[`min${field}`] || Number.NEGATIVE_INFINITY,
    filters[`max${field}`] || Number.POSITIVE_INFINITY,
  ]
  if (min === Number.NEGATIVE_INFINITY && max === Number.POSITIVE_INFINITY) return []
  const measure = MEASURES[field]
  return [
    (vehicle) => {
      const value = measure(vehicle)
      return value !== null && value >= min && value <= max
    },
  ]
}

/** Of the selected violations one is sufficient (docs/domain.md). */
const violation = (filters: VehicleFilters): Match[] => {
  const selected = violations.filter((name) => filters[name])
  return selected.length === 0 ? [] : [(vehicle) => selected.some((name) => vehicle[name])]
}

const plate = ({ plateLpr, similarity }: VehicleFilters): Match[] =>
  plateLpr ? [(vehicle) => plateMatches(vehicle.plateLpr, plateLpr, similarity)] : []

/** Matches vehicles with all of these filters: made once for many vehicles, it tests only those that are set. */
export function createMatch(filters: VehicleFilters): Match {
  const conditions = [
    ...selection(filters.locations, ({ location }) => location.id),
    ...selection(filters.laneNumbers, ({ lane }) => lane.laneNumber),
    ...selection(filters.ctg8p1, ({ ctg8p1 }) => categoryOf(ctg8p1)),
    ...violation(filters),
    ...rangeFields.flatMap((field) => range(field, filters)),
    ...plate(filters),
  ]
  return (vehicle) => conditions.every((condition) => condition(vehicle))
}

/** Whether one vehicle matches all filters. */
export const matches = (vehicle: Matchable, filters: VehicleFilters): boolean => createMatch(filters)(vehicle)
