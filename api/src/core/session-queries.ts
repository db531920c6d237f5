import type { SessionFactor } from '@rogatka/contract/options.ts'
import type { RoleDemand } from '@rogatka/domain/session/factorPolicy.ts'
import type { Database } from './database.ts'
import { deletePendingSignInsOf } from './pending-sign-ins.ts'
import { sql } from './statement.ts'

/**
 * NOTIFY channel of changes that end sessions or alter permissions; the payload is the user id, or empty for all users.
 */
export const CHANNEL = 'session_changed'

/** Invalidates the session cache of all API processes; call it in the transaction of the change. */
export const notifySessionChange = (db: Database, userId?: number) =>
  db.query(sql`select pg_notify(${CHANNEL}, ${userId === undefined ? '' : String(userId)})`)

type SessionRow = {
  userId: number
  username: string
  createdAt: Date
  lastSeenAt: Date
  /** Of the user's first role, as `permissions`. */
  roleId: number | null
  permissions: string[]
  demand: RoleDemand
  factor: SessionFactor | null
  verifiedAt: Date | null
  /** A provider opened the session, without a password of the portal. */
  isThroughProvider: boolean
  /** False: a sign-in through a provider made the account. */
  hasPassword: boolean
  /** An administrator requires a new password. */
  mustChange: boolean
  passwordUpdatedAt: Date | null
}

/** What all roles of the user `u` require together. */
const demand = sql`
  (select jsonb_build_object(
            'factor', coalesce(bool_or(q.requires_factor), false),
            'passkey', coalesce(bool_or(q.requires_factor and q.required_factor = 'passkey'), false),
            'provider', coalesce(bool_or(q.requires_factor and q.required_factor = 'provider'), false)) as demand
   from user_role f join role q on q.id = f.role_id where f.user_id = u.id)`

export async function findRoleDemand(db: Database, userId: number): Promise<RoleDemand> {
  const [row] = await db.query<{ demand: RoleDemand }>(sql`
    select d.demand from app_user u cross join lateral ${demand} d where u.id = ${userId}`)
  return row?.demand ?? { factor: false, passkey: false, provider: false }
}

/**
 * Finds a session by its token. Excludes sessions that could not be opened today: without the second factor that the account
 * now has, or without the passkey or provider that a role requires, also if the account was unlinked since.
 */
export const findSessionByHash = (db: Database, tokenHash: Buffer) =>
  db.prepared<SessionRow>(sql`
  select s.user_id as "userId", u.username, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
         r.id as "roleId", coalesce(r.permissions, '{}') as permissions,
         d.demand, s.factor, s.verified_at as "verifiedAt",
         s.provider is not null as "isThroughProvider",
         not exists (select from user_identity i where i.user_id = u.id and i.linked_at is null) as "hasPassword",
         u.must_change_password as "mustChange", u.password_updated_at as "passwordUpdatedAt"
  from session s
  join app_user u on u.id = s.user_id and u.enabled and u.deleted_at is null
  left join user_role ur on ur.user_id = u.id
       and ur.place = (select min(f.place) from user_role f where f.user_id = u.id)
  left join role r on r.id = ur.role_id
  cross join lateral ${demand} d
  where s.token_hash = ${tokenHash}
    and (s.factor is not null
         or not exists (select from authenticator a where a.user_id = s.user_id)
            and not exists (select from passkey p where p.user_id = s.user_id))
    and (not (d.demand ->> 'provider')::boolean
         or s.provider is not null and exists (select from user_identity i where i.user_id = u.id))
    and (s.factor is not distinct from 'passkey' or not (d.demand ->> 'passkey')::boolean
         or not exists (select from passkey p where p.user_id = s.user_id))`)

/** Updates when sessions were last seen; never to an older time. `key`: token hash in base64. */
export const touch = (db: Database, sessions: readonly { key: string; lastSeenAt: Date }[]) =>
  db.execute(sql`
  update session s set last_seen_at = seen.at
  from unnest(${sessions.map(({ key }) => key)}::text[],
              ${sessions.map(({ lastSeenAt }) => lastSeenAt.toISOString())}::timestamptz[]) as seen (key, at)
  where s.token_hash = decode(seen.key, 'base64') and s.last_seen_at < seen.at`)

type NewSession = {
  tokenHash: Buffer
  userId: number
  ip: string
  userAgent: string | null
  /** Absent: the password alone. */
  factor?: SessionFactor | undefined
  /** The provider that signed the user in; absent: the portal itself. */
  provider?: string | undefined
  /** The ID token of that provider, encrypted. */
  idToken?: Buffer | null | undefined
}

