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

/** An event as statements. */
type EventColumns = { type: Statement; locationId: Statement; ctg8p1: Statement; excess: Statement }

/**
 * Whether an event matches the subscription `w`, by type and filters. `ctg8p1` and `excess`, in percent, are those of an
 * overloaded vehicle; null of other events.
 */
export const matchesSubscription = ({ type, locationId, ctg8p1, excess }: EventColumns): Statement => sql`
  ${type} = any(w.events) and (w.location_ids is null or ${locationId} = any(w.location_ids))
  and (${type} <> 'vehicle.overloaded'
       or (w.ctg8p1 is null or coalesce(${ctg8p1}, 0) = any(w.ctg8p1)) and (w.min_excess is null or ${excess} >= w.min_excess))`

/** Whether an event matches any subscription that has not ended. Subscriptions are few, so it costs little. */
const matchesAnySubscription = (event: EventColumns): Statement =>
  sql`exists (select from webhook w where w.ended_at is null and ${matchesSubscription(event)})`

const NONE = { ctg8p1: sql`null::int`, excess: sql`null::numeric` }

/** Stores an event if it matches a subscription; call it in the transaction of its cause, to be atomic with it. */
export const recordWebhookEvent = (db: Database, event: WebhookEvent, now: Date) => insertEvent(db, event, now, sql``)

/** The same of an ending certificate, unless such an event with the same data is stored. */
export const recordCertificateEvent = (db: Database, event: Omit<WebhookEvent, 'type'>, now: Date) =>
  insertEvent(
    db,
    { ...event, type: 'certificate.ending' },
    now,
    sql`on conflict (location_id, data) where type = 'certificate.ending' do nothing`,
  )

const insertEvent = (
  db: Database,
  { type, locationId, vehicle, data }: WebhookEvent,
  now: Date,
  onConflict: Statement,
) =>
  db.execute(sql`
  with event as (
    insert into webhook_event (created_at, type, location_id, vehicle_id, vehicle_created_at, data)
    select ${now}::timestamptz, ${type}, ${locationId ?? 0}::int, ${vehicle?.id ?? null}::bigint,
           ${vehicle?.createdAt ?? null}::timestamptz, ${JSON.stringify(data)}::jsonb
    where ${matchesAnySubscription({ type: sql`${type}::text`, locationId: sql`${locationId ?? 0}::int`, ...NONE })}
    ${onConflict}
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
  from ${vehicles} as new
  where greatest(overload_sa, overload_ma, overload_tl) > 0
    and ${matchesAnySubscription({
      type: sql`'vehicle.overloaded'`,
      locationId: sql`new.location_id`,
      ctg8p1: sql`new.ctg8p1`,
      excess: sql`greatest(overload_sa, overload_ma, overload_tl) / 10.0`,
    })}
  order by created_at, id
  returning id`

/** Part of the statement that stores hits: events of them. `matches` names a CTE with the black-list matches. */
export const insertHitEvents = (matches: Statement, now: Date): Statement => sql`
  insert into webhook_event (created_at, type, location_id, vehicle_id, vehicle_created_at, data)
  select ${now}::timestamptz, 'wanted.hit', location_id, id, created_at,
         jsonb_build_object('laneNumber', min(lane_number), 'wantedIds', jsonb_agg(wanted_id order by wanted_id))
  from ${matches}
  where ${matchesAnySubscription({ type: sql`'wanted.hit'`, locationId: sql`location_id`, ...NONE })}
  group by location_id, id, created_at
  order by created_at, id
  returning id`

/** Part of a statement that stores events: notifies the leader once if there are any. `events` names CTEs with their ids. */
export const notifyEvents = (events: readonly [Statement, Statement]): Statement => sql`
  select pg_notify(${WEBHOOK_CHANNEL}, '')::text
  from (select 1 from ${events[0]} union all select 1 from ${events[1]} limit 1) as event`

/** Stores an event for one subscription only, at the end of the order; returns it. */
export async function insertTestEvent(
  db: Database,
  type: string,
  now: Date,
): Promise<{ id: number; position: number }> {
  const [event] = await db.query<{ id: number; position: number }>(sql`
    insert into webhook_event (created_at, type, location_id, data, position)
    values (${now}::timestamptz, ${type}, 0, '{}', nextval('webhook_position'))
    returning id, position`)
  return event as { id: number; position: number }
}

/**
 * Takes up to `limit` new events into the order of deliveries and returns their ids; only the leader may call it. An
 * event that is committed late comes after those taken before: no transaction that began after the commit of another one
 * is before it.
 */
export async function takeNewEvents(db: Database, limit: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select id from webhook_event where position is null order by id limit ${limit} for update`)
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return []
  await db.execute(sql`
    with numbered as materialized (
      select id, nextval('webhook_position') as position
      from (select id from unnest(${ids}::bigint[]) as n (id) order by id) as ordered
    )
    update webhook_event e set position = numbered.position from numbered where e.id = numbered.id`)
  return ids
}

/** Days that events of certificates are kept: longer than one warns of its end, so that each is stored once. */
const CERTIFICATE_DAYS = 400

/** Whether the event `e` is deleted as one before a time. */
export const isExpiredEvent = (before: Date): Statement => sql`
  e.created_at < ${before}::timestamptz
  and (e.type <> 'certificate.ending' or e.created_at < ${before}::timestamptz - make_interval(days => ${CERTIFICATE_DAYS}))`

/** Deletes events before a time, with their deliveries. */
export const deleteWebhookEventsBefore = (db: Database, before: Date): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
    delete from webhook_event where id in (
      select e.id from webhook_event e where ${isExpiredEvent(before)} order by e.created_at limit ${limit})`),
  )
