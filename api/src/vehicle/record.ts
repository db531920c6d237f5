import { locationOf } from '@rogatka/contract/ingest.ts'
import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import { type Euro, type Image, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { axlesComplexOf, axlesOf } from '@rogatka/domain/vehicle/assemble.ts'
import { unpackAxles, unpackGroups, unpackShape } from '@rogatka/domain/vehicle/pack.ts'
import { fromBits } from '@rogatka/domain/vehicle/violations.ts'
import type { PassageKey } from '../core/passage.ts'

/** A vehicle as stored: row, details and station. */
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
  importId: number | null
  laneNumber: number
  ctg8p1: number
  violations: number
  /** In tenths of a percent. */
  overloadSA: number | null
  overloadMA: number | null
  overloadTL: number | null
  accuracyClass: AccuracyClass | null
  axles: number[] | null
  axleGroups: number[] | null
  shape: Buffer | null
  euro: Euro | null
}

/** `type`: position in `imageTypes`, from 1; `sha256` in hexadecimal. */
export type ImageRecord = { type: number; size: number; sha256: string }

const percent = (tenths: number | null) => (tenths === null ? null : tenths / 10)

/** The vehicle with all fields of lists and details. Images by type. */
export function toVehicle(record: VehicleRecord, images: readonly ImageRecord[]): Vehicle {
  const { receivedAt: _, importId, laneNumber, accuracyClass, axleGroups, shape, violations, ...plain } = record
  return {
    ...plain,
    ...(importId !== null && { importId }),
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

/** Images are numbered by position. */
export const toImages = (records: readonly ImageRecord[]): Image[] =>
  records.flatMap(({ type, size, sha256 }, index) => {
    const name = imageTypes[type - 1]
    return name ? [{ number: index + 1, type: name, size, sha256 }] : []
  })

/** Users of the live list see vehicles since this time: of the last day. */
export const recentSince = (now: Date): Date => new Date(now.getTime() - DAY_MS)

export type VehicleQuery = { id: number; locationId: number; createdAt?: Date | undefined }

/** Users of the archive see any vehicle by its time; without one, those of the last 31 days. */
export const archivedSince = (now: Date, { createdAt }: Pick<VehicleQuery, 'createdAt'>): Date =>
  createdAt ? new Date(0) : new Date(now.getTime() - 31 * DAY_MS)

/** Rejects ids of other stations, and times that no vehicle has and PostgreSQL may not parse. */
export const mayExist = ({ id, locationId, createdAt }: VehicleQuery): boolean =>
  locationOf(id) === locationId && (!createdAt || (createdAt.getTime() > 0 && createdAt.getTime() < Date.UTC(2200)))

/** The key of a vehicle whose time is known, if it may exist since an instant: without a query. */
export const knownKey = ({ id, locationId, createdAt }: VehicleQuery, since: Date): PassageKey | undefined =>
  createdAt && createdAt >= since && mayExist({ id, locationId, createdAt }) ? { id, locationId, createdAt } : undefined
