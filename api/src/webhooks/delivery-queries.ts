import {
  type DeliveryError,
  type deliveryStates,
  TEST_EVENT,
  type WebhookEventType,
} from '@rogatka/contract/webhooks.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'
import { isExpiredEvent, matchesSubscription } from '../core/webhook-events.ts'

/** Deliveries of tests have this instead of a station: they are outside the order of all stations. */
const TEST_LOCATION = -1

const orReset = (now: Date): Statement => sql`
  on conflict (webhook_id, position) do update
    set state = 'pending', attempts = 0, next_at = ${now}::timestamptz, pending_since = ${now}::timestamptz`

/** Stores deliveries of the events `e` and subscriptions `w` that match, in one statement. */
const insertDeliveries = (condition: Statement, now: Date): Statement => sql`
  insert into webhook_delivery (webhook_id, position, event_id, location_id, state, next_at, pending_since)
  select w.id, e.position, e.id, e.location_id, 'pending', ${now}::timestamptz, ${now}::timestamptz
  from webhook_event e
  join webhook w on ${matchesSubscription({
    type: sql`e.type`,
    locationId: sql`e.location_id`,
    ctg8p1: sql`(e.data->>'ctg8p1')::int`,
    excess: sql`greatest((e.data->>'overloadSA')::numeric, (e.data->>'overloadMA')::numeric, (e.data->>'overloadTL')::numeric)`,
  })}
  where ${condition} ${orReset(now)}`

/** Stores deliveries of events to the subscriptions that match. Returns subscription and station of each. */
export const insertNewDeliveries = (db: Database, eventIds: readonly number[], now: Date) =>
  db.query<Station>(sql`
  ${insertDeliveries(sql`e.id = any(${eventIds}::bigint[]) and w.ended_at is null`, now)}
  returning webhook_id as "webhookId", location_id as "locationId"`)

/**
 * Stores deliveries of the events of [from, until) that match a subscription, and resets those that exist. Returns their
 * number.
 */
export const insertReplay = (
  db: Database,
  webhookId: number,
  { from, until }: { from: Date; until: Date },
  now: Date,
) =>
  db.execute(
    insertDeliveries(
      sql`w.id = ${webhookId} and w.deleted_at is null and e.position is not null
          and e.created_at >= ${from}::timestamptz and e.created_at < ${until}::timestamptz`,
      now,
    ),
  )

/** Stores the delivery of a test. */
export const insertTest = (db: Database, webhookId: number, event: { id: number; position: number }, now: Date) =>
  db.execute(sql`
  insert into webhook_delivery (webhook_id, position, event_id, location_id, state, next_at, pending_since)
  values (${webhookId}, ${event.position}, ${event.id}, ${TEST_LOCATION}, 'pending', ${now}::timestamptz,
          ${now}::timestamptz)`)

/** The first pending delivery of an active subscription and a station: the later ones wait for it. */
export type Head = { webhookId: number; locationId: number; position: number; nextAt: Date }

/** The heads of all stations; reads an index entry of each delivery that waits. */
export const allHeads = (db: Database) =>
  db.query<Head>(sql`
  with head as (
    select webhook_id, location_id, min(position) as position
    from webhook_delivery where state = 'pending' group by webhook_id, location_id
  )
  select d.webhook_id as "webhookId", d.location_id as "locationId", d.position, d.next_at as "nextAt"
  from head
  join webhook w on w.id = head.webhook_id and w.paused_at is null and w.ended_at is null
  join webhook_delivery d on d.webhook_id = head.webhook_id and d.position = head.position`)

type Station = Pick<Head, 'webhookId' | 'locationId'>

/** The head of one station; reads one row, however many wait. */
export async function findHead(db: Database, { webhookId, locationId }: Station): Promise<Head | undefined> {
  const [row] = await db.query<Head>(sql`
    with head as (
      select webhook_id, location_id, position, next_at from webhook_delivery
      where webhook_id = ${webhookId} and location_id = ${locationId} and state = 'pending'
      order by position limit 1
    )
    select head.webhook_id as "webhookId", head.location_id as "locationId", head.position, head.next_at as "nextAt"
    from head join webhook w on w.id = head.webhook_id and w.paused_at is null and w.ended_at is null`)
  return row
}

