import { createHash } from 'node:crypto'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import type { InspectionStatus } from '@rogatka/domain/inspections/states.ts'
import { assertNotAnonymised } from '../core/anonymity.ts'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { MAX_PHOTO_PIXELS } from '../core/image-scaler.ts'
import { type Look, shownOf } from '../core/look.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { sendFile } from '../core/send-file.ts'
import type { Session } from '../core/sessions.ts'
import { checkAttachment, parseFiles } from '../tickets/public-api.ts'
import { copiedImagePath, photoPath, vehicleOf } from './copy.ts'
import { withDetails } from './detail.ts'
import { deletePhoto, hadPhoto, imagesOfInspections, insertPhoto, photosOfInspections } from './file-queries.ts'
import { type InspectionRow, inspectionById, lockInspection } from './queries.ts'
import { actorOf, requireVisible } from './steps.ts'
import { numberOf, plateOf, statusOf, toInspection } from './view.ts'

/** @throws 403, or 422 unless the officer works on the inspection */
function assertPhotosChangeable(status: InspectionStatus, session: Session): void {
  const { userId, isReviewer } = actorOf(session)
  if (status.state !== 'takenOver' && status.state !== 'weighed') throw new Refusal('state-not-allowed', 422)
  if (status.officerId !== userId && !isReviewer) throw new Refusal('forbidden', 403)
}

/** An inspection whose photos this user may change, locked, and its photos. */
async function lockPhotos(db: Database, id: number, session: Session, now: Date) {
  const row = requireVisible(await lockInspection(db, id), session, now)
  assertPhotosChangeable(statusOf(row), session)
  return { row, stored: await photosOfInspections(db, [row.id]) }
}

/** Audits a change of the photos of an inspection, by their number. */
const auditPhotos = (
  db: Database,
  actor: Actor,
  inspection: InspectionRow,
  { before, after }: { before: number; after: number },
) =>
  audit(db, actor, {
    action: 'inspection-photos-changed',
    subject: numberOf(inspection),
    before: { photos: before },
    after: { photos: after },
  })

/** Stores a file again if the deletion of the same photo has removed it meanwhile. */
async function ensureFile(files: Files, path: string, bytes: Buffer): Promise<void> {
  if (!(await files.get(path))) await files.put(path, bytes)
}

/**
 * Removes files that no photo has: of a deleted photo, after its row, or of a refused upload. The lock of the inspection
 * keeps out an upload of the same photo: one before has a row, so that the file stays, one after stores it again.
 */
const removeUnused = (db: Pool, files: Files, inspectionId: number, digests: readonly string[]) =>
  db.transaction(async (db) => {
    // No rows if the inspection has been deleted.
    await lockInspection(db, inspectionId)
    const used = new Set((await photosOfInspections(db, [inspectionId])).map(({ sha256 }) => sha256))
    for (const sha256 of digests) if (!used.has(sha256)) await files.remove(photoPath(inspectionId, sha256))
  })

/** Which files are photos: their pixels are limited, as the record shows them. */
const PHOTO_CHECK = { unaccepted: 'photo-kind-not-accepted', maxPixels: MAX_PHOTO_PIXELS } as const

/** A look at a photo of an inspected vehicle. */
function lookAtPhoto(row: InspectionRow): Look {
  const vehicle = vehicleOf(row)
  return { kind: 'image', results: 1, shown: shownOf([plateOf(row).plateLpr]), ...(vehicle && { vehicle }) }
}

