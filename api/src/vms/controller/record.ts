import { auditWithoutSession, type NewAuditEntry } from '../../core/audit.ts'
import type { Database } from '../../core/database.ts'
import { recordWebhookEvent } from '../../core/webhook-events.ts'
import type { Content, SignRow } from '../queries.ts'
import { auditedContent, requestedContent, shownContent, signName } from '../shown-content.ts'
import { recordDisabled, recordEnabled, recordPlateEnded, recordPlateShown, type SignCommand } from './queries.ts'

/** Audit action of each kind of command. */
export const ACTIONS = {
  variant: 'sign-enabled',
  clear: 'sign-disabled',
  plate: 'sign-plate-shown',
  restore: 'sign-restored',
} as const

/** Records an executed command in the state of the sign and in the activity history. */
export async function recordExecuted(db: Database, command: SignCommand, at: Date): Promise<void> {
  const { kind, signId, plateId } = command
  if (kind === 'variant') await recordEnabled(db, command, at)
  if (kind === 'clear') await recordDisabled(db, signId, at)
  if (kind === 'plate') await recordPlateShown(db, command, at)
  if (plateId !== null && (kind === 'restore' || kind === 'clear'))
    await recordPlateEnded(db, plateId, kind === 'clear' ? 'disabled' : 'passed', at)
}

type Change = { sign: SignRow; knownContents: readonly Content[]; before: object; at: Date }

/** Audits an executed command, and records its event. `sign`: its state before. */
export async function auditExecuted(
  db: Database,
  command: SignCommand,
  { sign, knownContents, before, at }: Change,
): Promise<void> {
  const { userId, ip, kind } = command
  const auditEntry: NewAuditEntry = {
    action: ACTIONS[kind],
    subject: signName(sign),
    before,
    after: afterOf(command, sign, knownContents),
  }
  await auditWithoutSession(db, { userId, ip, now: at }, auditEntry)
  const data = {
    signId: sign.id,
    groupId: sign.groupId,
    sign: auditEntry.subject,
    command: kind,
    shows: auditEntry.after,
  }
  await recordWebhookEvent(db, { type: 'sign.changed', locationId: sign.locationId, data }, at)
}

function afterOf(command: SignCommand, sign: SignRow, knownContents: readonly Content[]): object {
  if (command.kind === 'plate')
    return { shows: sign.plate?.allTrucks ? 'trucks' : 'plate', vehicle: sign.plate?.vehicleId }
  if (command.kind === 'clear') return { shows: 'blank' }
  const after = command.kind === 'variant' ? { ...sign, enabledVariant: command.variant, unsettled: [] } : sign
  return auditedContent(
    shownContent({ ...after, plate: null, shown: requestedContent(after, knownContents) }, knownContents),
    after,
    knownContents,
  )
}