export type DueDelivery = Omit<Head, 'nextAt'> & {
  attempts: number
  /** The previous attempt; null: none. */
  lastAt: Date | null
  eventId: number
  hasTimeInId: boolean
  type: string
  createdAt: Date
  /** Of the event; 0: none. */
  eventLocationId: number
  vehicleId: number | null
  vehicleCreatedAt: Date | null
  data: Record<string, unknown>
}

/** A delivery with its event, if it is still due. */
export async function dueDelivery(
  db: Database,
  head: Omit<Head, 'nextAt'>,
  now: Date,
): Promise<DueDelivery | undefined> {
  const [row] = await db.query<DueDelivery>(sql`
    select d.webhook_id as "webhookId", d.position, d.location_id as "locationId", d.attempts, d.last_at as "lastAt",
           e.id as "eventId", e.has_time_in_id as "hasTimeInId", e.type, e.created_at as "createdAt", e.location_id as "eventLocationId",
           e.vehicle_id as "vehicleId", e.vehicle_created_at as "vehicleCreatedAt", e.data
    from webhook_delivery d join webhook_event e on e.id = d.event_id
    where d.webhook_id = ${head.webhookId} and d.position = ${head.position} and d.state = 'pending'
      and d.next_at <= ${now}::timestamptz`)
  return row
}

type Outcome = {
  state: (typeof deliveryStates)[number]
  status: number | null
  error: DeliveryError | null
  /** Of a pending one. */
  nextAt: Date | null
}

/** Records an attempt, unless the delivery was deleted, given up, or started again meanwhile. */
export const recordAttempt = (
  db: Database,
  { webhookId, position, attempts }: Pick<DueDelivery, 'webhookId' | 'position' | 'attempts'>,
  outcome: Outcome,
  now: Date,
) =>
  db.execute(sql`
  update webhook_delivery
  set state = ${outcome.state}, attempts = attempts + 1, last_at = ${now}::timestamptz, last_status = ${outcome.status}::int,
      last_error = ${outcome.error}, next_at = coalesce(${outcome.nextAt}::timestamptz, next_at)
  where webhook_id = ${webhookId} and position = ${position} and state = 'pending' and attempts = ${attempts}`)

/** Marks all pending deliveries as done: those of a restored database may have been made after its backup. */
export const settleDeliveries = (db: Database, now: Date) =>
  db.execute(sql`update webhook_delivery set state = 'done', last_at = ${now}::timestamptz where state = 'pending'`)

/** Makes all pending deliveries of a subscription due now, with their attempts counted from 0. */
export const retryPending = (db: Database, webhookId: number, now: Date) =>
  db.execute(sql`
  update webhook_delivery set next_at = ${now}::timestamptz, attempts = 0, pending_since = ${now}::timestamptz
  where webhook_id = ${webhookId} and state = 'pending'`)

/** Pending deliveries of a subscription, since when the oldest waits (null: none), and failed ones. */
export type DeliveryCounts = { webhookId: number; pending: number; pendingSince: Date | null; failed: number }

/** The counts by subscription, without a row for one that has none. */
export const deliveryCounts = (db: Database, webhookIds: readonly number[]) =>
  db.query<DeliveryCounts>(sql`
  with pending as (
    select webhook_id, count(*)::int as count, min(pending_since) as since from webhook_delivery
    where state = 'pending' and webhook_id = any(${webhookIds}::int[]) group by webhook_id
  ), failed as (
    select webhook_id, count(*)::int as count from webhook_delivery
    where state = 'failed' and location_id <> ${TEST_LOCATION} and webhook_id = any(${webhookIds}::int[]) group by webhook_id
  )
  select coalesce(pending.webhook_id, failed.webhook_id) as "webhookId", coalesce(pending.count, 0) as pending,
         pending.since as "pendingSince",
         coalesce(failed.count, 0) as failed
  from pending full join failed on failed.webhook_id = pending.webhook_id`)

export type DeliveryRow = {
  eventId: number
  hasTimeInId: boolean
  type: string
  at: Date
  locationId: number
  state: (typeof deliveryStates)[number]
  attempts: number
  lastAt: Date | null
  lastStatus: number | null
  lastError: DeliveryError | null
  nextAt: Date
}