/** Registers the routes of photos, and of copied images of the measurement. */
export function photoRoutes(api: Api, files: Files): void {
  const tryRemoveUnused = (inspectionId: number, digests: readonly string[]) =>
    removeUnused(api.db, files, inspectionId, digests).catch((error) => {
      api.http.log.warn({ err: error }, 'inspections: unused file of a photo not removed')
    })

  route(api, endpoints.addPhotos, async ({ db, now, session, params, request }) => {
    assertNotAnonymised(session)
    // Checked before files are read and stored.
    const found = requireVisible(await inspectionById(db, params.id), session, now)
    assertPhotosChangeable(statusOf(found), session)
    const added: { type: (typeof endpoints.photoTypes)[number]; size: number; sha256: string; bytes: Buffer }[] = []
    for (const { bytes } of await parseFiles(request)) {
      const type = await checkAttachment(bytes, endpoints.photoTypes, PHOTO_CHECK)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      added.push({ type, size: bytes.length, sha256, bytes })
    }
    const insertAll = async (db: Database) => {
      const { row, stored } = await lockPhotos(db, params.id, session, now)
      // Idempotent after a lost answer.
      const existing = new Set(stored.map(({ sha256 }) => sha256))
      const others = [...new Map(added.map((photo) => [photo.sha256, photo])).values()].filter(
        ({ sha256 }) => !existing.has(sha256),
      )
      if (stored.length + others.length > endpoints.MAX_PHOTOS) throw new Refusal('too-many-photos', 422, 'attachment')
      for (const { bytes, ...photo } of others) {
        await ensureFile(files, photoPath(row.id, photo.sha256), bytes)
        await insertPhoto(db, row.id, { ...photo, userId: session.userId }, now)
      }
      const counts = { before: stored.length, after: stored.length + others.length }
      if (others.length > 0) await auditPhotos(db, { session, request, now }, row, counts)
      const changed = (await inspectionById(db, row.id)) as InspectionRow
      return withDetails(db, changed, await toInspection(db, changed), now)
    }
    try {
      for (const { sha256, bytes } of added) await files.put(photoPath(found.id, sha256), bytes)
      return await db.transaction(insertAll)
    } catch (error) {
      const digests = added.map(({ sha256 }) => sha256)
      await tryRemoveUnused(found.id, digests)
      throw error
    }
  })

  route(api, endpoints.photoFile, async ({ db, now, session, params, reply, look }) => {
    assertNotAnonymised(session)
    const row = requireVisible(await inspectionById(db, params.id), session, now)
    const photo = (await photosOfInspections(db, [row.id])).find(({ number }) => number === params.number)
    reply.header('x-content-type-options', 'nosniff')
    await look(photo ? lookAtPhoto(row) : null)
    const isSent = photo && (await sendFile(reply, files, { ...photo, path: photoPath(row.id, photo.sha256) }))
    if (!isSent) throw new Refusal('photo-not-found', 404)
  })

  route(api, endpoints.removePhoto, async ({ db, now, session, params, request }) => {
    assertNotAnonymised(session)
    const deleted = await db.transaction(async (db) => {
      const { row, stored } = await lockPhotos(db, params.id, session, now)
      const photo = stored.find(({ number }) => number === params.number)
      if (!photo) {
        // Repeated after a lost answer.
        if (await hadPhoto(db, row.id, params.number)) return null
        throw new Refusal('photo-not-found', 404)
      }
      await deletePhoto(db, row.id, photo.number)
      const counts = { before: stored.length, after: stored.length - 1 }
      await auditPhotos(db, { session, request, now }, row, counts)
      return photo
    })
    if (deleted) await tryRemoveUnused(params.id, [deleted.sha256])
  })

  route(api, endpoints.passageImage, async ({ db, now, session, params, reply, look }) => {
    assertNotAnonymised(session)
    const row = requireVisible(await inspectionById(db, params.id), session, now)
    const type = imageTypes.indexOf(params.type) + 1
    const image = (await imagesOfInspections(db, [row.id])).find((it) => it.type === type)
    await look(image ? lookAtPhoto(row) : null)
    const isSent =
      image && (await sendFile(reply, files, { ...image, path: copiedImagePath(row.id, image), type: 'image/jpeg' }))
    if (!isSent) throw new Refusal('image-not-found', 404)
  })
}
