import * as endpoints from '@rogatka/contract/certificates.ts'
import { laneId, laneOfId } from '@rogatka/contract/options.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { storable } from '../core/text.ts'
import { locations } from '../locations/public-api.ts'
import {
  attachmentBytes,
  type CheckedAttachment,
  checkAttachments,
  contentDisposition,
  parseFiles,
  putAttachments,
  removeAttachment,
} from '../tickets/public-api.ts'
import {
  archiveCertificate,
  certificateById,
  DEFAULT_PURPOSE,
  deleteCertificate,
  deleteScale,
  findCertificateFile,
  insertCertificate,
  insertScale,
  lockCertificate,
  type NewScale,
  type StoredCertificate,
  selectCertificates,
  selectPurposes,
  setFile,
  setRevoked,
  updateCertificate,
  updateScale,
  upsertPurpose,
} from './queries.ts'
import { certificateFieldsOf, listScales, lockScale, scaleLanes } from './scales.ts'

/** Folder of the files of a certificate. */
const folderOf = (id: number): string => `certificates/${id}`

/** The audit record of a scale with the certificate that was entered last. */
function scaleRecord({ name, kind, certificates: [latest] }: endpoints.Scale) {
  const { isEnteredLate, ...certificate } = latest as endpoints.ScaleCertificate
  return { name, kind, ...certificateFieldsOf(certificate), ...(isEnteredLate && { isEnteredLate }) }
}

/** The audit record of a certificate. */
const certificateRecord = ({ lane, location, ...certificate }: StoredCertificate) => ({
  locationId: location.id,
  laneNumber: lane.laneNumber,
  number: certificate.number,
  authority: certificate.authority,
  kind: certificate.kind,
  validFrom: certificate.validFrom,
  validUntil: certificate.validUntil,
  minSpeed: certificate.minSpeed,
  maxSpeed: certificate.maxSpeed,
})

type Values = {
  validFrom: string
  validUntil: string
  minSpeed?: number | null | undefined
  maxSpeed?: number | null | undefined
}

function checkValues({ validFrom, validUntil, minSpeed, maxSpeed }: Values): void {
  if (validUntil < validFrom) throw new Refusal('start-after-end', 422, 'validUntil')
  if (minSpeed != null && maxSpeed != null && minSpeed > maxSpeed)
    throw new Refusal('min-greater-than-max', 422, 'maxSpeed')
}

function requireScale(scale: endpoints.Scale | undefined): endpoints.Scale {
  if (!scale) throw new Refusal('scale-not-found', 404)
  return scale
}

const COMPARED_FIELDS = ['authority', 'validUntil', 'accuracyPercent'] as const

/**
 * What a change of a scale does to its certificates. `follow`: it enters another one, before which the latest is archived. A
 * used one is followed if number or first day differ, an unused one only if both do: one alone may correct a typing error.
 * `correct`: it overwrites the latest. `keep`: it names one that stays unchanged.
 * @throws 409 if it would change a certificate that was used for weighing
 */
function certificateChange(scale: endpoints.Scale, values: NewScale): 'follow' | 'correct' | 'keep' {
  const [latest, ...earlier] = scale.certificates
  const isNamed = ({ certificate, validFrom }: endpoints.ScaleCertificate) =>
    certificate === values.certificate && validFrom === values.validFrom
  const named = [latest, ...earlier].find((one) => one && isNamed(one))
  const isChanged = named && COMPARED_FIELDS.some((field) => named[field] !== values[field])
  if (named?.isUsed && isChanged) throw new Refusal('scale-certificate-in-use', 409, 'certificate')
  if (named && !isChanged) return 'keep'
  if (latest?.isUsed) return 'follow'
  const isOther = latest?.certificate !== values.certificate && latest?.validFrom !== values.validFrom
  return scale.isUsed && isOther ? 'follow' : 'correct'
}

function requireCertificate(certificate: StoredCertificate | undefined): StoredCertificate {
  if (!certificate) throw new Refusal('certificate-not-found', 404)
  return certificate
}

/** Figures may rely on a certificate from its first day on. */
const withUse = (certificate: StoredCertificate, now: Date): endpoints.LaneCertificate => ({
  ...certificate,
  isUsed: certificate.validFrom <= dateOf(now),
})

/**
 * Removes files to which no certificate refers: an earlier PDF, or a refused upload. The lock of the certificate orders this
 * with uploads of the same file: an earlier one has its row, so that the file stays; a later one stores it again.
 */