/** The latest deliveries of a subscription, of tests and events of these types, newest first. */
export const latestDeliveries = (db: Database, webhookId: number, types: readonly WebhookEventType[], limit: number) =>
  db.query<DeliveryRow>(sql`
  select d.event_id as "eventId", e.has_time_in_id as "hasTimeInId", e.type, e.created_at as at, e.location_id as "locationId", d.state, d.attempts,
         d.last_at as "lastAt", d.last_status as "lastStatus", d.last_error as "lastError", d.next_at as "nextAt"
  from webhook_delivery d join webhook_event e on e.id = d.event_id
  where d.webhook_id = ${webhookId} and e.type = any(${[...types, TEST_EVENT]}::text[])
  order by d.position desc limit ${limit}`)

/**
 * The position of the latest delivery that its subscription no longer lists; undefined if it lists all of them.
 */
export async function lastUnlisted(db: Database, webhookId: number, listed: number): Promise<number | undefined> {
  const [row] = await db.query<{ position: number }>(sql`
    select position from webhook_delivery where webhook_id = ${webhookId} order by position desc offset ${listed} limit 1`)
  return row?.position
}

/** Deletes up to `limit` deliveries made before a time, up to a position. Returns their number. */
export const deleteDone = (
  db: Database,
  webhookId: number,
  { through, before }: { through: number; before: Date },
  limit: number,
) =>
  db.execute(sql`
  delete from webhook_delivery where webhook_id = ${webhookId} and position in (
    select position from webhook_delivery
    where webhook_id = ${webhookId} and position <= ${through} and state = 'done' and last_at < ${before}::timestamptz
    limit ${limit})`)

/**
 * Marks active subscriptions with a delivery that waits since before a time as late, and others as not late. Returns those
 * that have become late.
 */
export async function markLate(db: Database, before: Date): Promise<{ id: number; lateSince: Date }[]> {
  const waiting = sql`
    select d.webhook_id as id, min(d.pending_since) as since
    from webhook_delivery d join webhook w on w.id = d.webhook_id and w.paused_at is null and w.ended_at is null
    where d.state = 'pending' and d.pending_since < ${before}::timestamptz
    group by d.webhook_id`
  await db.execute(sql`
    update webhook set late_since = null where late_since is not null and id not in (select id from (${waiting}) late)`)
  return db.query(sql`
    update webhook w set late_since = late.since
    from (${waiting}) late
    where w.id = late.id and w.late_since is null
    returning w.id, w.late_since as "lateSince"`)
}

/** Deletes up to `limit` deliveries of a subscription. Returns their number. */
export const deleteDeliveries = (db: Database, webhookId: number, limit: number) =>
  db.execute(sql`
  delete from webhook_delivery where webhook_id = ${webhookId} and position in (
    select position from webhook_delivery where webhook_id = ${webhookId} limit ${limit})`)

/** Pending deliveries of events that will be deleted as older than a time, by subscription. */
export const pendingBefore = (db: Database, before: Date) =>
  db.query<{ name: string; count: number }>(sql`
  select w.name, count(*)::int as count
  from webhook_event e
  join webhook_delivery d on d.event_id = e.id and d.state = 'pending'
  join webhook w on w.id = d.webhook_id and w.deleted_at is null
  where ${isExpiredEvent(before)}
  group by w.id, w.name order by w.id`)

/**
 * Events that wait for active subscriptions, and since when the oldest one waits; null: none. Events that are not matched
 * with subscriptions yet are among them.
 */
export async function webhookBacklog(db: Database): Promise<{ pending: number; oldestAt: Date | null }> {
  const [row] = await db.query<{ pending: number; oldestAt: Date | null }>(sql`
    select sum(pending)::int as pending, min(since) as "oldestAt"
    from (
      select count(*) as pending, min(d.pending_since) as since
      from webhook_delivery d
      join webhook w on w.id = d.webhook_id and w.paused_at is null and w.ended_at is null
      where d.state = 'pending'
      union all
      select count(*), min(created_at) from webhook_event where position is null
    ) waiting`)
  return row ?? { pending: 0, oldestAt: null }
}
