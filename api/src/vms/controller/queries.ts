import type { Circuit } from '@rogatka/contract/vms.ts'
import { closeActivity, openSignActivity } from '../../core/activity-log.ts'
import type { Database } from '../../core/database.ts'
import { sql } from '../../core/statement.ts'

export type Command = {
  id: number
  signId: number
  kind: 'variant' | 'clear' | 'plate' | 'restore'
  variant: number | null
  plateId: number | null
  userId: number | null
  ip: string | null
  deadline: Date
  /** When first sent to the sign; null: not yet. */
  begunAt: Date | null
}

/**
 * The newest open command of a sign; older ones are superseded. Commands of users have priority over the portal's own,
 * even newer ones.
 */
export async function nextCommand(db: Database, signId: number, now: Date): Promise<Command | undefined> {
  const open = await db.query<Command>(sql`
    select id, sign_id as "signId", kind, variant, plate_id as "plateId", user_id as "userId", ip, deadline,
           begun_at as "begunAt"
    from vms_command where sign_id = ${signId} and done_at is null order by id`)
  const next = open.findLast(({ userId }) => userId !== null) ?? open.at(-1)
  for (const { id, begunAt } of open)
    if (id !== next?.id) await finishCommand(db, { id, outcome: 'superseded', isUnsettled: begunAt !== null }, now)
  return next
}

