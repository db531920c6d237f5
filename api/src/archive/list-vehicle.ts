import type { Axle, Vehicle, Violation } from '@rogatka/contract/vehicle.ts'
import { loadsAndGaps } from '@rogatka/domain/vehicle/pack.ts'
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'

/** The fields of a vehicle in a list without images; a `Vehicle` has them too. */
export type ListVehicle = Pick<
  Vehicle,
  | 'id'
  | 'createdAt'
  | 'location'
  | 'plateLpr'
  | 'nationality'
  | 'ctg8p1'
  | 'ctg323'
  | 'speed'
  | 'speedLimit'
  | 'totalLoad'
  | 'limitTotalLoad'
  | 'overloadTL'
  | 'overloadSA'
  | 'overloadMA'
  | 'vehLength'
  | 'limitLength'
  | 'vehHeight'
  | 'limitHeight'
  | 'numberOfAxles'
  | 'tags'
  | Violation
> & {
  /** `accuracyClass` only with axles. */
  lane: Pick<Vehicle['lane'], 'laneNumber'> & Partial<Pick<Vehicle['lane'], 'accuracyClass'>>
  axles?: Pick<Axle, 'totalLoad' | 'gap'>[] | undefined
}

type NullableNumber = number | null
/** A row of `selectRows`, by column position. */
export type ListedRow = [
  id: number,
  createdAt: number,
  locationId: number,
  laneNumber: number,
  plateLpr: string | null,
  nationality: string | null,
  ctg8p1: number,
  ctg323: NullableNumber,
  speed: NullableNumber,
  speedLimit: NullableNumber,
  totalLoad: NullableNumber,
  limitTotalLoad: NullableNumber,
  overloadTL: NullableNumber,
  overloadSA: NullableNumber,
  overloadMA: NullableNumber,
  vehLength: NullableNumber,
  limitLength: NullableNumber,
  vehHeight: NullableNumber,
  limitHeight: NullableNumber,
  numberOfAxles: NullableNumber,
  violations: number,
]

const percent = (tenths: NullableNumber) => (tenths === null ? null : tenths / 10)

/** The violation flags of each set, shared by all vehicles. */
const flags = Array.from({ length: 32 }, (_, bits) => fromBits(bits))

/** Converts a row; vehicles share their location objects. Undefined if the location is unknown. */
export function fromRow(row: ListedRow, locations: ReadonlyMap<number, Vehicle['location']>): ListVehicle | undefined {
  const location = locations.get(row[2])
  if (!location) return undefined
  return {
    ...(flags[row[20]] ?? fromBits(row[20])),
    id: row[0],
    createdAt: new Date(Math.round(row[1])),
    location,
    lane: { laneNumber: row[3] },
    plateLpr: row[4],
    nationality: row[5],
    ctg8p1: row[6] || null,
    ctg323: row[7],
    speed: row[8],
    speedLimit: row[9],
    totalLoad: row[10],
    limitTotalLoad: row[11],
    overloadTL: percent(row[12]),
    overloadSA: percent(row[13]),
    overloadMA: percent(row[14]),
    vehLength: row[15],
    limitLength: row[16],
    vehHeight: row[17],
    limitHeight: row[18],
    numberOfAxles: row[19],
  }
}

/** Parses a PostgreSQL array: `{3,700,720,0,11500,0,…}`. */
export const axlesFrom = (text: string | null): NonNullable<ListVehicle['axles']> =>
  text === null ? [] : loadsAndGaps(JSON.parse(`[${text.slice(1, -1)}]`) as number[])
