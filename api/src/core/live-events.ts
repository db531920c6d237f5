import type { Database } from './database.ts'
import type { PassageKey } from './passage.ts'
import { sql } from './statement.ts'

/** What all processes are told in the transaction that makes it true; so they hear it in the order of the commits. */
export const CHANNEL = 'live'

/** A payload of NOTIFY has to be shorter than 8,000 bytes; a key takes at most 33. */
const KEYS_A_NOTICE = 200
type NoticeKey = Pick<PassageKey, 'id' | 'createdAt'>
export type LiveEvent =
  | { kind: 'vehicles' | 'image' | 'marks'; keys: NoticeKey[] }
  | { kind: 'time'; locationId: number; at: Date }
const written = ({ id, createdAt }: NoticeKey) => `${id}@${createdAt.getTime()}`

/** Tells of vehicles that become visible with this transaction, in this order. */
export const notifyVehicles = (db: Database, keys: readonly NoticeKey[]): Promise<void> => notify(db, 'vehicles', keys)

/** Tells that lists say something else of these vehicles now, live or not. */
export const notifyMarks = (db: Database, keys: readonly NoticeKey[]): Promise<void> => notify(db, 'marks', keys)

async function notify(db: Database, kind: LiveEvent['kind'], keys: readonly NoticeKey[]): Promise<void> {
  for (let from = 0; from < keys.length; from += KEYS_A_NOTICE) {
    const some = keys.slice(from, from + KEYS_A_NOTICE).map(written)
    await db.query(sql`select pg_notify(${CHANNEL}, ${`${kind} ${some.join(' ')}`})`)
  }
}

/** Notifies of new pictures of vehicles, whether or not the vehicles are there yet. */
export const notifyImages = (db: Database, keys: readonly NoticeKey[]): Promise<void> => notify(db, 'image', keys)

/** Tells that a station sent vehicles, the newest of that time, live or not. */
export const notifyLastVehicleTime = (db: Database, locationId: number, at: Date) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${`time ${written({ id: locationId, createdAt: at })}`})`)

/** Reads what was announced; undefined for what a later version may add. */
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
