import type { LaneCertificate, LanePurpose, Scale, ScaleCertificate } from '@rogatka/contract/certificates.ts'
import { laneId, laneOfId } from '@rogatka/contract/options.ts'
import type { Database } from '../core/database.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'

export type NewScale = Pick<
  Scale,
  'name' | 'kind' | 'certificate' | 'authority' | 'validFrom' | 'validUntil' | 'accuracyPercent'
>

export type ScaleRow = Pick<Scale, 'id' | 'name' | 'kind' | 'isUsed' | 'version'>

/** Scales by name, without their certificates; one by its id. */
export const selectScales = (db: Database, id?: number) =>
  db.query<ScaleRow>(sql`
  select id, name, kind, first_used_at is not null as "isUsed", version
  from static_scale
  where ${id === undefined ? sql`true` : sql`id = ${id}`}
  order by name collate "und-x-icu", id`)

/** Locks a scale until the transaction ends. */
export const lockScaleRow = (db: Database, id: number) =>
  db.query(sql`select from static_scale where id = ${id} for update`)

const scaleColumns = ({ name, certificate, authority, kind, ...values }: NewScale) => ({
  name,
  certificate,
  authority,
  valid_from: values.validFrom,
  valid_until: values.validUntil,
  accuracy: Math.round(values.accuracyPercent * 10),
  kind,
})

export async function insertScale(db: Database, scale: NewScale, now: Date): Promise<number> {
  const columns = { ...scaleColumns(scale), certificate_entered_at: now }
  const [row] = await db.query<{ id: number }>(sql`insert into static_scale ${valuesOf(columns)} returning id`)
  return row?.id as number
}

/** Updates a locked scale, and its latest certificate unless `enteredAt` is null. */
export function updateScale(db: Database, id: number, scale: NewScale, enteredAt: Date | null) {
  const { name, kind, ...certificate } = scaleColumns(scale)
  const entered = enteredAt && { ...certificate, certificate_entered_at: enteredAt }
  return db.execute(sql`
    update static_scale set ${assignments({ name, kind, ...entered })}, version = version + 1 where id = ${id}`)
}

export type CertificateOfScale = Omit<ScaleCertificate, 'isEnteredLate'> & { scaleId: number }

/** Certificates of all scales or of one, by scale: the one entered last, from its row, then the earlier ones. */
export const scaleCertificates = (db: Database, id?: number) =>
  db.query<CertificateOfScale>(sql`
  select scale_id as "scaleId", certificate, authority, valid_from::text as "validFrom",
         valid_until::text as "validUntil", (accuracy / 10.0)::float8 as "accuracyPercent", is_used as "isUsed",
         entered_at as "enteredAt"
  from (
    select 0 as ordinal, id as scale_id, certificate, authority, valid_from, valid_until, accuracy,
           certificate_used_at is not null as is_used, certificate_entered_at as entered_at
    from static_scale
    union all
    select id, scale_id, certificate, authority, valid_from, valid_until, accuracy, true, entered_at
    from static_scale_certificate
  ) as c
  where ${id === undefined ? sql`true` : sql`scale_id = ${id}`}
  order by scale_id, ordinal > 0, ordinal desc`)

/** Copies the latest certificate of a locked scale to the earlier ones, before another one follows it. */
export async function archiveCertificate(db: Database, id: number): Promise<void> {
  await db.execute(sql`
    insert into static_scale_certificate (scale_id, certificate, authority, valid_from, valid_until, accuracy, entered_at)
    select id, certificate, authority, valid_from, valid_until, accuracy, certificate_entered_at
    from static_scale where id = ${id}`)
  await db.execute(sql`update static_scale set certificate_used_at = null where id = ${id}`)
}

export const deleteScale = (db: Database, id: number) => db.execute(sql`delete from static_scale where id = ${id}`)

/**
 * Records that an inspection uses a scale by its latest certificate; it is not deleted until the transaction ends, and never
 * afterwards.
 */