/** Inserts a session and its activity (event type 1: web login). */
export const insertSession = (
  db: Database,
  { tokenHash, userId, ip, userAgent, factor, provider, idToken }: NewSession,
  now: Date,
) =>
  db.execute(sql`
  with opened as (
    insert into activity (user_id, event_type, login_at, created_at, ip)
    values (${userId}, 1, ${now}::timestamptz, ${now}::timestamptz, ${ip})
    returning id
  )
  insert into session
    (token_hash, user_id, created_at, last_seen_at, verified_at, ip, user_agent, factor, provider,
     id_token, activity_id)
  select ${tokenHash}, ${userId}::int, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, ${ip}, ${userAgent},
         ${factor ?? null}, ${provider ?? null}, ${idToken ?? null}, id
  from opened`)

/** Records that the user of a session has shown a second factor in it; a passkey stays one. */
export const setSessionFactor = (db: Database, tokenHash: Buffer, factor: SessionFactor, now: Date) =>
  db.execute(sql`
  update session set factor = case when factor = 'passkey' then factor else ${factor} end, verified_at = ${now}::timestamptz
  where token_hash = ${tokenHash}`)

/** Records that the user of a session was verified in it again. */
export const setVerifiedAt = (db: Database, tokenHash: Buffer, now: Date) =>
  db.execute(sql`update session set verified_at = ${now}::timestamptz where token_hash = ${tokenHash}`)

/** Deletes the ID tokens of all sessions. */
export const deleteIdTokens = (db: Database) =>
  db.execute(sql`update session set id_token = null where id_token is not null`)

export async function readVerifiedAt(db: Database, tokenHash: Buffer): Promise<Date | null> {
  const [row] = await db.query<{ verifiedAt: Date | null }>(sql`
    select verified_at as "verifiedAt" from session where token_hash = ${tokenHash}`)
  return row?.verifiedAt ?? null
}

/** Deletes one session and evicts it from the cache of all processes. */
export async function closeSession(
  db: Database,
  { tokenHash, userId }: Pick<NewSession, 'tokenHash' | 'userId'>,
  now: Date,
): Promise<void> {
  await db.query(sql`
    with closed as (delete from session where token_hash = ${tokenHash} returning activity_id)
    update activity a set logout_at = ${now}::timestamptz from closed where a.id = closed.activity_id`)
  await notifySessionChange(db, userId)
}

/** Deletes a session of a user by the id of its activity, unless it is the caller's own. Returns false if there is none. */
export async function closeOtherSession(
  db: Database,
  { tokenHash, userId }: Pick<NewSession, 'tokenHash' | 'userId'>,
  id: number,
  now: Date,
): Promise<boolean> {
  const closed = await db.execute(sql`
    with closed as (
      delete from session where activity_id = ${id} and user_id = ${userId} and token_hash <> ${tokenHash}
      returning activity_id
    )
    update activity a set logout_at = ${now}::timestamptz from closed where a.id = closed.activity_id`)
  if (closed > 0) await notifySessionChange(db, userId)
  return closed > 0
}

/** Deletes all sessions of a user, optionally except one, and all sign-ins that wait for another step. */
export async function closeSessionsOf(db: Database, userId: number, except: Buffer | null, now: Date): Promise<void> {
  await db.query(sql`
    with closed as (
      delete from session where user_id = ${userId} and token_hash is distinct from ${except} returning activity_id
    )
    update activity a set logout_at = ${now}::timestamptz from closed where a.id = closed.activity_id`)
  await deletePendingSignInsOf(db, userId)
  await notifySessionChange(db, userId)
}

/** Locks a session against its end; returns whether it has not ended. */
export async function lockSession(db: Database, tokenHash: Buffer): Promise<boolean> {
  return (await db.query(sql`select 1 from session where token_hash = ${tokenHash} for key share`)).length > 0
}

/** Deletes sessions last seen before `idleSince` or created before `openedBefore`, which end when last seen. */
export const deleteExpiredSessions = (db: Database, idleSince: Date, openedBefore: Date) =>
  db.execute(sql`
  with closed as (
    delete from session where last_seen_at < ${idleSince}::timestamptz or created_at < ${openedBefore}::timestamptz
    returning activity_id, last_seen_at
  )
  update activity a set logout_at = closed.last_seen_at from closed where a.id = closed.activity_id`)
