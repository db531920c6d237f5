import type { Database } from './database.ts'
import { type PassageKey, vehicleKey } from './passage.ts'
import { type Statement, sql } from './statement.ts'

/** NOTIFY channel of live events; sent in the transaction that makes the change, so received in commit order. */
export const CHANNEL = 'live'

/** NOTIFY channel of hits of black-list entries, new or changed, also of vehicles that are no longer live. */
export const HIT_CHANNEL = 'wanted_hit'

/** NOTIFY payloads are limited to 8,000 bytes; a key takes at most 33. */
const KEYS_PER_EVENT = 200
type EventKey = Pick<PassageKey, 'id' | 'createdAt'>
export type LiveEvent =
  | { kind: 'vehicles' | 'image' | 'marks'; keys: EventKey[] }
  | { kind: 'time'; times: { locationId: number; at: Date }[] }
  | { kind: 'station'; locationId: number }

/**
 * Part of a statement that stores vehicles: notifies of those that become visible (`is_live`), oldest first, and of the
 * latest vehicle time of each station. `vehicles` names a CTE; the result must be selected.
 */
export const notifyVehicles = (vehicles: Statement): Statement => sql`
  select count(pg_notify(${CHANNEL}, payload)::text)
  from (
    select 1 as place, * from (${payloads('vehicles', sql`select id, created_at from ${vehicles} where is_live`)}) as live
    union all
    select 2, * from (${payloads(
      'time',
      sql`
      select location_id as id, max(created_at) as created_at from ${vehicles} group by location_id`,
    )}) as latest
    order by 1, 2
  ) as events`

/**
 * Part of a statement that stores images: notifies of them. `images` names a CTE with one row or more for a vehicle,
 * stored or not yet; the result must be selected.
 */
export const notifyImages = (images: Statement): Statement => sql`
  select count(pg_notify(${CHANNEL}, payload)::text)
  from (${payloads('image', sql`select distinct id, created_at from ${images}`)}) as events`

/**
 * Part of a statement that stores hits: notifies of them. `matches` names a CTE with the black-list matches; the result
 * must be selected.
 */
export const notifyHits = (matches: Statement): Statement => sql`
  select count(pg_notify(${HIT_CHANNEL}, payload)::text)
  from (${payloads('hit', sql`select distinct id, created_at from ${matches}`)}) as events`

/** Notifies that a station changed, which vehicles of the live list name; call it in the transaction of the change. */
export const notifyStationChange = (db: Database, locationId: number) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${`station ${locationId}@0`})`)

/** The payloads of events with these keys, numbered; with the SQL of `vehicleKey`. */
const payloads = (kind: LiveEvent['kind'] | 'hit', keys: Statement): Statement => sql`
  select page, ${`${kind} `} || string_agg(key, ' ' order by number) as payload
  from (
    select id || '@' || (extract(epoch from created_at) * 1000)::bigint as key, number, (number - 1) / ${KEYS_PER_EVENT} as page
    from (select id, created_at, row_number() over (order by created_at, id) as number from (${keys}) as keys) as numbered
  ) as serialised
  group by page`

/** Notifies that the list marks of these vehicles changed, live or not, and with them their hits. */
export async function notifyMarks(db: Database, keys: readonly EventKey[]): Promise<void> {
  await notifyKeys(db, CHANNEL, 'marks', keys)
  await notifyKeys(db, HIT_CHANNEL, 'hit', keys)
}

/** Notifies that something was done about the hits of these vehicles. */
export const notifyHitChanges = (db: Database, keys: readonly EventKey[]) => notifyKeys(db, HIT_CHANNEL, 'hit', keys)

async function notifyKeys(db: Database, channel: string, kind: string, keys: readonly EventKey[]): Promise<void> {
  const distinct = [...new Set(keys.map(vehicleKey))]
  for (let from = 0; from < distinct.length; from += KEYS_PER_EVENT) {
    const page = distinct.slice(from, from + KEYS_PER_EVENT)
    await db.query(sql`select pg_notify(${channel}, ${`${kind} ${page.join(' ')}`})`)
  }
}

const parseKey = (key: string): EventKey => {
  const [id, time] = key.split('@').map(Number)
  return { id: id as number, createdAt: new Date(time as number) }
}

/** The vehicles of a notification of hits. */
export const parseHitEvent = (payload: string): EventKey[] => payload.split(' ').slice(1).map(parseKey)

/** Parses a payload; undefined for unknown kinds of later versions. */
export function parseLiveEvent(payload: string): LiveEvent | undefined {
  const [kind, ...rest] = payload.split(' ')
  const keys = rest.map(parseKey)
  if (kind === 'vehicles' || kind === 'image' || kind === 'marks') return { kind, keys }
  if (kind === 'station' && keys[0]) return { kind, locationId: keys[0].id }
  return kind === 'time'
    ? { kind, times: keys.map(({ id, createdAt }) => ({ locationId: id, at: createdAt })) }
    : undefined
}
