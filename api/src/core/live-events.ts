import type { Database } from './database.ts'
import type { PassageKey } from './passage.ts'
import { sql } from './statement.ts'

/** NOTIFY channel of live events; sent in the transaction that makes the change, so received in commit order. */
export const CHANNEL = 'live'

/** NOTIFY payloads are limited to 8,000 bytes; a key takes at most 33. */
const KEYS_PER_EVENT = 200
type EventKey = Pick<PassageKey, 'id' | 'createdAt'>
export type LiveEvent =
  | { kind: 'vehicles' | 'image' | 'marks'; keys: EventKey[] }
  | { kind: 'time'; locationId: number; at: Date }
const serialiseKey = ({ id, createdAt }: EventKey) => `${id}@${createdAt.getTime()}`

/** Notifies of vehicles that become visible with this transaction, in this order. */
export const notifyVehicles = (db: Database, keys: readonly EventKey[]): Promise<void> => notify(db, 'vehicles', keys)

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

/** Notifies of a station's latest vehicle time, live or not. */
export const notifyLastVehicleTime = (db: Database, locationId: number, at: Date) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${`time ${serialiseKey({ id: locationId, createdAt: at })}`})`)

/** Parses a payload; undefined for unknown kinds of later versions. */
export function parseLiveEvent(payload: string): LiveEvent | undefined {
  const [kind, ...rest] = payload.split(' ')
  const keys = rest.map((key) => {
    const [id, time] = key.split('@').map(Number)
    return { id: id as number, createdAt: new Date(time as number) }
  })
  if (kind === 'vehicles' || kind === 'image' || kind === 'marks') return { kind, keys }
  const [time] = keys
  return kind === 'time' && time ? { kind, locationId: time.id, at: time.createdAt } : undefined
}
