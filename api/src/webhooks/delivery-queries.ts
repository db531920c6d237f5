import type { deliveryStates } from '@rogatka/contract/webhooks.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import type { StoredWebhookEvent } from '../core/webhook-events.ts'

/** A subscription wants an event. */
type Wanted = { webhookId: number; event: Pick<StoredWebhookEvent, 'id' | 'position' | 'locationId'> }

/** Stores deliveries to make. One that exists, of a replay, is made again. */
export const insertDeliveries = (db: Database, wanted: readonly Wanted[], now: Date) =>
  db.execute(sql`
  insert into webhook_delivery (webhook_id, position, event_id, location_id, state, next_at)
  select w.webhook_id, w.position, w.event_id, w.location_id, 'pending', ${now}::timestamptz
  from unnest(${wanted.map(({ webhookId }) => webhookId)}::int[], ${wanted.map(({ event }) => event.position)}::bigint[],
              ${wanted.map(({ event }) => event.id)}::bigint[], ${wanted.map(({ event }) => event.locationId)}::int[])
       as w (webhook_id, position, event_id, location_id)
  on conflict (webhook_id, position) do update set state = 'pending', attempts = 0, next_at = excluded.next_at`)

/** A delivery whose turn it is: the first one of its subscription and station that is not made. */
export type DueDelivery = {
  webhookId: number
  position: number
  locationId: number
  attempts: number
  eventId: number
  type: string
  createdAt: Date
  vehicleId: number | null
  vehicleCreatedAt: Date | null
  data: Record<string, unknown>
}

/**
 * The deliveries whose turn it is and whose time has come, one for each active subscription and station: an event waits
 * for those before it.
 */
export const dueDeliveries = (db: Database, now: Date) =>
  db.query<DueDelivery>(sql`
  with head as (
    select distinct on (d.webhook_id, d.location_id) d.webhook_id, d.location_id, d.position, d.attempts, d.event_id, d.next_at
    from webhook_delivery d
    join webhook w on w.id = d.webhook_id and w.paused_at is null and w.ended_at is null
    where d.state = 'pending'
    order by d.webhook_id, d.location_id, d.position
  )
  select h.webhook_id as "webhookId", h.position, h.location_id as "locationId", h.attempts, e.id as "eventId", e.type,
         e.created_at as "createdAt", e.vehicle_id as "vehicleId", e.vehicle_created_at as "vehicleCreatedAt", e.data
  from head h
  join webhook_event e on e.id = h.event_id
  where h.next_at <= ${now}::timestamptz
  order by h.next_at, h.position`)

type Attempt = Pick<DueDelivery, 'webhookId' | 'position'>
type Outcome = {
  state: (typeof deliveryStates)[number]
  status: number | null
  error: string | null
  /** Of a pending one. */
  nextAt: Date | null
}

/** Records an attempt, unless the delivery was deleted meanwhile. */
export const recordAttempt = (db: Database, { webhookId, position }: Attempt, outcome: Outcome, now: Date) =>
  db.execute(sql`
  update webhook_delivery
  set state = ${outcome.state}, attempts = attempts + 1, last_at = ${now}::timestamptz, last_status = ${outcome.status}::int,
      last_error = ${outcome.error}, next_at = coalesce(${outcome.nextAt}::timestamptz, next_at)
  where webhook_id = ${webhookId} and position = ${position}`)

/** Whether anything was delivered to a subscription since a time. */
export async function hasDeliveredSince(db: Database, webhookId: number, since: Date): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`
    select exists (select from webhook_delivery
                   where webhook_id = ${webhookId} and state = 'done' and last_at >= ${since}::timestamptz) as found`)
  return row?.found ?? false
}

/** Gives up what waits for a subscription that has ended. */
export const dropPending = (db: Database, webhookId: number) =>
  db.execute(sql`update webhook_delivery set state = 'failed' where webhook_id = ${webhookId} and state = 'pending'`)

export type DeliverySummary = {
  webhookId: number
  pending: number
  failed: number
  lastDeliveredAt: Date | null
  /** Of the latest attempt. */
  lastError: string | null
}

/** What became of the deliveries of each subscription. */
export const deliverySummaries = (db: Database) =>
  db.query<DeliverySummary>(sql`
  select webhook_id as "webhookId", count(*) filter (where state = 'pending')::int as pending,
         count(*) filter (where state = 'failed')::int as failed,
         max(last_at) filter (where state = 'done') as "lastDeliveredAt",
         (array_agg(last_error order by last_at desc nulls last))[1] as "lastError"
  from webhook_delivery group by webhook_id`)

export type DeliveryRow = {
  eventId: number
  type: string
  at: Date
  locationId: number
  state: (typeof deliveryStates)[number]
  attempts: number
  lastAt: Date | null
  lastStatus: number | null
  lastError: string | null
  nextAt: Date
}

/** The latest deliveries of a subscription, newest first. */
export const latestDeliveries = (db: Database, webhookId: number, limit: number) =>
  db.query<DeliveryRow>(sql`
  select d.event_id as "eventId", e.type, e.created_at as at, d.location_id as "locationId", d.state, d.attempts,
         d.last_at as "lastAt", d.last_status as "lastStatus", d.last_error as "lastError", d.next_at as "nextAt"
  from webhook_delivery d join webhook_event e on e.id = d.event_id
  where d.webhook_id = ${webhookId}
  order by d.position desc limit ${limit}`)
