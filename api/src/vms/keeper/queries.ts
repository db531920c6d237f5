import type { Circuit } from '@rogatka/contract/vms.ts'
import type { Sql } from '../../core/database.ts'

export type Command = {
  id: number
  signId: number
  kind: 'variant' | 'clear' | 'plate' | 'restore'
  variant: number | null
  plateId: number | null
  userId: number | null
  ip: string | null
  deadline: Date
  /** When the sign was first told; null: not yet. */
  begunAt: Date | null
}

/**
 * The newest open command of a sign; the others have been overtaken by it. What the portal does by itself gives way to
 * what a person asked, even before it.
 */
export async function nextCommand(sql: Sql, signId: number, now: Date): Promise<Command | undefined> {
  const open = await sql<Command[]>`
    select id, sign_id as "signId", kind, variant, plate_id as "plateId", user_id as "userId", ip, deadline,
           begun_at as "begunAt"
    from vms_command where sign_id = ${signId} and done_at is null order by id`
  const next = open.findLast(({ userId }) => userId !== null) ?? open.at(-1)
  for (const { id, begunAt } of open)
    if (id !== next?.id) await finish(sql, { id, outcome: 'superseded', isUnsettled: begunAt !== null }, now)
  return next
}

/** Before the sign is told: should this process die, the next one knows that the sign may have obeyed. */
export const markBegun = (sql: Sql, id: number, now: Date) => sql`
  update vms_command set begun_at = coalesce(begun_at, ${now}) where id = ${id}`

/** Signs for which anything waits. */
export const waitingSigns = (sql: Sql) => sql<{ signId: number }[]>`
  select distinct sign_id as "signId" from vms_command where done_at is null`

type Finished = { id: number; outcome: string; isUnsettled: boolean }

/** Ends a command. Unsettled: the sign may have obeyed, and what it shows will tell; putting back a base changes nothing. */
export const finish = (sql: Sql, { id, outcome, isUnsettled }: Finished, now: Date) => sql`
  update vms_command
  set done_at = ${now}, outcome = ${outcome}, is_unsettled = ${isUnsettled} and kind <> 'restore'
  where id = ${id} and done_at is null`

/** Whether nobody knows what became of a command to the sign. */
export async function hasUnsettled(sql: Sql, signId: number): Promise<boolean> {
  const found = await sql`select from vms_command where sign_id = ${signId} and is_unsettled limit 1`
  return found.length > 0
}

/** What became of unanswered commands is known. */
export const markSettled = (sql: Sql, commands: readonly { id: number }[]) => sql`
  update vms_command set is_unsettled = false where id = any(${commands.map(({ id }) => String(id))}::bigint[])`

/** The same for those that a newer command has replaced: one for the base all, one for a plate the older plates. */
export const markReplaced = (sql: Sql, { signId, id, kind }: Pick<Command, 'signId' | 'id' | 'kind'>) => sql`
  update vms_command set is_unsettled = false
  where sign_id = ${signId} and id < ${id} and is_unsettled
    and ${kind === 'plate' ? sql`kind = 'plate'` : kind === 'restore' ? sql`false` : sql`true`}`

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

export const writeStatus = (sql: Sql, s: Status) => sql`
  insert into vms_status (sign_id, checked_at, answered_at, shown, control_mode, circuit, failures, error, faults)
  values (${s.signId}, ${s.checkedAt}, ${s.answeredAt}, ${s.shown}, ${s.controlMode}, ${s.circuit}, ${s.failures},
          ${s.error}, ${s.faults})
  on conflict (sign_id) do update
  set checked_at = excluded.checked_at, answered_at = coalesce(excluded.answered_at, vms_status.answered_at),
      shown = excluded.shown, control_mode = excluded.control_mode, circuit = excluded.circuit,
      failures = excluded.failures, error = excluded.error, faults = excluded.faults`

/** Who asked for what on which sign. */
export type Asked = Pick<Command, 'signId' | 'kind' | 'variant' | 'plateId' | 'userId' | 'ip'>

/** The sign has the variant, by whom; its session in the activity history begins, and the one before ends. */
export async function noteEnabled(sql: Sql, command: Asked, now: Date): Promise<void> {
  await closeEnabled(sql, command.signId, now)
  const activityId = await openActivity(sql, command, now)
  await sql`
    update vms_sign set enabled_variant = ${command.variant}, enabled_by = ${command.userId}, enabled_at = ${now},
                        activity_id = ${activityId}
    where id = ${command.signId}`
}

export async function noteDisabled(sql: Sql, signId: number, now: Date): Promise<void> {
  await closeEnabled(sql, signId, now)
  await sql`
    update vms_sign set enabled_variant = null, enabled_by = null, enabled_at = null, activity_id = null
    where id = ${signId}`
}

const closeEnabled = (sql: Sql, signId: number, now: Date) => sql`
  update activity set logout_at = ${now}
  where id = (select activity_id from vms_sign where id = ${signId}) and logout_at is null`

/** Event type 3: a sign enabled until it is disabled. */
async function openActivity(sql: Sql, command: Asked, now: Date): Promise<number | null> {
  if (command.userId === null) return null
  const [row] = await sql<{ id: number }[]>`
    insert into activity (user_id, event_type, vms_id, location_id, login_at, created_at, ip, variant)
    select ${command.userId}, 3, s.id, g.location_id, ${now}, ${now}, ${command.ip}, v.description
    from vms_sign s
    join vms_group g on g.id = s.group_id
    left join vms_variant v on v.group_id = g.id and v.variant = ${command.variant}
    where s.id = ${command.signId}
    returning id`
  return row?.id ?? null
}

export async function notePlateShown(sql: Sql, command: Asked, now: Date): Promise<void> {
  const activityId = await openActivity(sql, command, now)
  await sql`update vms_plate set shown_at = ${now}, activity_id = ${activityId} where id = ${command.plateId}`
}

/** The sign is known to show it no more. */
export async function notePlateEnded(sql: Sql, plateId: number, reason: string, now: Date): Promise<void> {
  await sql`
    update activity set logout_at = ${now}
    where id = (select activity_id from vms_plate where id = ${plateId}) and logout_at is null`
  await sql`
    update vms_plate set ended_at = ${now}, ending_at = coalesce(ending_at, ${now}),
                         ending_reason = coalesce(ending_reason, ${reason})
    where id = ${plateId} and ended_at is null`
}

/** Whether a text is that of a vehicle, or of all lorries, which stood on the sign last. */
export async function wasPlate(sql: Sql, signId: number, shown: string): Promise<boolean> {
  const [last] = await sql<{ shown: string }[]>`
    select shown from vms_plate where sign_id = ${signId} order by id desc limit 1`
  return last?.shown === shown
}

type DuePlate = { id: number; signId: number; endingAt: Date | null }

/** What is to come down and for which no command is under way. */
export const duePlates = (sql: Sql, now: Date) => sql<DuePlate[]>`
  select p.id, p.sign_id as "signId", p.ending_at as "endingAt"
  from vms_plate p
  where p.ended_at is null and (p.until <= ${now} or p.ending_at is not null)
    and not exists (select from vms_command c where c.sign_id = p.sign_id and c.done_at is null)`

/** Forgets what was on signs, and what they were told, before an instant. */
export async function forgetBefore(sql: Sql, before: Date): Promise<void> {
  await sql`delete from vms_plate where ended_at is not null and set_at < ${before}`
  await sql`delete from vms_command where done_at is not null and asked_at < ${before}`
}