/** Recorded before sending: after a crash the next leader knows that the sign may have obeyed. */
export const markStarted = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update vms_command set begun_at = coalesce(begun_at, ${now}::timestamptz) where id = ${id}`)

/** Signs with pending commands. */
export const signsWithPendingCommands = (db: Database) =>
  db.query<{ signId: number }>(sql`
  select distinct sign_id as "signId" from vms_command where done_at is null`)

type CommandOutcome = { id: number; outcome: string; isUnsettled: boolean }

/** Finishes a command. Unsettled: the sign may have obeyed, which its status will show; irrelevant for restoring. */
export const finishCommand = (db: Database, { id, outcome, isUnsettled }: CommandOutcome, now: Date) =>
  db.execute(sql`
  update vms_command
  set done_at = ${now}::timestamptz, outcome = ${outcome}, is_unsettled = ${isUnsettled}::boolean and kind <> 'restore'
  where id = ${id} and done_at is null`)

/** Whether the sign has a command with an unknown outcome. */
export async function hasUnsettled(db: Database, signId: number): Promise<boolean> {
  const found = await db.query(sql`select from vms_command where sign_id = ${signId} and is_unsettled limit 1`)
  return found.length > 0
}

/** Marks commands as settled. */
export const markSettled = (db: Database, commands: readonly { id: number }[]) =>
  db.execute(sql`
  update vms_command set is_unsettled = false where id = any(${commands.map(({ id }) => String(id))}::bigint[])`)

/** Marks commands replaced by a newer one as settled: a plate replaces older plates, other content replaces all. */
export const markReplaced = (db: Database, { signId, id, kind }: Pick<Command, 'signId' | 'id' | 'kind'>) =>
  db.execute(sql`
  update vms_command set is_unsettled = false
  where sign_id = ${signId} and id < ${id} and is_unsettled
    and ${kind === 'plate' ? sql`kind = 'plate'` : kind === 'restore' ? sql`false` : sql`true`}`)

type Status = {
  signId: number
  checkedAt: Date
  answeredAt: Date | null
  shown: string | null
  controlMode: string | null
  circuit: Circuit
  failures: number
  error: string | null
  faults: string[]
}

export const writeStatus = (db: Database, s: Status) =>
  db.execute(sql`
  insert into vms_status (sign_id, checked_at, answered_at, shown, control_mode, circuit, failures, error, faults)
  values (${s.signId}, ${s.checkedAt}::timestamptz, ${s.answeredAt}::timestamptz, ${s.shown}, ${s.controlMode}, ${s.circuit}, ${s.failures},
          ${s.error}, ${s.faults})
  on conflict (sign_id) do update
  set checked_at = excluded.checked_at, answered_at = coalesce(excluded.answered_at, vms_status.answered_at),
      shown = excluded.shown, control_mode = excluded.control_mode, circuit = excluded.circuit,
      failures = excluded.failures, error = excluded.error, faults = excluded.faults`)

/** Who requested what on which sign. */
export type SignCommand = Pick<Command, 'signId' | 'kind' | 'variant' | 'plateId' | 'userId' | 'ip'>

/** Records the enabled variant and its user; starts its activity and ends the previous one. */
export async function recordEnabled(db: Database, command: SignCommand, now: Date): Promise<void> {
  await closeEnabled(db, command.signId, now)
  const activityId = await openActivity(db, command, now)
  await db.execute(sql`
    update vms_sign set enabled_variant = ${command.variant}, enabled_by = ${command.userId}, enabled_at = ${now}::timestamptz,
                        activity_id = ${activityId}
    where id = ${command.signId}`)
}

export async function recordDisabled(db: Database, signId: number, now: Date): Promise<void> {
  await closeEnabled(db, signId, now)
  await db.execute(sql`
    update vms_sign set enabled_variant = null, enabled_by = null, enabled_at = null, activity_id = null
    where id = ${signId}`)
}

async function closeEnabled(db: Database, signId: number, now: Date): Promise<void> {
  const [sign] = await db.query<{ activityId: number | null }>(sql`
    select activity_id as "activityId" from vms_sign where id = ${signId}`)
  if (sign?.activityId) await closeActivity(db, sign.activityId, now)
}

/** Inserts the activity of a user's command; null for a command of the portal. */
async function openActivity(db: Database, command: SignCommand, now: Date): Promise<number | null> {
  const { userId, signId, ip } = command
  if (userId === null) return null
  const [sign] = await db.query<{ locationId: number; variant: string | null }>(sql`
    select g.location_id as "locationId", v.description as variant
    from vms_sign s
    join vms_group g on g.id = s.group_id
    left join vms_variant v on v.group_id = g.id and v.variant = ${command.variant}
    where s.id = ${signId}`)
  return sign ? openSignActivity(db, { userId, signId, ip, ...sign }, now) : null
}

export async function recordPlateShown(db: Database, command: SignCommand, now: Date): Promise<void> {
  const activityId = await openActivity(db, command, now)
  await db.execute(
    sql`update vms_plate set shown_at = ${now}::timestamptz, activity_id = ${activityId} where id = ${command.plateId}`,
  )
}

/** Records that the sign no longer shows the plate. */
export async function recordPlateEnded(db: Database, plateId: number, reason: string, now: Date): Promise<void> {
  const [plate] = await db.query<{ activityId: number | null }>(sql`
    select activity_id as "activityId" from vms_plate where id = ${plateId}`)
  if (plate?.activityId) await closeActivity(db, plate.activityId, now)
  await db.execute(sql`
    update vms_plate set ended_at = ${now}::timestamptz, ending_at = coalesce(ending_at, ${now}::timestamptz),
                         ending_reason = coalesce(ending_reason, ${reason})
    where id = ${plateId} and ended_at is null`)
}

/** Whether a text is that of the last plate, or of all lorries, on the sign. */
export async function isOwnPlateText(db: Database, signId: number, shown: string): Promise<boolean> {
  const [last] = await db.query<{ shown: string }>(sql`
    select shown from vms_plate where sign_id = ${signId} order by id desc limit 1`)
  return last?.shown === shown
}

type DuePlate = { id: number; signId: number; endingAt: Date | null }

/** Plates to remove, of signs without pending commands. */
export const expiredPlates = (db: Database, now: Date) =>
  db.query<DuePlate>(sql`
  select p.id, p.sign_id as "signId", p.ending_at as "endingAt"
  from vms_plate p
  where p.ended_at is null and (p.until <= ${now}::timestamptz or p.ending_at is not null)
    and not exists (select from vms_command c where c.sign_id = p.sign_id and c.done_at is null)`)

/** Deletes plates and commands before an instant. */
export async function deleteBefore(db: Database, before: Date): Promise<void> {
  await db.execute(sql`delete from vms_plate where ended_at is not null and set_at < ${before}::timestamptz`)
  await db.execute(sql`delete from vms_command where done_at is not null and asked_at < ${before}::timestamptz`)
}
