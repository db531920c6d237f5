import { tokenState } from '@rogatka/domain/core/tokenState.ts'
import { type Actor, audit } from './audit.ts'
import type { Database, Pool } from './database.ts'
import { type ById, type Changer, createGrantedRows } from './granted-rows.ts'
import type { TokenUse } from './last-seen.ts'
import { Refusal } from './refusal.ts'
import { hashToken, type Session } from './sessions.ts'
import { assignments, identifier, join, type Statement, sql, valuesOf } from './statement.ts'
import type { TokenSessions } from './token-sessions.ts'

/*
 * Devices and systems: what holds a token without being a user. Each feature has the values of its own, the rights to
 * them and the routes; statements, changes and their audit are the same.
 */

/** What every holder can be given. */
type HolderValues = {
  name: string
  remark: string | null
  locationIds: number[]
  /** Last day of the token in Warsaw; null: none. */
  validUntil: string | null
}

export type HolderRow<Values> = Values & {
  id: number
  createdAt: Date
  createdBy: string
  renewedAt: Date
  lastSeenAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
  version: number
}

type Table = {
  name: string
  /** Of the SHA-256 of the token; null once revoked. */
  hashColumn: string
  /** NOTIFY channel of changes; the payload is the id. */
  channel: string
  /** Columns that holders of this kind have besides, named as their values. */
  columns: readonly string[]
}

export type HolderQueries<Values extends HolderValues> = ReturnType<typeof createHolderQueries<Values>>

/** The statements of one kind of holders. */
export function createHolderQueries<Values extends HolderValues>(table: Table) {
  type Row = HolderRow<Values>
  const [holder, tokenHash] = [identifier(table.name), identifier(table.hashColumn)]
  const select = sql`
    select id, name, remark, location_ids as "locationIds", valid_until::text as "validUntil",
           ${join(table.columns.map(identifier))}, created_at as "createdAt", created_by as "createdBy",
           renewed_at as "renewedAt", last_seen_at as "lastSeenAt", revoked_at as "revokedAt", revoked_by as "revokedBy",
           version
    from ${holder}`
  const columnsOf = ({ locationIds, validUntil, ...values }: Values) => ({
    ...values,
    location_ids: locationIds,
    valid_until: validUntil,
  })
  const findOne = async (db: Database, condition: Statement): Promise<Row | undefined> =>
    (await db.query<Row>(sql`${select} where ${condition}`))[0]
  const update = (db: Database, id: number, changes: Statement) =>
    db.execute(sql`update ${holder} set ${changes}, version = version + 1 where id = ${id}`)

  return {
    channel: table.channel,

    /** Invalidates a holder in all API processes; call it in the transaction of the change. */
    notifyChange: (db: Database, id: number) => db.query(sql`select pg_notify(${table.channel}, ${String(id)})`),

    /** All holders by name. */
    list: (db: Database) => db.query<Row>(sql`${select} order by name collate "und-x-icu", id`),

    byId: (db: Database, id: number) => findOne(db, sql`id = ${id}`),

    /** Locks a holder until the transaction ends. */
    lock: (db: Database, id: number) => findOne(db, sql`id = ${id} for update`),

    /** Inserts a holder and returns its id; the name of one that is not revoked violates a unique index. */
    insert: async (db: Database, values: Values, hash: Buffer, by: string, now: Date): Promise<number> => {
      const own = { [table.hashColumn]: hash, created_by: by, created_at: now, renewed_at: now }
      const row = { ...columnsOf(values), ...own }
      const [added] = await db.query<{ id: number }>(sql`insert into ${holder} ${valuesOf(row)} returning id`)
      return added?.id as number
    },

    update: (db: Database, id: number, values: Values) => update(db, id, assignments(columnsOf(values))),

    /** Replaces the token of a holder; nobody has been seen with the new one. */
    setToken: (db: Database, id: number, hash: Buffer, now: Date) =>
      update(db, id, sql`${tokenHash} = ${hash}, renewed_at = ${now}::timestamptz, last_seen_at = null`),

    setRevoked: (db: Database, id: number, by: string, now: Date) =>
      update(db, id, sql`${tokenHash} = null, revoked_at = ${now}::timestamptz, revoked_by = ${by}`),

    /** Finds the holder of a token, also after its last day. */
    findByHash: (db: Database, hash: Buffer) => db.prepared<Row>(sql`${select} where ${tokenHash} = ${hash}`),

    /**
     * Updates when holders were last seen with their present token; never to an older time, unless the stored one is in
     * the future, from before a clock was set back. `key`: token hash in base64.
     */
    touch: (db: Database, seen: readonly TokenUse[], now: Date) =>
      db.execute(sql`
      update ${holder} h set last_seen_at = seen.at
      from unnest(${seen.map(({ key }) => key)}::text[],
                  ${seen.map(({ at }) => at.toISOString())}::timestamptz[]) as seen (key, at)
      where h.${tokenHash} = decode(seen.key, 'base64')
        and (h.last_seen_at is null or h.last_seen_at < seen.at
             or h.last_seen_at > ${now}::timestamptz + interval '1 minute')`),

    /** Deletes holders that were revoked, or whose last day was, before a time. `day`: the same in Warsaw. */
    deleteBefore: (db: Database, before: Date, day: string) =>
      db.execute(sql`delete from ${holder} where revoked_at < ${before}::timestamptz or valid_until < ${day}::date`),
  }
}