const removeUnused = (db: Pool, files: Files, id: number, digests: readonly string[]) =>
  db.transaction(async (db) => {
    const isStored = (await lockCertificate(db, id)) !== undefined
    const used = await findCertificateFile(db, id)
    if (!isStored) await files.removeFolder(folderOf(id))
    else for (const sha256 of digests) if (sha256 !== used?.sha256) await removeAttachment(files, sha256, folderOf(id))
  })

/** A locked certificate whose first day has not come, and that nobody changed meanwhile. */
async function lockUnused(db: Database, id: number, now: Date, version?: number): Promise<StoredCertificate> {
  const found = withUse(requireCertificate(await lockCertificate(db, id)), now)
  if (found.isUsed) throw new Refusal('certificate-in-use', 409)
  if (version !== undefined && version !== found.version) throw new Refusal('changed-meanwhile', 409)
  return found
}

/** @throws 404 if the station has no such lane */
async function findLane(db: Database, lane: number) {
  const { locationId, laneNumber } = laneOfId(lane)
  const location = (await locations(db)).find(({ id }) => id === locationId)
  const found = location?.lanes.find((it) => it.laneNumber === laneNumber)
  if (!location || !found) throw new Refusal('lane-not-found', 404, 'lane')
  return { shortName: location.shortName, locationId, laneNumber }
}

