import type { ChainHead } from '@rogatka/domain/evidence/anchor.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'
import type { PassageSeal } from './passage-queries.ts'

/** An anchor as stored. */
export type StoredAnchor = {
  number: number
  at: Date
  text: string
  sha256: Buffer
  auditSeq: number
  /** Null: not copied yet. */
  copiedAt: Date | null
}

const COLUMNS = sql`number, at, text, sha256, audit_seq as "auditSeq", copied_at as "copiedAt"`

export async function lastAnchor(db: Database): Promise<StoredAnchor | null> {
  const [last] = await db.query<StoredAnchor>(sql`
    select ${COLUMNS} from evidence_anchor order by number desc limit 1`)
  return last ?? null
}

export const anchorsInOrder = (db: Database) =>
  db.query<StoredAnchor>(sql`select ${COLUMNS} from evidence_anchor order by number`)

export const insertAnchor = (db: Database, { number, at, text, sha256, auditSeq }: Omit<StoredAnchor, 'copiedAt'>) =>
  db.execute(sql`
    insert into evidence_anchor (number, at, text, sha256, audit_seq)
    values (${number}, ${at}::timestamptz, ${text}, ${sha256}, ${auditSeq})`)

/** Anchors that were not copied, oldest first. */
export const anchorsToCopy = (db: Database) =>
  db.query<StoredAnchor>(sql`select ${COLUMNS} from evidence_anchor where copied_at is null order by number`)

