import { auditWithoutSession } from '../../core/audit.ts'
import type { Database } from '../../core/database.ts'
import type { Content, SignRow } from '../queries.ts'
import { described, orderedBase, showsOf, signName } from '../shows.ts'
import { type Asked, noteDisabled, noteEnabled, notePlateEnded, notePlateShown } from './queries.ts'

/** Audit action of each kind of command. */
export const ACTIONS = {
  variant: 'sign-enabled',
  clear: 'sign-disabled',
  plate: 'sign-plate-shown',
  restore: 'sign-restored',
} as const

/** Records that a sign has done a command: in its state, and in the activity history. */
export async function recordDone(db: Database, command: Asked, at: Date): Promise<void> {
  const { kind, signId, plateId } = command
  if (kind === 'variant') await noteEnabled(db, command, at)
  if (kind === 'clear') await noteDisabled(db, signId, at)
  if (kind === 'plate') await notePlateShown(db, command, at)
  if (plateId !== null && (kind === 'restore' || kind === 'clear'))
    await notePlateEnded(db, plateId, kind === 'clear' ? 'disabled' : 'passed', at)
}

type Change = { sign: SignRow; known: readonly Content[]; before: object; at: Date }

/** Writes a command that was done to the audit log. `sign`: as it was before. */
export async function auditDone(db: Database, command: Asked, { sign, known, before, at }: Change): Promise<void> {
  const { userId, ip, kind } = command
  const deed = { action: ACTIONS[kind], subject: signName(sign), before, after: afterOf(command, sign, known) }
  await auditWithoutSession(db, { userId, ip, now: at }, deed)
}

function afterOf(command: Asked, sign: SignRow, known: readonly Content[]): object {
  if (command.kind === 'plate')
    return { shows: sign.plate?.allTrucks ? 'trucks' : 'plate', vehicle: sign.plate?.vehicleId }
  if (command.kind === 'clear') return { shows: 'blank' }
  const after = command.kind === 'variant' ? { ...sign, enabledVariant: command.variant, unsettled: [] } : sign
  return described(showsOf({ ...after, plate: null, shown: orderedBase(after, known) }, known), after, known)
}
