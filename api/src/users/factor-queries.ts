import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Whether an account signs in with a second factor. */
export async function hasFactor(db: Database, userId: number): Promise<boolean> {
  const rows = await db.query(sql`
    select from authenticator where user_id = ${userId}
    union all select from passkey where user_id = ${userId}`)
  return rows.length > 0
}

/** Whether an account has a passkey, even a locked one. */
export async function hasPasskey(db: Database, userId: number): Promise<boolean> {
  return (await db.query(sql`select from passkey where user_id = ${userId} limit 1`)).length > 0
}

/** Whether an account has a passkey that is not locked. */
export async function hasUnlockedPasskey(db: Database, userId: number): Promise<boolean> {
  const rows = await db.query(sql`select from passkey where user_id = ${userId} and locked_at is null limit 1`)
  return rows.length > 0
}

/** `secret`: encrypted. `lastStep`: time step of the last accepted code. */
export type Authenticator = { secret: Buffer; lastStep: number; createdAt: Date; lastUsedAt: Date | null }

export async function findAuthenticator(db: Database, userId: number): Promise<Authenticator | undefined> {
  const [row] = await db.query<Authenticator>(sql`
    select secret, last_step::float8 as "lastStep", created_at as "createdAt", last_used_at as "lastUsedAt"
    from authenticator where user_id = ${userId}`)
  return row
}

/** Accepts the code of a time step; returns false if a code of this or a later step was accepted before. */
export async function acceptStep(db: Database, userId: number, step: number, now: Date): Promise<boolean> {
  const updated = await db.execute(sql`
    update authenticator set last_step = ${step}::bigint, last_used_at = ${now}::timestamptz
    where user_id = ${userId} and last_step < ${step}::bigint`)
  return updated > 0
}

type Setup = { secret: Buffer; codeHashes: Buffer[] }

/** Stores a set-up until its user confirms it, in place of an earlier one. Secret and hashes are encrypted. */
export const insertSetup = (db: Database, userId: number, { secret, codeHashes }: Setup, now: Date) =>
  db.execute(sql`
  insert into authenticator_setup (user_id, secret, code_hashes, created_at)
  values (${userId}, ${secret}, ${codeHashes}::bytea[], ${now}::timestamptz)
  on conflict (user_id) do update
  set secret = excluded.secret, code_hashes = excluded.code_hashes, created_at = excluded.created_at`)

export async function findSetup(db: Database, userId: number, since: Date): Promise<Setup | undefined> {
  const [row] = await db.query<Setup>(sql`
    select secret, code_hashes as "codeHashes" from authenticator_setup
    where user_id = ${userId} and created_at > ${since}::timestamptz`)
  return row
}

/** Makes app and recovery codes of a set-up those of its user. Returns false if the set-up is not the current one. */
export async function activateSetup(
  db: Database,
  userId: number,
  { secret, codeHashes }: Setup,
  step: number,
  now: Date,
): Promise<boolean> {
  const deleted = await db.execute(sql`
    delete from authenticator_setup where user_id = ${userId} and secret = ${secret}`)
  if (deleted === 0) return false
  await db.execute(sql`
    insert into authenticator (user_id, secret, last_step, created_at)
    values (${userId}, ${secret}, ${step}::bigint, ${now}::timestamptz)
    on conflict (user_id) do update
    set secret = excluded.secret, last_step = excluded.last_step, created_at = excluded.created_at, last_used_at = null`)
  await replaceRecoveryCodes(db, userId, codeHashes)
  return true
}

/** Replaces the recovery codes of a user by others, encrypted hashes. */
export async function replaceRecoveryCodes(db: Database, userId: number, codeHashes: Buffer[]): Promise<void> {
  await db.execute(sql`delete from recovery_code where user_id = ${userId}`)
  await db.execute(sql`
    insert into recovery_code (user_id, code_hash) select ${userId}::int, unnest(${codeHashes}::bytea[])`)
}

export const unusedRecoveryCodes = (db: Database, userId: number) =>
  db.query<{ id: number; codeHash: Buffer }>(sql`
  select id, code_hash as "codeHash" from recovery_code where user_id = ${userId} and used_at is null order by id`)

export async function countRecoveryCodes(db: Database, userId: number): Promise<number> {
  return (await unusedRecoveryCodes(db, userId)).length
}

/** Uses a recovery code; returns false if it was used before. */
export async function useRecoveryCode(db: Database, id: number, now: Date): Promise<boolean> {
  const updated = await db.execute(sql`
    update recovery_code set used_at = ${now}::timestamptz where id = ${id} and used_at is null`)
  return updated > 0
}

/** Deletes the app of a user, and one that is being set up. Returns false if there is none. */
export async function deleteAuthenticator(db: Database, userId: number): Promise<boolean> {
  await db.execute(sql`delete from authenticator_setup where user_id = ${userId}`)
  return (await db.execute(sql`delete from authenticator where user_id = ${userId}`)) > 0
}

/** Deletes all second factors of a user, and one that is being set up. */
export async function deleteFactors(db: Database, userId: number): Promise<void> {
  await deleteAuthenticator(db, userId)
  await db.execute(sql`delete from passkey where user_id = ${userId}`)
  await db.execute(sql`delete from recovery_code where user_id = ${userId}`)
}

/** Deletes setups that were begun before and never confirmed. */
export const deleteExpiredSetups = (db: Database, before: Date) =>
  db.execute(sql`delete from authenticator_setup where created_at <= ${before}::timestamptz`)

type Secret = { userId: number; secret: Buffer }
type CodeHash = { id: number; userId: number; codeHash: Buffer }

/** Secrets of all apps, locked for re-encryption with another key. */
export const lockSecrets = (db: Database) =>
  db.query<Secret>(sql`select user_id as "userId", secret from authenticator order by user_id for update`)

export const replaceSecret = (db: Database, { userId, secret }: Secret) =>
  db.execute(sql`update authenticator set secret = ${secret} where user_id = ${userId}`)

/** All recovery codes, locked for re-encryption with another key. */
export const lockCodeHashes = (db: Database) =>
  db.query<CodeHash>(sql`
  select id, user_id as "userId", code_hash as "codeHash" from recovery_code order by id for update`)

export const replaceCodeHash = (db: Database, { id, codeHash }: Omit<CodeHash, 'userId'>) =>
  db.execute(sql`update recovery_code set code_hash = ${codeHash} where id = ${id}`)

/** Deletes all setups in progress: those encrypted with an earlier key cannot be confirmed. */
export const deleteSetups = (db: Database) => db.execute(sql`delete from authenticator_setup`)
