import { type VehicleFilters, vehicleFilters } from '@rogatka/contract/vehicle.ts'
import type { RangeField } from '@rogatka/contract/wire.ts'

/*
 * Filters shared by live list, archive and statistics, as in the URL: wire names and units.
 */
export type FilterKey = keyof VehicleFilters
const keys = Object.keys(vehicleFilters.shape) as FilterKey[]

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0)

/** Parses the filters of a URL. Malformed and empty values are ignored one by one, so that shared links never fail. */
export function readFilters(search: Record<string, unknown>): VehicleFilters {
  const filters: Record<string, unknown> = {}
  for (const key of keys) {
    if (search[key] === undefined || search[key] === '') continue
    const parsed = vehicleFilters.shape[key].safeParse(search[key])
    if (parsed.success && !isEmpty(parsed.data)) filters[key] = parsed.data
  }
  return filters as VehicleFilters
}

/** Changes filters; an empty value removes its filter. */
export function changeFilters<F extends VehicleFilters>(filters: F, changes: Partial<VehicleFilters>): F {
  const entries = Object.entries({ ...filters, ...changes }).filter(
    ([key, value]) => !(keys.includes(key as FilterKey) && isEmpty(value)),
  )
  return Object.fromEntries(entries) as F
}

type Unit = {
  unit: 't' | 'm' | 'km/h' | '%' | ''
  /** Wire units per displayed unit. */
  factor: number
  decimals: number
}

/** Displayed units of measured values; the wire units are kg, cm, km/h, pieces, percent. */
export const rangeUnits: Record<RangeField, Unit> = {
  Speed: { unit: 'km/h', factor: 1, decimals: 0 },
  TotalLoad: { unit: 't', factor: 1_000, decimals: 2 },
  VehLength: { unit: 'm', factor: 100, decimals: 2 },
  VehHeight: { unit: 'm', factor: 100, decimals: 2 },
  NumberOfAxles: { unit: '', factor: 1, decimals: 0 },
  OverloadSA: { unit: '%', factor: 1, decimals: 1 },
  OverloadMA: { unit: '%', factor: 1, decimals: 1 },
  OverloadTL: { unit: '%', factor: 1, decimals: 1 },
}

/** Displayed unit to wire unit: 46.9 t are 46900 kg. Rounded, because 4.35 · 100 is not 435. */
export const toWire = (field: RangeField, displayed: number) => {
  const { factor, decimals } = rangeUnits[field]
  return factor === 1 ? Number(displayed.toFixed(decimals)) : Math.round(displayed * factor)
}

export const fromWire = (field: RangeField, wire: number) => wire / rangeUnits[field].factor
