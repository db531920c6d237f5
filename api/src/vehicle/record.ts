import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import { type Euro, type Image, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import { axlesComplexOf, axlesOf } from '@rogatka/domain/vehicle/assemble.ts'
import { unpackAxles, unpackGroups, unpackShape } from '@rogatka/domain/vehicle/pack.ts'
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'

/** A vehicle as the database has it: thin row, details and place. */
export type VehicleRecord = Pick<
  Vehicle,
  | 'id'
  | 'createdAt'
  | 'checkpointTime'
  | 'plateVmsReadablePointAt'
  | 'location'
  | 'plateLpr'
  | 'nationality'
  | 'speed'
  | 'speedLimit'
  | 'totalLoad'
  | 'limitTotalLoad'
  | 'ctg323'
  | 'vehHeight'
  | 'limitHeight'
  | 'vehLength'
  | 'limitLength'
  | 'numberOfAxles'
> & {
  receivedAt: Date
  laneNumber: number
  ctg8p1: number
  violations: number
  /** Tenths of a percent. */
  overloadSA: number | null
  overloadMA: number | null
  overloadTL: number | null
  accuracyClass: AccuracyClass | null
  axles: number[] | null
  axleGroups: number[] | null
  shape: Buffer | null
  euro: Euro | null
}

/** `type` is the place in the contract's list of image types, from 1; `sha256` in hex. */
export type ImageRecord = { type: number; size: number; sha256: string }

const percent = (tenths: number | null) => (tenths === null ? null : tenths / 10)

/** The vehicle as the contract has it, with all that its lists and details may show. Pictures in the order of their types. */
export function toVehicle(record: VehicleRecord, images: readonly ImageRecord[]): Vehicle {
  const { receivedAt: _, laneNumber, accuracyClass, axleGroups, shape, violations, ...plain } = record
  return {
    ...plain,
    ...fromBits(violations),
    lane: { laneNumber, accuracyClass: accuracyClass && { name: accuracyClass } },
    ctg8p1: record.ctg8p1 || null,
    overloadSA: percent(record.overloadSA),
    overloadMA: percent(record.overloadMA),
    overloadTL: percent(record.overloadTL),
    axles: axlesOf(unpackAxles(record.axles ?? []), accuracyClass),
    axlesComplex: axlesComplexOf(record.totalLoad, unpackGroups(axleGroups ?? []), accuracyClass),
    shapeSamples: shape && unpackShape(shape),
    images: toImages(images),
  }
}

/** Pictures are numbered by their place among those that there are. */
export const toImages = (records: readonly ImageRecord[]): Image[] =>
  records.flatMap(({ type, size, sha256 }, index) => {
    const name = imageTypes[type - 1]
    return name ? [{ number: index + 1, type: name, size, sha256 }] : []
  })