/** Number of anchors of before a time that were not copied. */
export async function countAnchorsToCopy(db: Database, before: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from evidence_anchor where copied_at is null and at < ${before}::timestamptz`)
  return row?.count ?? 0
}

export const setCopied = (db: Database, number: number, at: Date) =>
  db.execute(sql`update evidence_anchor set copied_at = ${at}::timestamptz where number = ${number}`)

/** Time stamps of anchors that were not copied, oldest first. */
export const anchorStampsToCopy = (db: Database) =>
  db.query<{ number: number; sha256: Buffer; token: Buffer }>(sql`
  select a.number, a.sha256, s.token
  from evidence_anchor a
  join stamp_request s on s.imprint = a.sha256
  where a.stamp_copied_at is null and s.token is not null
  order by a.number`)

export const setStampCopied = (db: Database, number: number, at: Date) =>
  db.execute(sql`update evidence_anchor set stamp_copied_at = ${at}::timestamptz where number = ${number}`)

/** All anchors with their time stamps, in order; `token` null: it was not given yet. */
export const anchorStamps = (db: Database) =>
  db.query<{
    number: number
    at: Date
    sha256: Buffer
    isRequested: boolean
    token: Buffer | null
    isStampCopied: boolean
  }>(sql`
  select a.number, a.at, a.sha256, s.id is not null as "isRequested", s.token,
         a.stamp_copied_at is not null as "isStampCopied"
  from evidence_anchor a
  left join stamp_request s on s.imprint = a.sha256
  order by a.number`)

/** The ends of the chains of these logs and of all stations. One row is read for each chain, not all of its links. */
export const allHeads = (db: Database, names: readonly string[]) =>
  db.query<ChainHead>(sql`
  select c.name as chain, null::int as "locationId", s.seq, encode(s.hash, 'hex') as hash
  from unnest(${[...names]}::text[]) as c (name)
  cross join lateral (select seq, hash from log_seal where chain = c.name order by seq desc limit 1) s
  union all
  select 'passages', l.id, s.number, encode(s.seal, 'hex')
  from location l
  cross join lateral (select number, seal from passage_seal where location_id = l.id order by number desc limit 1) s
  order by 1, 2 nulls first`)

/** The last seal of each of these stations. One row is read for each, not all of its seals. */
export const lastSeals = (db: Database, locationIds: readonly number[]) =>
  db.query<Pick<PassageSeal, 'locationId' | 'number' | 'seal'>>(sql`
  select l.id as "locationId", s.number, s.seal
  from unnest(${[...locationIds]}::int[]) as l (id)
  cross join lateral (
    select number, seal from passage_seal where location_id = l.id order by number desc limit 1
  ) s`)

/** The hash of a link of a log, or the seal of a station, in hexadecimal digits; undefined: there is none. */
export async function hashAt(
  db: Database,
  { chain, locationId, seq }: Pick<ChainHead, 'chain' | 'locationId' | 'seq'>,
): Promise<string | undefined> {
  const [row] = await db.query<{ hash: string }>(
    locationId === null
      ? sql`select encode(hash, 'hex') as hash from log_seal where chain = ${chain} and seq = ${seq}`
      : sql`
        select encode(seal, 'hex') as hash from passage_seal where location_id = ${locationId} and number = ${seq}`,
  )
  return row?.hash
}

/** Result of a verification; `fault` null: everything holds. */
export type EvidenceCheck = { startedAt: Date; endedAt: Date; links: number; seals: number; fault: string | null }

export const insertCheck = (db: Database, { startedAt, endedAt, links, seals, fault }: EvidenceCheck) =>
  db.execute(sql`
    insert into evidence_check (started_at, ended_at, links, seals, fault)
    values (${startedAt}::timestamptz, ${endedAt}::timestamptz, ${links}, ${seals}, ${fault})`)

/** Prefix of the fault of a verification that itself failed. */
export const CHECK_FAILED = 'the check failed: '

const isComplete = sql`(fault is null or not starts_with(fault, ${CHECK_FAILED}))`

const findLastCheck = async (db: Database, condition: Statement): Promise<EvidenceCheck | null> => {
  const [check] = await db.query<EvidenceCheck>(sql`
    select started_at as "startedAt", ended_at as "endedAt", links, seals, fault
    from evidence_check where ${condition} order by id desc limit 1`)
  return check ?? null
}

/** The latest verification. */
export const lastCheck = (db: Database) => findLastCheck(db, sql`true`)

/** The latest verification that did not fail. */
export const lastCompleteCheck = (db: Database) => findLastCheck(db, sql`${isComplete}`)

/** Anchors since a time, oldest first. */
export const anchorsSince = (db: Database, since: Date) =>
  db.query<StoredAnchor>(sql`
  select ${COLUMNS} from evidence_anchor where at >= ${since}::timestamptz order by number`)

/** Key of a check that was requested, so that one waits at a time. */
const REQUESTED_CHECK = 'requested-check'
/** A check that has run for longer ended with its process: the queue would wait 4 hours for it. */
const MAX_CHECK = '1 hour'

/** Whether a check waits or runs, also the nightly one. */
const isCheckDue = (job: string) => sql`
  exists (
    select from graphile_worker.jobs
    where task_identifier = ${job}
      and (locked_at > now() - ${MAX_CHECK}::interval
        or key = ${REQUESTED_CHECK} and locked_at is null and attempts < max_attempts))`

/** Queues a job that checks the chains, unless one waits, runs, or has ended since a time. Its second attempt is the last. */
export const insertCheckRequest = (db: Database, job: string, since: Date) =>
  db.query(sql`
  select graphile_worker.add_job(${job}, job_key := ${REQUESTED_CHECK}, max_attempts := 2)
  where not ${isCheckDue(job)}
    and not exists (select from evidence_check where ended_at > ${since}::timestamptz)`)

/** Whether a check waits that was requested, or one runs. */
export async function isCheckRequested(db: Database, job: string): Promise<boolean> {
  const [row] = await db.query<{ isRequested: boolean }>(sql`select ${isCheckDue(job)} as "isRequested"`)
  return row?.isRequested ?? false
}

/** Days since then on which checks ended that did not fail: whether all held. */
export const checkedDays = (db: Database, since: Date) =>
  db.query<{ day: string; isIntact: boolean }>(sql`
  select to_char(ended_at at time zone 'Europe/Warsaw', 'YYYY-MM-DD') as day, bool_and(fault is null) as "isIntact"
  from evidence_check where ended_at >= ${since}::timestamptz and ${isComplete} group by 1`)