export const markScaleUsed = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update static_scale
  set first_used_at = coalesce(first_used_at, ${now}::timestamptz),
      certificate_used_at = coalesce(certificate_used_at, ${now}::timestamptz)
  where id = ${id}`)

type CertificateRow = Omit<LaneCertificate, 'lane' | 'location' | 'revoked' | 'file' | 'isUsed'> & {
  locationId: number
  laneNumber: number
  shortName: string
  revokedAt: Date | null
  revokedBy: string | null
  revokeReason: string | null
  fileName: string | null
  fileSize: number | null
}

/** `isUsed` is computed with the Warsaw day of `now`. */
export type StoredCertificate = Omit<LaneCertificate, 'isUsed'>

/** Certificates, the latest first: of all lanes, of one (`laneId`), or one by its id. */
export async function selectCertificates(
  db: Database,
  { id, lane }: { id?: number; lane?: number } = {},
): Promise<StoredCertificate[]> {
  const ofLane = lane === undefined ? undefined : laneOfId(lane)
  const rows = await db.query<CertificateRow>(sql`
    select c.id, c.location_id as "locationId", c.lane_number as "laneNumber", l.short_name as "shortName", c.number,
           c.authority, c.kind, c.valid_from::text as "validFrom", c.valid_until::text as "validUntil",
           c.min_speed as "minSpeed", c.max_speed as "maxSpeed", c.revoked_at as "revokedAt",
           c.revoked_by as "revokedBy", c.revoke_reason as "revokeReason", c.file_name as "fileName",
           c.file_size as "fileSize", c.version
    from lane_certificate c
    join location l on l.id = c.location_id
    where ${id === undefined ? sql`true` : sql`c.id = ${id}`}
      and ${ofLane ? sql`c.location_id = ${ofLane.locationId} and c.lane_number = ${ofLane.laneNumber}` : sql`true`}
    order by c.valid_from desc, c.id desc`)
  return rows.map(
    ({ locationId, laneNumber, shortName, revokedAt, revokedBy, revokeReason, fileName, fileSize, ...row }) => ({
      ...row,
      lane: { id: laneId(locationId, laneNumber), laneNumber },
      location: { id: locationId, shortName },
      revoked: revokedAt && { at: revokedAt, by: revokedBy ?? '', reason: revokeReason ?? '' },
      file: fileName === null ? null : { name: fileName, size: fileSize ?? 0 },
    }),
  )
}

export const certificateById = async (db: Database, id: number): Promise<StoredCertificate | undefined> =>
  (await selectCertificates(db, { id }))[0]

/** Locks a certificate until the transaction ends. */
export async function lockCertificate(db: Database, id: number): Promise<StoredCertificate | undefined> {
  await db.query(sql`select from lane_certificate where id = ${id} for update`)
  return certificateById(db, id)
}

type CertificateValues = {
  number: string
  authority: string
  kind: string
  validFrom: string
  validUntil: string
  minSpeed?: number | null | undefined
  maxSpeed?: number | null | undefined
}

const certificateColumns = (values: CertificateValues) => ({
  number: values.number,
  authority: values.authority,
  kind: values.kind,
  valid_from: values.validFrom,
  valid_until: values.validUntil,
  min_speed: values.minSpeed ?? null,
  max_speed: values.maxSpeed ?? null,
})

export async function insertCertificate(db: Database, lane: number, values: CertificateValues): Promise<number> {
  const { locationId, laneNumber } = laneOfId(lane)
  const columns = { location_id: locationId, lane_number: laneNumber, ...certificateColumns(values) }
  const [row] = await db.query<{ id: number }>(sql`insert into lane_certificate ${valuesOf(columns)} returning id`)
  return row?.id as number
}

/** Updates a locked certificate. */
export const updateCertificate = (db: Database, id: number, values: CertificateValues) =>
  db.execute(sql`
  update lane_certificate set ${assignments(certificateColumns(values))}, version = version + 1 where id = ${id}`)

export const deleteCertificate = (db: Database, id: number) =>
  db.execute(sql`delete from lane_certificate where id = ${id}`)

export const setRevoked = (db: Database, id: number, by: string, reason: string, now: Date) =>
  db.execute(sql`
  update lane_certificate
  set revoked_at = ${now}::timestamptz, revoked_by = ${by}, revoke_reason = ${reason}, version = version + 1
  where id = ${id}`)

type StoredFile = { name: string; size: number; sha256: string }

export const setFile = (db: Database, id: number, file: StoredFile) =>
  db.execute(sql`
  update lane_certificate
  set file_name = ${file.name}, file_size = ${file.size}, file_sha256 = decode(${file.sha256}, 'hex'),
      version = version + 1
  where id = ${id}`)

/** The stored file of a certificate; undefined without one. */
export async function findCertificateFile(db: Database, id: number): Promise<StoredFile | undefined> {
  const [file] = await db.query<StoredFile>(sql`
    select file_name as name, file_size as size, encode(file_sha256, 'hex') as sha256
    from lane_certificate where id = ${id} and file_sha256 is not null`)
  return file
}

/** The purpose of a lane until one is set. */
export const DEFAULT_PURPOSE: LanePurpose = 'preselection'

/** Purpose and certificates of a lane. */
export const certifiedLane = async (db: Database, lane: number) => ({
  purpose: (await selectPurposes(db)).get(lane) ?? DEFAULT_PURPOSE,
  certificates: await selectCertificates(db, { lane }),
})

/** Purposes that were set, by lane id. */
export async function selectPurposes(db: Database): Promise<Map<number, LanePurpose>> {
  const rows = await db.query<{ locationId: number; laneNumber: number; purpose: LanePurpose }>(sql`
    select location_id as "locationId", lane_number as "laneNumber", purpose from lane_purpose`)
  return new Map(rows.map(({ locationId, laneNumber, purpose }) => [laneId(locationId, laneNumber), purpose]))
}

export const upsertPurpose = (db: Database, lane: number, purpose: LanePurpose) => {
  const { locationId, laneNumber } = laneOfId(lane)
  return db.execute(sql`
    insert into lane_purpose (location_id, lane_number, purpose) values (${locationId}, ${laneNumber}, ${purpose})
    on conflict (location_id, lane_number) do update set purpose = excluded.purpose`)
}
