import { auditWithoutSession, type NewAuditEntry } from '../../core/audit.ts'
import type { Database } from '../../core/database.ts'
import type { Content, SignRow } from '../queries.ts'
import { described, orderedBase, shownContent, signName } from '../shown-content.ts'
import { recordDisabled, recordEnabled, recordPlateEnded, recordPlateShown, type SignCommand } from './queries.ts'

/** Audit action of each kind of command. */
export const ACTIONS = {
  variant: 'sign-enabled',
  clear: 'sign-disabled',
  plate: 'sign-plate-shown',
  restore: 'sign-restored',
} as const

/** Records that a sign has done a command: in its state, and in the activity history. */
export async function recordDone(db: Database, command: SignCommand, at: Date): Promise<void> {
  const { kind, signId, plateId } = command
  if (kind === 'variant') await recordEnabled(db, command, at)
  if (kind === 'clear') await recordDisabled(db, signId, at)
  if (kind === 'plate') await recordPlateShown(db, command, at)
  if (plateId !== null && (kind === 'restore' || kind === 'clear'))
    await recordPlateEnded(db, plateId, kind === 'clear' ? 'disabled' : 'passed', at)
}

type Change = { sign: SignRow; known: readonly Content[]; before: object; at: Date }

/** Writes a command that was done to the audit log. `sign`: as it was before. */
export async function auditDone(
  db: Database,
  command: SignCommand,
  { sign, known, before, at }: Change,
): Promise<void> {
  const { userId, ip, kind } = command
  const auditEntry: NewAuditEntry = {
    action: ACTIONS[kind],
    subject: signName(sign),
    before,
    after: afterOf(command, sign, known),
  }
  await auditWithoutSession(db, { userId, ip, now: at }, auditEntry)
}

function afterOf(command: SignCommand, sign: SignRow, known: readonly Content[]): object {
  if (command.kind === 'plate')
    return { shows: sign.plate?.allTrucks ? 'trucks' : 'plate', vehicle: sign.plate?.vehicleId }
  if (command.kind === 'clear') return { shows: 'blank' }
  const after = command.kind === 'variant' ? { ...sign, enabledVariant: command.variant, unsettled: [] } : sign
  return described(shownContent({ ...after, plate: null, shown: orderedBase(after, known) }, known), after, known)
}