/** The fields of `tokenFields` of the contract, except `manageable`. */
export const tokenFieldsOf = (row: HolderRow<HolderValues>, now: Date) => ({
  state: tokenState(row, now),
  created: { at: row.createdAt, by: row.createdBy },
  renewedAt: row.renewedAt,
  lastSeenAt: row.lastSeenAt,
  revoked: row.revokedAt && row.revokedBy !== null ? { at: row.revokedAt, by: row.revokedBy } : null,
  version: row.version,
})

type Kind<Values extends HolderValues, Body, Wire> = {
  noun: 'device' | 'system'
  queries: HolderQueries<Values>
  sessions: TokenSessions
  /** Runs a change in a transaction, with the present rights of the caller. */
  runChange: <T>(session: Session, work: (db: Database, caller: Changer) => Promise<T>) => Promise<T>
  toWire: (row: HolderRow<Values>, caller: Pick<Changer, 'permissions'>, now: Date) => Wire
  /** Refuses a holder that reads more than the caller. */
  checkRights: (caller: Changer, readable: Body | Values) => void
  /** Refuses invalid values. */
  checkValues: (db: Database, body: Body, now: Date) => Promise<Values>
  /** The values kept in the audit log. */
  auditedFields: (values: Values) => object
}

/** What the routes of one kind of holders do. */
export function createHolders<Values extends HolderValues, Body, Wire>(kind: Kind<Values, Body, Wire>) {
  const { noun, queries, sessions, runChange, toWire, checkRights, checkValues, auditedFields } = kind
  type Row = HolderRow<Values>

  const rows = createGrantedRows<Row, Wire>({
    ...{ noun, byId: queries.byId, lock: queries.lock, checkRights, runChange, notifyChange: queries.notifyChange },
    toWire: (_, row, caller, now) => toWire(row, caller, now),
  })

  const checkUnrevoked = (row: Row): Row => {
    if (row.revokedAt) throw new Refusal(`${noun}-revoked`, 409)
    return row
  }

  /** A locked holder that may still be changed, by a caller who may read all that it reads. */
  const lockManageable = async (db: Database, caller: Changer, id: number): Promise<Row> => {
    return checkUnrevoked(await rows.lockManageable(db, caller, id))
  }

  /** Changes a holder in a transaction, after which all processes look it up again. */
  async function changeOne(call: ById, apply: (db: Database, caller: Changer) => Promise<unknown>): Promise<Wire> {
    const { changed } = await rows.changeOne(call, apply)
    sessions.clearHolder(call.params.id)
    return changed
  }

  return {
    list: async ({ db, session, now }: { db: Pool; session: Session; now: Date }): Promise<Wire[]> =>
      (await queries.list(db)).map((row) => toWire(row, session, now)),

    read: async ({ db, session, now, params }: { db: Pool; session: Session; now: Date; params: { id: number } }) =>
      toWire(await rows.find(db, params.id), session, now),

    add: (call: Actor & { body: Body }, token: string): Promise<Wire> =>
      runChange(call.session, async (db, caller) => {
        const { session, body, now } = call
        checkRights(caller, body)
        const values = await checkValues(db, body, now)
        const id = await queries.insert(db, values, hashToken(token), session.username, now)
        await audit(db, call, { action: `${noun}-added`, subject: values.name, after: auditedFields(values) })
        return toWire(await rows.find(db, id), caller, now)
      }),

    /** @throws Refusal `changed-meanwhile` if the stored version is another one */
    change: (call: ById, body: Body, version: number | undefined): Promise<Wire> =>
      changeOne(call, async (db, caller) => {
        const before = await lockManageable(db, caller, call.params.id)
        checkRights(caller, body)
        rows.checkVersion(before, version)
        const values = await checkValues(db, body, call.now)
        await queries.update(db, before.id, values)
        const changes = { before: auditedFields(before), after: auditedFields(values) }
        await audit(db, call, { action: `${noun}-changed`, subject: values.name, ...changes })
      }),

    renew: (call: ById, token: string): Promise<Wire> =>
      changeOne(call, async (db, caller) => {
        const { id, name } = await lockManageable(db, caller, call.params.id)
        await queries.setToken(db, id, hashToken(token), call.now)
        await audit(db, call, { action: `${noun}-renewed`, subject: name })
      }),

    /** Also of what the caller may not read. */
    revoke: (call: ById): Promise<Wire> =>
      changeOne(call, async (db) => {
        const before = checkUnrevoked(await rows.lock(db, call.params.id))
        await queries.setRevoked(db, before.id, call.session.username, call.now)
        await audit(db, call, { action: `${noun}-revoked`, subject: before.name, before: auditedFields(before) })
      }),
  }
}
