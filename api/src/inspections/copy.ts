import { type Passage, passage as passageSchema } from '@rogatka/contract/inspections.ts'
import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import { imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import type { Database } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { imagePath } from '../core/image-path.ts'
import type { PassageKey } from '../core/passage.ts'
import { listImages } from '../vehicle/public-api.ts'
import { type CopiedImage, imagesOfInspections, insertImage } from './file-queries.ts'
import { inspectionsOf } from './vehicle-queries.ts'

/** The measurement as an inspection keeps it, in wire form, without images: these are copied as files. */
export function passageCopy(vehicle: Vehicle): unknown {
  const { tags: _, wanted: __, inspection: ___, shapeSamples: ____, ...measured } = vehicle
  const accuracyClass = vehicle.lane.accuracyClass?.name as AccuracyClass | undefined
  const copy: Passage = { ...measured, images: [], tolerance: accuracyClass ? tolerances[accuracyClass] : null }
  return passageSchema.encode(copy)
}

export const folderOf = (inspectionId: number): string => `inspections/${inspectionId}`

export const copiedImagePath = (inspectionId: number, { type, sha256 }: Pick<CopiedImage, 'type' | 'sha256'>): string =>
  `${folderOf(inspectionId)}/${imageTypes[type - 1]}-${sha256.slice(0, 16)}.jpg`

/** In the folder of the inspection, so that photos are deleted with it. */
export const photoPath = (inspectionId: number, sha256: string): string => `${folderOf(inspectionId)}/photo-${sha256}`

/** Copies images that arrive after inspections of their vehicles have begun. */
export async function copyLateImages(db: Database, files: Files, images: readonly PassageKey[]): Promise<void> {
  for (const inspection of await inspectionsOf(db, images)) await copyImages(db, files, inspection)
}

type WithVehicle = { id: number; locationId: number; vehicleId: number | null; vehicleCreatedAt: Date | null }

/** The vehicle of an inspection; null without one. */
export const vehicleOf = ({ locationId, vehicleId, vehicleCreatedAt }: WithVehicle): PassageKey | null =>
  vehicleId === null || vehicleCreatedAt === null ? null : { locationId, id: vehicleId, createdAt: vehicleCreatedAt }

/**
 * Copies images of the measurement that have arrived and are not copied yet. Called again when another image arrives and
 * at later steps, which therefore make up for a failure.
 */
export async function copyImages(db: Database, files: Files, inspection: WithVehicle): Promise<void> {
  const key = vehicleOf(inspection)
  if (!key) return
  const copied = new Set((await imagesOfInspections(db, [inspection.id])).map(({ type }) => type))
  for (const image of await listImages(db, key)) {
    if (copied.has(image.type)) continue
    const bytes = await files.get(imagePath(key, image))
    if (!bytes) continue
    await files.put(copiedImagePath(inspection.id, image), bytes)
    await insertImage(db, inspection.id, image)
  }
}
