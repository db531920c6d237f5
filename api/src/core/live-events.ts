import type { Database } from './database.ts'
import type { PassageKey } from './passage.ts'
import { type Statement, sql } from './statement.ts'

/** NOTIFY channel of live events; sent in the transaction that makes the change, so received in commit order. */
export const CHANNEL = 'live'

/** NOTIFY payloads are limited to 8,000 bytes; a key takes at most 33. */
const KEYS_PER_EVENT = 200
type EventKey = Pick<PassageKey, 'id' | 'createdAt'>
export type LiveEvent =
  | { kind: 'vehicles' | 'image' | 'marks'; keys: EventKey[] }
  | { kind: 'time'; times: { locationId: number; at: Date }[] }
const serialiseKey = ({ id, createdAt }: EventKey) => `${id}@${createdAt.getTime()}`

/**
 * Part of the statement that stores vehicles: notifies of those that become visible (`is_live`), oldest first, and of
 * the latest vehicle time of each station. Must be selected. `vehicles` names a CTE of the statement.
 */
export const notifyVehicles = (vehicles: Statement): Statement => sql`
  select count(pg_notify(${CHANNEL}, payload)::text)
  from (
    select 1 as place, page, ${'vehicles '} || string_agg(key, ' ' order by number) as payload
    from (
      select ${keyOf(sql`id`, sql`created_at`)} as key, number, (number - 1) / ${KEYS_PER_EVENT} as page
      from (select id, created_at, row_number() over (order by created_at, id) as number
            from ${vehicles} where is_live) as numbered
    ) as live
    group by page
    union all
    select 2, page, ${'time '} || string_agg(key, ' ')
    from (
      select ${keyOf(sql`location_id`, sql`max(created_at)`)} as key,
             (row_number() over (order by location_id) - 1) / ${KEYS_PER_EVENT} as page
      from ${vehicles} group by location_id
    ) as latest
    group by page
    order by 1, 2
  ) as events`

/** The SQL of `serialiseKey`. */
const keyOf = (id: Statement, time: Statement): Statement =>
  sql`${id} || '@' || (extract(epoch from ${time}) * 1000)::bigint`

/** Notifies that the list marks of these vehicles changed, live or not. */
export const notifyMarks = (db: Database, keys: readonly EventKey[]): Promise<void> => notify(db, 'marks', keys)

async function notify(db: Database, kind: LiveEvent['kind'], keys: readonly EventKey[]): Promise<void> {
  for (let from = 0; from < keys.length; from += KEYS_PER_EVENT) {
    const page = keys.slice(from, from + KEYS_PER_EVENT).map(serialiseKey)
    await db.query(sql`select pg_notify(${CHANNEL}, ${`${kind} ${page.join(' ')}`})`)
  }
}

/** Notifies of new images of vehicles, stored or not yet. */
export const notifyImages = (db: Database, keys: readonly EventKey[]): Promise<void> => notify(db, 'image', keys)

/** Parses a payload; undefined for unknown kinds of later versions. */
export function parseLiveEvent(payload: string): LiveEvent | undefined {
  const [kind, ...rest] = payload.split(' ')
  const keys = rest.map((key) => {
    const [id, time] = key.split('@').map(Number)
    return { id: id as number, createdAt: new Date(time as number) }
  })
  if (kind === 'vehicles' || kind === 'image' || kind === 'marks') return { kind, keys }
  return kind === 'time'
    ? { kind, times: keys.map(({ id, createdAt }) => ({ locationId: id, at: createdAt })) }
    : undefined
}
