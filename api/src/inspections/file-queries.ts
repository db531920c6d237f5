import type { photoTypes } from '@rogatka/contract/inspections.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** A copied image; `type`: position in `imageTypes`, from 1. */
export type CopiedImage = { type: number; size: number; sha256: string }

export type StoredPhoto = { number: number; type: (typeof photoTypes)[number]; size: number; sha256: string }

/** The copied images of inspections, by type. */
export const imagesOfInspections = (db: Database, ids: readonly number[]) =>
  db.query<CopiedImage & { inspectionId: number }>(sql`
  select inspection_id as "inspectionId", type, size, encode(sha256, 'hex') as sha256
  from inspection_image where inspection_id = any(${ids.map(String)}::bigint[])
  order by inspection_id, type`)

/** Records a copied image; one of the same type is kept. */
export const insertImage = (db: Database, inspectionId: number, { type, size, sha256 }: CopiedImage) =>
  db.execute(sql`
  insert into inspection_image (inspection_id, type, size, sha256)
  values (${inspectionId}, ${type}, ${size}, decode(${sha256}, 'hex'))
  on conflict do nothing`)

/** The photos of inspections, by number. */
export const photosOfInspections = (db: Database, ids: readonly number[]) =>
  db.query<StoredPhoto & { inspectionId: number }>(sql`
  select inspection_id as "inspectionId", number, type, size, encode(sha256, 'hex') as sha256
  from inspection_photo where inspection_id = any(${ids.map(String)}::bigint[])
  order by inspection_id, number`)

type NewPhoto = Omit<StoredPhoto, 'number'> & { userId: number }

/** Adds a photo to a locked inspection, with a number that none had before. */
export const insertPhoto = (db: Database, inspectionId: number, photo: NewPhoto, now: Date) =>
  db.execute(sql`
  with numbered as (
    update inspection set last_photo = last_photo + 1 where id = ${inspectionId} returning id, last_photo
  )
  insert into inspection_photo (inspection_id, number, type, size, sha256, added_at, added_by)
  select id, last_photo, ${photo.type}, ${photo.size}::int, decode(${photo.sha256}, 'hex'), ${now}::timestamptz,
         ${photo.userId}::int
  from numbered`)

/** Whether an inspection ever had a photo with this number, which no other one gets. */
export async function hadPhoto(db: Database, inspectionId: number, number: number): Promise<boolean> {
  const [found] = await db.query<{ had: boolean }>(sql`
    select ${number}::int between 1 and last_photo as had from inspection where id = ${inspectionId}`)
  return found?.had ?? false
}

export const deletePhoto = (db: Database, inspectionId: number, number: number) =>
  db.execute(sql`
  delete from inspection_photo where inspection_id = ${inspectionId} and number = ${number}`)
