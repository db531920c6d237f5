import { type Image, type ImageType, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Files } from '../core/files.ts'
import { imagePath } from '../core/image-path.ts'
import { blurImage } from '../core/image-scaler.ts'
import { fitToHeight, type ReportImage, type RowBatches } from '../reports/public-api.ts'
import type { ListVehicle } from './list-vehicle.ts'

/** A vehicle, with its image in reports with images. */
export type ReportRow = { vehicle: ListVehicle; image?: RowImage }
type RowImage = { name: string; sha256: string; bytes: Buffer; scaled: ReportImage | null }

/** Images fetched and scaled at a time. */
const CONCURRENCY = 4
/** In px; three times the displayed height, for print. */
const IMAGE_HEIGHT = 180
/** A list shows the first of these that exists. */
const PREFERRED_TYPES: readonly ImageType[] = ['front', 'overview', 'rear', 'side', 'plate']

export async function* toRows(batches: RowBatches<ListVehicle>): AsyncGenerator<ReportRow[]> {
  for await (const batch of batches) yield batch.map((vehicle) => ({ vehicle }))
}

/** `scaled`: with a scaled image for display. `blurred`: for users who may not identify vehicles. */
type ImageOptions = { scaled: boolean; blurred: boolean }

/** Adds the image of each vehicle. */
export async function* withImages(
  batches: RowBatches<Vehicle>,
  files: Files,
  options: ImageOptions,
): AsyncGenerator<ReportRow[]> {
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += CONCURRENCY) {
      yield await Promise.all(batch.slice(at, at + CONCURRENCY).map((vehicle) => withImage(vehicle, files, options)))
    }
  }
}

async function withImage(vehicle: Vehicle, files: Files, { scaled, blurred }: ImageOptions): Promise<ReportRow> {
  const image = selectImage(vehicle)
  const original = image && (await files.get(pathOf(vehicle, image)))
  if (!original) return { vehicle }
  const bytes = blurred ? await blurImage(original) : original
  if (!bytes) return { vehicle }
  const row = { name: nameOf(vehicle, image), sha256: image.sha256, bytes }
  return { vehicle, image: { ...row, scaled: scaled ? await fitToHeight(bytes, IMAGE_HEIGHT) : null } }
}

type StoredImage = Image & { sha256: string }

function selectImage({ images = [] }: Vehicle): StoredImage | null {
  const stored = images.filter((image): image is StoredImage => image.sha256 !== undefined)
  return (
    PREFERRED_TYPES.map((type) => stored.find((image) => image.type === type)).find((image) => image !== undefined) ??
    null
  )
}

function pathOf(vehicle: Vehicle, { type, sha256 }: StoredImage): string {
  const key = { locationId: vehicle.location.id, createdAt: vehicle.createdAt, id: vehicle.id }
  return imagePath(key, { type: imageTypes.indexOf(type) + 1, sha256 })
}

/** Unique in the report and descriptive: 20261020T080000123Z_WX12345_7697_front.jpg */
function nameOf({ id, createdAt, plateLpr }: Vehicle, { type }: Image): string {
  const plate = plateLpr?.replace(/[^A-Z0-9]/g, '') || 'x'
  return `${createdAt.toISOString().replace(/[-:.]/g, '')}_${plate}_${id}_${type}.jpg`
}
