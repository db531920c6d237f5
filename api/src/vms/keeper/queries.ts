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
}

/** The newest open command of a sign; older ones that still wait have been overtaken by it. */
export async function nextCommand(sql: Sql, signId: number, now: Date): Promise<Command | undefined> {
  const open = await sql<Command[]>`
    select id, sign_id as "signId", kind, variant, plate_id as "plateId", user_id as "userId", ip, deadline
    from vms_command where sign_id = ${signId} and done_at is null order by id`
  const newest = open.at(-1)
  for (const { id } of open.slice(0, -1)) await finish(sql, id, 'superseded', now)
  return newest
}

/** Signs for which anything waits. */
export const waitingSigns = (sql: Sql) => sql<{ signId: number }[]>`
  select distinct sign_id as "signId" from vms_command where done_at is null`

export const finish = (sql: Sql, id: number, outcome: string, now: Date) => sql`
  update vms_command set done_at = ${now}, outcome = ${outcome} where id = ${id} and done_at is null`

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

/** The sign has the variant, by whom; its session in the activity history begins, and the one before ends. */
export async function noteEnabled(sql: Sql, command: Command, now: Date): Promise<void> {
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
async function openActivity(sql: Sql, command: Command, now: Date): Promise<number | null> {
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

export async function notePlateShown(sql: Sql, command: Command, now: Date): Promise<void> {
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
