import type { DeliveryError, WebhookEventType } from '@rogatka/contract/webhooks.ts'
import type { Database } from '../core/database.ts'
import { assignments, sql, valuesOf } from '../core/statement.ts'
import { WEBHOOK_CHANNEL } from '../core/webhook-events.ts'
import { retryPending } from './delivery-queries.ts'

export type WebhookValues = {
  name: string
  url: string
  events: WebhookEventType[]
  locationIds: number[] | null
  ctg8p1: number[] | null
  minExcess: number | null
  plates: boolean
}

export type WebhookRow = WebhookValues & {
  id: number
  /** Encrypted. */
  secret: Buffer
  previousSecret: Buffer | null
  previousUntil: Date | null
  createdAt: Date
  createdBy: string
  pausedAt: Date | null
  pausedBy: string | null
  endedAt: Date | null
  lateSince: Date | null
  lastDeliveredAt: Date | null
  lastStatus: number | null
  /** Of the latest attempt. */
  lastError: DeliveryError | null
  version: number
}

const selectWebhooks = sql`
  select id, name, url, events, location_ids as "locationIds", ctg8p1, min_excess::float as "minExcess", plates, secret,
         previous_secret as "previousSecret", previous_until as "previousUntil", created_at as "createdAt",
         created_by as "createdBy", paused_at as "pausedAt", paused_by as "pausedBy", ended_at as "endedAt", late_since as "lateSince",
         last_delivered_at as "lastDeliveredAt", last_status as "lastStatus", last_error as "lastError", version
  from webhook where deleted_at is null`

/** All subscriptions by name. */
export const webhooks = (db: Database) =>
  db.query<WebhookRow>(sql`${selectWebhooks} order by name collate "und-x-icu", id`)

export async function webhookById(db: Database, id: number): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow>(sql`${selectWebhooks} and id = ${id}`)
  return row
}

/** Locks a subscription until the transaction ends; deliveries can be inserted meanwhile. */
export async function lockWebhook(db: Database, id: number): Promise<WebhookRow | undefined> {
  const [row] = await db.query<WebhookRow>(sql`${selectWebhooks} and id = ${id} for no key update`)
  return row
}

/** Payload of notifications after which the leader reads all pending deliveries again. */
export const CHANGED = 'changed'

/** Notifies the leader of changed deliveries or subscriptions; call it in the transaction of the change. */
export const notifySender = (db: Database) => db.query(sql`select pg_notify(${WEBHOOK_CHANNEL}, ${CHANGED})`)

const columnsOf = ({ locationIds, minExcess, ...values }: WebhookValues) => ({
  ...values,
  location_ids: locationIds,
  min_excess: minExcess,
})

/** The id of a new subscription, needed to encrypt its secret. */
export async function nextWebhookId(db: Database): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    select nextval(pg_get_serial_sequence('webhook', 'id'))::int as id`)
  return row?.id as number
}

type NewWebhook = WebhookValues & { id: number; secret: Buffer; createdBy: string }

/** Inserts a subscription; a name already used violates webhook_name_unique. */
export const insertWebhook = (db: Database, { id, secret, createdBy, ...values }: NewWebhook, now: Date) =>
  db.execute(sql`
  insert into webhook ${valuesOf({ id, ...columnsOf(values), secret, created_by: createdBy, created_at: now })}`)

export const updateWebhook = (db: Database, id: number, values: WebhookValues) =>
  db.execute(sql`update webhook set ${assignments(columnsOf(values))}, version = version + 1 where id = ${id}`)

/** Marks a subscription as deleted. Its row is deleted after its deliveries, which may be many. */
export const markDeleted = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update webhook set deleted_at = ${now}::timestamptz, ended_at = coalesce(ended_at, ${now}::timestamptz) where id = ${id}`)

/** Subscriptions marked as deleted. */
export const deletedWebhooks = (db: Database) =>
  db.query<{ id: number }>(sql`select id from webhook where deleted_at is not null`)

export const deleteWebhook = (db: Database, id: number) => db.execute(sql`delete from webhook where id = ${id}`)

/** Replaces the secret; the former one signs, too, until a time. */
export const setSecret = (db: Database, id: number, secret: Buffer, previousUntil: Date) =>
  db.execute(sql`
  update webhook set previous_secret = secret, previous_until = ${previousUntil}::timestamptz, secret = ${secret},
                     version = version + 1
  where id = ${id}`)

/** Pauses a subscription. */
export const setPaused = (db: Database, id: number, by: string, now: Date) =>
  db.execute(sql`
  update webhook set paused_at = ${now}::timestamptz, paused_by = ${by}, version = version + 1
  where id = ${id} and paused_at is null`)

/** Continues a subscription: each of its stations is tried at once. */
export async function setResumed(db: Database, id: number, now: Date): Promise<void> {
  await db.execute(sql`
    update webhook set paused_at = null, paused_by = null, ended_at = null, version = version + 1 where id = ${id}`)
  await retryPending(db, id, now)
}

/**
 * Records the latest attempt in a subscription and locks it. Returns when anything was delivered before; null: never, or
 * the subscription was deleted.
 */
export async function setLastAttempt(
  db: Database,
  id: number,
  { status, error }: { status: number | null; error: DeliveryError | null },
  now: Date,
): Promise<Date | null> {
  const [row] = await db.query<{ lastDeliveredAt: Date | null }>(sql`
    with before as (select id, last_delivered_at from webhook where id = ${id} for no key update)
    update webhook w
    set last_status = ${status}::int, last_error = ${error}::text,
        last_delivered_at = case when ${error}::text is null then ${now}::timestamptz else w.last_delivered_at end
    from before where w.id = before.id
    returning before.last_delivered_at as "lastDeliveredAt"`)
  return row?.lastDeliveredAt ?? null
}

/**
 * Stops a subscription whose receiver does not respond, or ends one whose receiver returned 410. Does nothing if its
 * address has changed meanwhile, or it is no longer active. Returns whether it did.
 */
export const setInactive = async (
  db: Database,
  { id, url }: Pick<WebhookRow, 'id' | 'url'>,
  to: 'stopped' | 'ended',
  now: Date,
): Promise<boolean> =>
  (await db.execute(sql`
    update webhook
    set ${to === 'ended' ? sql`ended_at` : sql`paused_at`} = ${now}::timestamptz, version = version + 1
    where id = ${id} and url = ${url} and paused_at is null and ended_at is null`)) > 0

/** Stores the secrets of a subscription, encrypted with another key. */
export const replaceSecrets = (db: Database, id: number, secret: Buffer, previous: Buffer | null) =>
  db.execute(sql`update webhook set secret = ${secret}, previous_secret = ${previous}::bytea,
                     previous_until = case when ${previous}::bytea is null then null else previous_until end
  where id = ${id}`)
