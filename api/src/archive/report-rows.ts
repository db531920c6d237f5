import { type Image, type ImageType, imageTypes, type Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Files } from '../core/files.ts'
import { blurImage } from '../core/image-scaler.ts'
import { fitToHeight, type ReportImage } from '../reports/report-image.ts'
import type { RowBatches } from '../reports/table.ts'
import { pathOfImage } from '../vehicle/queries.ts'
import type { ListVehicle } from './list-vehicle.ts'

/** A row of a report: the vehicle, and its picture where the report shows any. */
export type ReportRow = { vehicle: ListVehicle; picture?: RowImage }
type RowImage = { name: string; sha256: string; bytes: Buffer; shown: ReportImage | null }

/** So many pictures are fetched and scaled at once; twice as many rows go on together. */
const CONCURRENCY = 4
/** px; three times as high as it is shown, for print. */
const SHOWN_HEIGHT = 180
/** The one picture that a list shows: the first of these that there is. */
const PREFERRED: readonly ImageType[] = ['front', 'overview', 'rear', 'side', 'plate']

/** Rows without pictures. */
export async function* withoutPictures(batches: RowBatches<ListVehicle>): AsyncGenerator<ReportRow[]> {
  for await (const batch of batches) yield batch.map((vehicle) => ({ vehicle }))
}

/** `scaled` where pictures are shown, else only the originals are fetched; `blurred` for those who may not see whose they are. */
type Shown = { scaled: boolean; blurred: boolean }

/** Rows with their pictures, a few at a time. */
export async function* withPictures(
  batches: RowBatches<Vehicle>,
  files: Files,
  how: Shown,
): AsyncGenerator<ReportRow[]> {
  for await (const batch of batches) {
    for (let at = 0; at < batch.length; at += CONCURRENCY) {
      yield await Promise.all(batch.slice(at, at + CONCURRENCY).map((vehicle) => withImage(vehicle, files, how)))
    }
  }
}

async function withImage(vehicle: Vehicle, files: Files, { scaled, blurred }: Shown): Promise<ReportRow> {
  const image = selectImage(vehicle)
  const received = image && (await files.get(pathOf(vehicle, image)))
  if (!received) return { vehicle }
  const bytes = blurred ? await blurImage(received) : received
  const picture = { name: nameOf(vehicle, image), sha256: image.sha256, bytes }
  return { vehicle, picture: { ...picture, shown: scaled ? await fitToHeight(bytes, SHOWN_HEIGHT) : null } }
}

type Kept = Image & { sha256: string }

function selectImage({ images = [] }: Vehicle): Kept | null {
  const kept = images.filter((image): image is Kept => image.sha256 !== undefined)
  return PREFERRED.map((type) => kept.find((image) => image.type === type)).find((image) => image !== undefined) ?? null
}

function pathOf(vehicle: Vehicle, { type, sha256 }: Kept): string {
  const key = { locationId: vehicle.location.id, createdAt: vehicle.createdAt, id: vehicle.id }
  return pathOfImage(key, { type: imageTypes.indexOf(type) + 1, sha256 })
}

/** Unlike any other in the report, and telling by itself: 20261020T080000123Z_WX12345_7697_front.jpg */
function nameOf({ id, createdAt, plateLpr }: Vehicle, { type }: Image): string {
  const plate = plateLpr?.replace(/[^A-Z0-9]/g, '') || 'x'
  return `${createdAt.toISOString().replace(/[-:.]/g, '')}_${plate}_${id}_${type}.jpg`
}
