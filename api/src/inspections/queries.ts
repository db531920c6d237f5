import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import type { InspectionState, Selection } from '@rogatka/contract/options.ts'
import type { Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { assignments, json, sql, valuesOf } from '../core/statement.ts'
import { insertMarks } from './figure-row-queries.ts'

export type InspectionRow = {
  id: number
  code: string
  year: number
  sequence: number
  version: number
  state: InspectionState
  /** Opened by an announcement, not by a take-over. */
  wasAnnounced: boolean
  selection: Selection
  locationId: number
  shortName: string
  vehicleId: number | null
  vehicleCreatedAt: Date | null
  /** In wire form, without images. */
  passage: unknown
  /** Of a vehicle without a measurement. */
  enteredPlate: string | null
  enteredNationality: string | null
  ctg8p1: number | null
  announcedAt: Date
  announcedBy: number
  officerId: number | null
  /** From whom another officer took it over. */
  formerOfficerIds: number[]
  takenOverAt: Date | null
  weighedAt: Date | null
  weighedBy: number | null
  closedAt: Date | null
  closedBy: number | null
  withdrawnAt: Date | null
  withdrawnBy: number | null
  passedByAt: Date | null
  passedByBy: number | null
  reopenedAt: Date | null
  reopenedBy: number | null
  reason: string | null
  shiftDay: string
  shiftStart: string
  weighing: Weighing | null
  confirmed: boolean | null
  results: InspectionResult[]
  fineAmount: number | null
  carrier: string | null
  taxId: string | null
  declaration: string | null
  note: string | null
  requestDigest: string
  stepDigest: string | null
}

/** Every inspection `i` as a row, to be narrowed. */
export const selectInspections = sql`
  select i.id, i.code, i.year, i.sequence, i.version, i.state, i.was_announced as "wasAnnounced", i.selection, i.location_id as "locationId",
         l.short_name as "shortName", i.vehicle_id as "vehicleId", i.vehicle_created_at as "vehicleCreatedAt",
         i.passage, i.entered_plate as "enteredPlate", i.entered_nationality as "enteredNationality", i.ctg8p1,
         i.announced_at as "announcedAt", i.announced_by as "announcedBy", i.officer_id as "officerId",
         i.former_officers as "formerOfficerIds", i.taken_over_at as "takenOverAt", i.weighed_at as "weighedAt",
         i.weighed_by as "weighedBy", i.closed_at as "closedAt", i.closed_by as "closedBy",
         i.withdrawn_at as "withdrawnAt", i.withdrawn_by as "withdrawnBy", i.passed_by_at as "passedByAt",
         i.passed_by_by as "passedByBy", i.reopened_at as "reopenedAt", i.reopened_by as "reopenedBy", i.reason,
         i.shift_day::text as "shiftDay", i.shift_start as "shiftStart", i.weighing, i.confirmed, i.results,
         i.fine_amount as "fineAmount", i.carrier, i.tax_id as "taxId", i.declaration, i.note,
         i.request_digest as "requestDigest", i.step_digest as "stepDigest"
  from inspection i
  join location l on l.id = i.location_id`

export async function inspectionById(db: Database, id: number): Promise<InspectionRow | undefined> {
  const [found] = await db.query<InspectionRow>(sql`${selectInspections} where i.id = ${id}`)
  return found
}

type LastCarrier = { name: string; taxId: string | null; closedAt: Date }

/** The carrier of the latest other closed inspection of a vehicle with the same plate and nationality. */
export async function lastCarrierOf(
  db: Database,
  id: number,
  { plateLpr, nationality }: { plateLpr: string; nationality: string | null },
): Promise<LastCarrier | null> {
  const [found] = await db.query<LastCarrier>(sql`
    select carrier as name, tax_id as "taxId", closed_at as "closedAt" from inspection
    where (
        passage ->> 'plateLpr' = ${plateLpr} and passage ->> 'nationality' is not distinct from ${nationality}::text
        or entered_plate = ${plateLpr} and entered_nationality is not distinct from ${nationality}::text
      )
      and id <> ${id} and state = 'closed' and carrier is not null
    order by closed_at desc, id desc limit 1`)
  return found ?? null
}

/** Locks an inspection until the transaction ends. */
export async function lockInspection(db: Database, id: number): Promise<InspectionRow | undefined> {
  await db.query(sql`select from inspection where id = ${id} for update`)
  return inspectionById(db, id)
}

type LoggedValues = Partial<{
  officer: string | null
  takenOverAt: string | null
  explanation: string | null
  results: InspectionResult[]
  fineAmount: number | null
}>

export type LoggedStep = {
  at: Date
  by: string | null
  action: string
  before: LoggedValues | null
  after: LoggedValues | null
}

/** The audit entries of an inspection between two times, oldest first; the times limit how much of the log is read. */
export const inspectionLog = (db: Database, number: string, from: Date, to: Date) =>
  db.query<LoggedStep>(sql`
  select a.at, u.username as by, a.action, a.before, a.after
  from audit a left join app_user u on u.id = a.user_id
  where a.at between ${from}::timestamptz and ${to}::timestamptz
    and a.action like 'inspection-%' and a.subject = ${number}
  order by a.id`)

/** The inspection that a user opened with an idempotency key. */
export async function inspectionByKey(db: Database, userId: number, key: string): Promise<InspectionRow | undefined> {
  const [found] = await db.query<InspectionRow>(sql`
    ${selectInspections} where i.announced_by = ${userId} and i.idempotency_key = ${key}`)
  return found
}

/** The names of users. */
export async function usernames(db: Database, ids: readonly number[]): Promise<Map<number, string>> {
  const users = await db.query<{ id: number; username: string }>(sql`
    select id, username from app_user where id = any(${ids.map(String)}::int[])`)
  return new Map(users.map(({ id, username }) => [id, username]))
}

export type NewInspection = {
  code: string
  year: number
  state: 'announced' | 'takenOver'
  selection: Selection
  locationId: number
  vehicle: {
    key: Omit<PassageKey, 'locationId'>
    passage: unknown
    laneNumber: number
    wasOverload: boolean
    ctg8p1: number | null
  } | null
  /** Of a vehicle without a measurement. */
  entered: { plate: string | null; nationality: string | null }
  at: Date
  userId: number
  passesAt: Date
  shift: { day: string; start: string }
  note: string | null
  idempotencyKey: string
  requestDigest: string
}

/**
 * Takes the next numbers of a station and year; returns the last of them. A rollback returns them. Its row lock
 * serialises the inspections of a station until the transaction ends.
 */
export async function takeNumbers(db: Database, code: string, year: number, count = 1): Promise<number> {
  const [number] = await db.query<{ last: number }>(sql`
    insert into inspection_number as n (code, year, last) values (${code}, ${year}, ${count})
    on conflict (code, year) do update set last = n.last + ${count}
    returning last`)
  return number?.last as number
}

/** Inserts an inspection with the next number of its station and year. */
export async function insertInspection(db: Database, values: NewInspection): Promise<number> {
  const { code, year, vehicle, state, at, userId, shift } = values
  const isTaken = state === 'takenOver'
  const columns = {
    code,
    year,
    sequence: await takeNumbers(db, code, year),
    state,
    was_announced: state === 'announced',
    selection: values.selection,
    location_id: values.locationId,
    vehicle_id: vehicle?.key.id ?? null,
    vehicle_created_at: vehicle?.key.createdAt ?? null,
    passage: vehicle ? JSON.stringify(vehicle.passage) : null,
    lane_number: vehicle?.laneNumber ?? null,
    was_overload: vehicle?.wasOverload ?? null,
    ctg8p1: vehicle?.ctg8p1 ?? null,
    entered_plate: values.entered.plate,
    entered_nationality: values.entered.nationality,
    announced_at: at,
    announced_by: userId,
    officer_id: isTaken ? userId : null,
    taken_over_at: isTaken ? at : null,
    passes_at: values.passesAt,
    shift_day: shift.day,
    shift_start: shift.start,
    note: values.note,
    idempotency_key: values.idempotencyKey,
    request_digest: values.requestDigest,
  }
  const [row] = await db.query<{ id: number }>(sql`insert into inspection ${valuesOf(columns)} returning id`)
  return row?.id as number
}

/** Inserts inspections that are over, by their columns; returns their ids. */
export async function insertFinished(db: Database, rows: readonly object[]): Promise<number[]> {
  const inserted = await db.query<{ id: number }>(sql`insert into inspection ${valuesOf(rows)} returning id`)
  return inserted.map(({ id }) => id)
}

/** Whether there is an inspection with an idempotency key that begins like this. */
export async function hasInspectionLike(db: Database, keyStart: string): Promise<boolean> {
  const [found] = await db.query<{ any: boolean }>(sql`
    select exists (select from inspection where starts_with(idempotency_key, ${keyStart})) as any`)
  return found?.any ?? false
}

/** Columns that a step sets. */
export type InspectionChange = Partial<{
  state: InspectionState
  officer_id: number
  former_officers: number[]
  taken_over_at: Date
  shift_day: string
  shift_start: string
  weighed_at: Date
  weighed_by: number
  ctg8p1: number | null
  scale_id: number
  static_gross: number
  confirmed: boolean
  closed_at: Date | null
  closed_by: number | null
  results: number[]
  fine_amount: number | null
  carrier: string | null
  tax_id: string | null
  declaration: string | null
  note: string | null
  withdrawn_at: Date
  withdrawn_by: number
  passed_by_at: Date | null
  passed_by_by: number | null
  reopened_at: Date
  reopened_by: number
  reason: string | null
}> & { weighing?: Weighing }

/** Changes a locked inspection. */
export const updateInspection = (
  db: Database,
  id: number,
  { weighing, ...change }: InspectionChange,
  stepDigest: string,
) => {
  const columns = { ...change, step_digest: stepDigest }
  return db.execute(sql`
    update inspection
    set ${assignments(columns)}, version = version + 1 ${weighing ? sql`, weighing = ${json(weighing)}` : sql``}
    where id = ${id}`)
}

/** Ends announced inspections whose vehicle has passed by that time; returns them. */
export const passOverdue = (db: Database, now: Date, limit: number) =>
  db.query<{ id: number; code: string; year: number; sequence: number; vehicleId: number; vehicleCreatedAt: Date }>(sql`
  with overdue as (
    select id from inspection where state = 'announced' and passes_at <= ${now}::timestamptz
    order by passes_at limit ${limit} for update skip locked
  )
  update inspection i
  set state = 'passedBy', passed_by_at = i.passes_at, version = i.version + 1, step_digest = null
  from overdue where i.id = overdue.id
  returning i.id, i.code, i.year, i.sequence, i.vehicle_id as "vehicleId", i.vehicle_created_at as "vehicleCreatedAt"`)

/**
 * Locks inspections closed, or never finished, before one instant; withdrawn or passed by before another. Skips those
 * that a step has locked, so that one that is being reopened is kept.
 */
export const lockExpired = (db: Database, closedBefore: Date, endedBefore: Date, limit: number) =>
  db.query<{ id: number }>(sql`
  select id from inspection
  where state = 'closed' and closed_at < ${closedBefore}::timestamptz
    or state in ('takenOver', 'weighed')
       and greatest(taken_over_at, weighed_at, reopened_at) < ${closedBefore}::timestamptz
    or state = 'withdrawn' and withdrawn_at < ${endedBefore}::timestamptz
    or state = 'passedBy' and passed_by_at < ${endedBefore}::timestamptz
  order by id limit ${limit} for update skip locked`)

/** Deletes inspections with their figures, except outcomes that are kept, and marks their months. */
export const deleteInspections = (db: Database, ids: readonly number[]) =>
  db.execute(sql`
  with marked as (${insertMarks(ids)}), figure as (
    delete from inspection_figure where inspection_id = any(${ids.map(String)}::bigint[]) and not is_kept
  )
  delete from inspection where id = any(${ids.map(String)}::bigint[])`)
