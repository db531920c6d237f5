import { type CanonicalValue, canonical } from './canonical.ts'

/**
 * A vehicle as its columns store it: kg, cm, km/h, overloads in tenths of a percent. Empty lists of axles and groups are null.
 */
export type PassageRecord = {
  locationId: number
  createdAt: Date
  id: number
  receivedAt: Date
  checkpointTime: Date | null
  vmsReadableAt: Date | null
  totalLoad: number | null
  limitTotalLoad: number | null
  overloadSa: number | null
  overloadMa: number | null
  overloadTl: number | null
  laneNumber: number
  speed: number | null
  speedLimit: number | null
  vehLength: number | null
  vehHeight: number | null
  limitHeight: number | null
  limitLength: number | null
  numberOfAxles: number | null
  ctg8p1: number
  ctg323: number | null
  violations: number
  plateLpr: string | null
  nationality: string | null
  hourOnly: boolean | null
  importId: number | null
  accuracyClass: string | null
  /** Packed, as in vehicle/pack.ts. */
  axles: readonly number[] | null
  axleGroups: readonly number[] | null
  /** Packed height profile in hexadecimal digits. */
  shape: string | null
  euro: { readonly [key: string]: string | null } | null
  /** Of the measurement as received, in hexadecimal digits. */
  digest: string | null
}

/** The canonical record of a vehicle, of which its SHA-256 is stored and sealed: without nulls, times in ISO 8601. */
export function passageText(record: PassageRecord): string {
  const members: Record<string, CanonicalValue> = {}
  for (const [name, value] of Object.entries(record))
    if (value !== null) members[name] = value instanceof Date ? value.toISOString() : value
  return canonical(members)
}
