import { hash } from 'node:crypto'
import type { Measurement } from '@rogatka/contract/ingest.ts'
import { type PassageRecord, passageText } from '@rogatka/domain/evidence/passage.ts'
import type { DerivedVehicle } from '@rogatka/domain/vehicle/derived.ts'
import { packAxles, packGroups, packShape } from '@rogatka/domain/vehicle/pack.ts'
import { storable } from '../core/text.ts'

/* Values of a vehicle in the form of their columns. */

/** In tenths of a percent, as stored; capped to the column. */
export const tenths = (percent: number | null) => (percent === null ? null : Math.min(32_767, Math.round(percent * 10)))

export const shapeOf = (shape: Measurement['shapeSamples']) => shape && packShape(shape)

/** As JSON; null: none. */
export const euroOf = (euro: Measurement['euro']) =>
  euro ? JSON.stringify(euro, (_key, value) => (typeof value === 'string' ? storable(value) : value)) : null

/** How vehicles arrive. `importId` null: from stations. */
export type Receipt = { now: Date; importId: number | null }

type ReceivedVehicle = {
  measured: Measurement
  derived: DerivedVehicle
  digest: Buffer
  locationId: number
  hourOnly?: boolean
}

/** SHA-256 of the canonical record of a vehicle, as its columns will store it. */
export function evidenceOf(
  { measured, derived, digest, locationId, hourOnly }: ReceivedVehicle,
  { now, importId }: Receipt,
): Buffer {
  const shape = shapeOf(measured.shapeSamples)
  const euro = euroOf(measured.euro)
  const nullIfEmpty = (numbers: number[]) => (numbers.length === 0 ? null : numbers)
  const record: PassageRecord = {
    locationId,
    createdAt: measured.createdAt,
    id: derived.id,
    receivedAt: now,
    checkpointTime: derived.checkpointTime,
    vmsReadableAt: derived.plateVmsReadablePointAt,
    totalLoad: derived.totalLoad,
    limitTotalLoad: derived.limitTotalLoad,
    overloadSa: tenths(derived.overloadSA),
    overloadMa: tenths(derived.overloadMA),
    overloadTl: tenths(derived.overloadTL),
    laneNumber: measured.laneNumber,
    speed: measured.speed ?? null,
    speedLimit: derived.speedLimit,
    vehLength: measured.vehLength ?? null,
    vehHeight: measured.vehHeight ?? null,
    limitHeight: derived.limitHeight,
    limitLength: derived.limitLength,
    numberOfAxles: derived.numberOfAxles,
    ctg8p1: derived.ctg8p1,
    ctg323: derived.ctg323,
    violations: derived.violations,
    plateLpr: derived.plateLpr && storable(derived.plateLpr),
    nationality: measured.nationality ?? null,
    hourOnly: hourOnly || null,
    importId,
    accuracyClass: derived.accuracyClass,
    axles: nullIfEmpty(packAxles(derived.axles)),
    axleGroups: nullIfEmpty(packGroups(derived.groups)),
    shape: shape ? Buffer.from(shape.buffer, shape.byteOffset, shape.byteLength).toString('hex') : null,
    euro: euro ? JSON.parse(euro) : null,
    digest: digest.toString('hex'),
  }
  return hash('sha256', passageText(record), 'buffer')
}