/** Registers the routes of static scales, and of certificates and purposes of WIM lanes. */
export function certificatesRoutes(api: Api, files: Files): void {
  const tryRemoveUnused = (id: number, digests: readonly string[]) =>
    removeUnused(api.db, files, id, digests).catch((error) => {
      api.http.log.warn({ err: error }, 'certificates: unused file not removed')
    })

  route(api, endpoints.scales, ({ db, now }) => listScales(db, now))

  route(api, endpoints.addScale, async ({ db, now, session, request, body }) => {
    checkValues(body)
    return db.transaction(async (db) => {
      const [found] = await listScales(db, now, await insertScale(db, body, now))
      const added = requireScale(found)
      await audit(
        db,
        { session, request, now },
        { action: 'scale-added', subject: added.name, after: scaleRecord(added) },
      )
      return added
    })
  })

  route(api, endpoints.changeScale, async ({ db, now, session, request, params, body: { version, ...values } }) => {
    checkValues(values)
    return db.transaction(async (db) => {
      const before = requireScale(await lockScale(db, params.id, now))
      if ((version ?? before.version) !== before.version) throw new Refusal('changed-meanwhile', 409)
      const change = certificateChange(before, values)
      if (change === 'follow') await archiveCertificate(db, before.id)
      await updateScale(db, before.id, values, change === 'keep' ? null : now)
      const after = requireScale((await listScales(db, now, before.id))[0])
      const records = { before: scaleRecord(before), after: scaleRecord(after) }
      await audit(db, { session, request, now }, { action: 'scale-changed', subject: after.name, ...records })
      return after
    })
  })

  route(api, endpoints.removeScale, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const scale = requireScale(await lockScale(db, params.id, now))
      if (scale.isUsed) throw new Refusal('scale-in-use', 409)
      await deleteScale(db, scale.id)
      await audit(
        db,
        { session, request, now },
        { action: 'scale-deleted', subject: scale.name, before: scaleRecord(scale) },
      )
    })
  })

  route(api, endpoints.lanes, async ({ db, now, query }) => {
    const [stations, certificates, purposes] = [
      await locations(db),
      await selectCertificates(db),
      await selectPurposes(db),
    ]
    const ofLane = Map.groupBy(certificates, ({ lane }) => lane.id)
    const ofStation = Map.groupBy(certificates, ({ location }) => location.id)
    return stations
      .filter(({ id }) => !query.locations?.length || query.locations.includes(id))
      .toSorted((a, b) => a.id - b.id)
      .flatMap((station) => {
        const { id, shortName } = station
        const scales = scaleLanes(station)
        const certified = (ofStation.get(id) ?? []).map(({ lane }) => lane.laneNumber)
        const numbers = [...scales.union(new Set(certified))].toSorted((a, b) => a - b)
        return numbers.map((laneNumber) => ({
          id: laneId(id, laneNumber),
          laneNumber,
          location: { id, shortName },
          hasScale: scales.has(laneNumber),
          purpose: purposes.get(laneId(id, laneNumber)) ?? DEFAULT_PURPOSE,
          certificates: (ofLane.get(laneId(id, laneNumber)) ?? []).map((it) => withUse(it, now)),
        }))
      })
  })

  route(api, endpoints.addCertificate, async ({ db, now, session, request, body: { lane, ...values } }) => {
    checkValues(values)
    return db.transaction(async (db) => {
      const { shortName } = await findLane(db, lane)
      const added = requireCertificate(await certificateById(db, await insertCertificate(db, lane, values)))
      const after = certificateRecord(added)
      await audit(db, { session, request, now }, { action: 'certificate-added', subject: shortName, after })
      return withUse(added, now)
    })
  })

  route(api, endpoints.changeCertificate, async ({ db, now, session, request, params, body }) => {
    const { version, ...values } = body
    checkValues(values)
    return db.transaction(async (db) => {
      const before = await lockUnused(db, params.id, now, version)
      await updateCertificate(db, before.id, values)
      const after = requireCertificate(await certificateById(db, before.id))
      const records = { before: certificateRecord(before), after: certificateRecord(after) }
      const subject = after.location.shortName
      await audit(db, { session, request, now }, { action: 'certificate-changed', subject, ...records })
      return withUse(after, now)
    })
  })

  route(api, endpoints.removeCertificate, async ({ db, now, session, request, params }) => {
    await db.transaction(async (db) => {
      const found = await lockUnused(db, params.id, now)
      await deleteCertificate(db, found.id)
      const before = certificateRecord(found)
      await audit(
        db,
        { session, request, now },
        { action: 'certificate-deleted', subject: found.location.shortName, before },
      )
    })
    await tryRemoveUnused(params.id, [])
  })

  route(api, endpoints.revokeCertificate, async ({ db, now, session, request, params, body }) =>
    db.transaction(async (db) => {
      const found = requireCertificate(await lockCertificate(db, params.id))
      if (found.revoked) throw new Refusal('certificate-revoked', 409)
      if ((body.version ?? found.version) !== found.version) throw new Refusal('changed-meanwhile', 409)
      const reason = storable(body.reason)
      await setRevoked(db, found.id, session.username, reason, now)
      const records = { before: certificateRecord(found), after: { reason } }
      const subject = found.location.shortName
      await audit(db, { session, request, now }, { action: 'certificate-revoked', subject, ...records })
      return withUse(requireCertificate(await certificateById(db, found.id)), now)
    }),
  )

  route(api, endpoints.storeCertificateFile, async ({ db, now, session, request, params }) => {
    // Checked before the file is stored.
    requireCertificate(await certificateById(db, params.id))
    const uploads = await parseFiles(request)
    const [upload] = uploads
    if (!upload || uploads.length > 1) throw new Refusal('list-too-long', 422, 'attachment')
    const [checked] = (await checkAttachments([upload], ['application/pdf'])) as [CheckedAttachment]
    const { bytes: _, ...stored } = checked
    const replace = async (db: Database) => {
      const found = withUse(requireCertificate(await lockCertificate(db, params.id)), now)
      const existing = await findCertificateFile(db, found.id)
      // Idempotent after a lost response.
      if (existing?.sha256 === stored.sha256) return { certificate: found }
      if (existing && found.isUsed) throw new Refusal('certificate-in-use', 409)
      // A deletion may have removed it meanwhile.
      if (!(await attachmentBytes(files, stored, folderOf(found.id))))
        await putAttachments(files, [checked], folderOf(found.id))
      await setFile(db, found.id, stored)
      await audit(
        db,
        { session, request, now },
        {
          action: 'certificate-file-stored',
          subject: found.location.shortName,
          after: { number: found.number, fileName: stored.name },
        },
      )
      return { certificate: withUse(requireCertificate(await certificateById(db, found.id)), now), replaced: existing }
    }
    try {
      await putAttachments(files, [checked], folderOf(params.id))
      const { certificate, replaced } = await db.transaction(replace)
      if (replaced) await tryRemoveUnused(params.id, [replaced.sha256])
      return certificate
    } catch (error) {
      await tryRemoveUnused(params.id, [stored.sha256])
      throw error
    }
  })

  route(api, endpoints.certificateFile, async ({ db, params, reply }) => {
    const file = await findCertificateFile(db, params.id)
    const bytes = file && (await attachmentBytes(files, file, folderOf(params.id)))
    if (!file || !bytes) throw new Refusal('certificate-not-found', 404)
    reply
      .type('application/pdf')
      .header('content-disposition', contentDisposition(file.name))
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(bytes)
  })

  route(api, endpoints.changePurpose, async ({ db, now, session, request, params, body: { purpose } }) => {
    await db.transaction(async (db) => {
      const { shortName, laneNumber } = await findLane(db, params.id)
      const before = (await selectPurposes(db)).get(params.id) ?? DEFAULT_PURPOSE
      await upsertPurpose(db, params.id, purpose)
      const records = { before: { laneNumber, purpose: before }, after: { laneNumber, purpose } }
      await audit(db, { session, request, now }, { action: 'lane-purpose-changed', subject: shortName, ...records })
    })
  })
}
