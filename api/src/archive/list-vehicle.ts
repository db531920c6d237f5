import type { Axle, Vehicle, Violation } from '@rogatka/contract/vehicle.ts'
import { loadsAndGaps } from '@rogatka/domain/vehicle/pack.ts'
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'

/** What a list without pictures says of a vehicle; every whole vehicle is one too. */
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
  /** The accuracy class comes with the axles. */
  lane: Pick<Vehicle['lane'], 'laneNumber'> & Partial<Pick<Vehicle['lane'], 'accuracyClass'>>
  axles?: Pick<Axle, 'totalLoad' | 'gap'>[] | undefined
}

type Whole = number | null
/** A row of `allRows`, by place. */
export type ListedRow = [
  id: number,
  createdAt: number,
  locationId: number,
  laneNumber: number,
  plateLpr: string | null,
  nationality: string | null,
  ctg8p1: number,
  ctg323: Whole,
  speed: Whole,
  speedLimit: Whole,
  totalLoad: Whole,
  limitTotalLoad: Whole,
  overloadTL: Whole,
  overloadSA: Whole,
  overloadMA: Whole,
  vehLength: Whole,
  limitLength: Whole,
  vehHeight: Whole,
  limitHeight: Whole,
  numberOfAxles: Whole,
  violations: number,
]

const percent = (tenths: Whole) => (tenths === null ? null : tenths / 10)

/** Each of the few sets of violations once. */
const flags = Array.from({ length: 32 }, (_, bits) => fromBits(bits))

/** Vehicles out of their rows: what many of them share, as their stations, is made once. */
export function fromRow(row: ListedRow, places: ReadonlyMap<number, Vehicle['location']>): ListVehicle | undefined {
  const location = places.get(row[2])
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

/** `{3,700,720,0,11500,0,…}` as PostgreSQL writes it. */
export const axlesFrom = (text: string | null): NonNullable<ListVehicle['axles']> =>
  text === null ? [] : loadsAndGaps(JSON.parse(`[${text.slice(1, -1)}]`) as number[])
