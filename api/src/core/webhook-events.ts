import type { WebhookEventType } from '@rogatka/contract/webhooks.ts'
import type { Database } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import type { PassageKey } from './passage.ts'
import { type Statement, sql } from './statement.ts'

/** NOTIFY channel of new events, and of subscriptions that were changed; for the leader that sends them. */
export const WEBHOOK_CHANNEL = 'webhook'

/** An event that webhooks send to other systems. `data` has no plates: they are added when it is sent. */
export type WebhookEvent = {
  type: WebhookEventType
  /** Null: of no station. */
  locationId: number | null
  vehicle?: Pick<PassageKey, 'id' | 'createdAt'> | null
  data: Record<string, unknown>
}

/** Whether a subscription wants this type: one row or few, so that it costs nothing where nobody does. */
const isWanted = (type: WebhookEventType): Statement =>
  sql`exists (select from webhook where ended_at is null and ${type} = any(events))`

/** Stores an event if a subscription wants its type; call it in the transaction of its cause, to be atomic with it. */
export const recordWebhookEvent = (db: Database, event: WebhookEvent, now: Date) =>
  insertEvent(db, event, now, sql`true`)

/** The same, unless such an event with the same data is stored. */
export const recordWebhookEventOnce = (db: Database, event: WebhookEvent, now: Date) =>
  insertEvent(
    db,
    event,
    now,
    sql`not exists (
      select from webhook_event
      where type = ${event.type} and location_id = ${event.locationId ?? 0} and data = ${JSON.stringify(event.data)}::jsonb)`,
  )

const insertEvent = (
  db: Database,
  { type, locationId, vehicle, data }: WebhookEvent,
  now: Date,
  condition: Statement,
) =>
  db.execute(sql`
  with event as (
    insert into webhook_event (created_at, type, location_id, vehicle_id, vehicle_created_at, data)
    select ${now}::timestamptz, ${type}, ${locationId ?? 0}::int, ${vehicle?.id ?? null}::bigint,
           ${vehicle?.createdAt ?? null}::timestamptz, ${JSON.stringify(data)}::jsonb
    where ${isWanted(type)} and ${condition}
    returning id
  )
  select pg_notify(${WEBHOOK_CHANNEL}, '') from event`)

/**
 * Part of the statement that stores vehicles: events of the overloaded ones. `vehicles` names a CTE; its figures are as
 * stored, in tenths of a percent.
 */
export const insertOverloadEvents = (vehicles: Statement, now: Date): Statement => sql`
  insert into webhook_event (created_at, type, location_id, vehicle_id, vehicle_created_at, data)
  select ${now}::timestamptz, 'vehicle.overloaded', location_id, id, created_at,
         jsonb_build_object('laneNumber', lane_number, 'ctg8p1', ctg8p1, 'totalLoad', total_load,
                            'limitTotalLoad', limit_total_load, 'overloadSA', coalesce(overload_sa, 0) / 10.0,
                            'overloadMA', coalesce(overload_ma, 0) / 10.0, 'overloadTL', coalesce(overload_tl, 0) / 10.0)
  from ${vehicles}
  where greatest(overload_sa, overload_ma, overload_tl) > 0 and (select ${isWanted('vehicle.overloaded')})
  order by created_at, id
  returning id`

/** Part of the statement that stores hits: events of them. `matches` names a CTE with the black-list matches. */
export const insertHitEvents = (matches: Statement, now: Date): Statement => sql`
  insert into webhook_event (created_at, type, location_id, vehicle_id, vehicle_created_at, data)
  select ${now}::timestamptz, 'wanted.hit', location_id, id, created_at,
         jsonb_build_object('laneNumber', min(lane_number), 'wantedIds', jsonb_agg(wanted_id order by wanted_id))
  from ${matches}
  where (select ${isWanted('wanted.hit')})
  group by location_id, id, created_at
  order by created_at, id
  returning id`

/** Part of a statement that stores events: notifies the leader once if there are any. `events` names CTEs with their ids. */
export const notifyEvents = (events: readonly [Statement, Statement]): Statement => sql`
  select pg_notify(${WEBHOOK_CHANNEL}, '')::text
  from (select 1 from ${events[0]} union all select 1 from ${events[1]} limit 1) as event`

/** A stored event; `locationId` 0: of no station. `position`: its place in the order of deliveries. */
export type StoredWebhookEvent = {
  id: number
  createdAt: Date
  type: string
  locationId: number
  vehicleId: number | null
  vehicleCreatedAt: Date | null
  data: Record<string, unknown>
  position: number
}

const columns = sql`
  e.id, e.created_at as "createdAt", e.type, e.location_id as "locationId", e.vehicle_id as "vehicleId",
  e.vehicle_created_at as "vehicleCreatedAt", e.data, e.position`

/** Stores an event for one subscription only, at the end of the order; returns it. */
export async function insertTestEvent(db: Database, type: string, now: Date): Promise<StoredWebhookEvent> {
  const [event] = await db.query<StoredWebhookEvent>(sql`
    insert into webhook_event as e (created_at, type, location_id, data, position)
    values (${now}::timestamptz, ${type}, 0, '{}', nextval('webhook_position'))
    returning ${columns}`)
  return event as StoredWebhookEvent
}

/**
 * Takes up to `limit` new events into the order of deliveries and returns them; only the leader may call it. An event
 * that is committed late comes after those taken before: no transaction that began after the commit of another one is
 * before it.
 */
export async function takeNewEvents(db: Database, limit: number): Promise<StoredWebhookEvent[]> {
  const ids = await db.query<{ id: number }>(sql`
    select id from webhook_event where position is null order by id limit ${limit} for update`)
  if (ids.length === 0) return []
  return db.query<StoredWebhookEvent>(sql`
    with numbered as materialized (
      select id, nextval('webhook_position') as position
      from (select id from unnest(${ids.map(({ id }) => id)}::bigint[]) as n (id) order by id) as ordered
    ), taken as (
      update webhook_event e set position = numbered.position from numbered where e.id = numbered.id
      returning ${columns}
    )
    select * from taken order by position`)
}

/** Events of [from, until) that were taken, in their order, after a position; at most `limit`. */
export const eventsBetween = (
  db: Database,
  { from, until }: { from: Date; until: Date },
  after: number,
  limit: number,
) =>
  db.query<StoredWebhookEvent>(sql`
  select ${columns} from webhook_event e
  where e.created_at >= ${from}::timestamptz and e.created_at < ${until}::timestamptz and e.position > ${after}
    and e.type <> 'webhook.test'
  order by e.position limit ${limit}`)

/** Days that events of certificates are kept: longer than one warns of its end, so that each is stored once. */
const CERTIFICATE_DAYS = 400

/** Deletes events before a time, with their deliveries. */
export const deleteWebhookEventsBefore = (db: Database, before: Date): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
    delete from webhook_event where id in (
      select id from webhook_event
      where created_at < ${before}::timestamptz
        and (type <> 'certificate.ending' or created_at < ${before}::timestamptz - make_interval(days => ${CERTIFICATE_DAYS}))
      order by created_at limit ${limit})`),
  )
