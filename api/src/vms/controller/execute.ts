import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { auditWithoutSession, type NewAuditEntry } from '../../core/audit.ts'
import { SignError, type SignStatus } from '../driver.ts'
import { type Content, contents, type SignRow, signById } from '../queries.ts'
import { auditedContent, requestedContent, shownContent, signName, variantMulti } from '../shown-content.ts'
import type { ControllerContext, SignConnection } from './connection.ts'
import { type Command, finishCommand, markReplaced, markStarted, recordPlateEnded } from './queries.ts'
import { ACTIONS, auditExecuted, recordExecuted } from './record.ts'

/** Timeout of a command including retries. */
const COMMAND_TIMEOUT_MS = 20_000

/** MULTI, empty for a blank sign, and the minutes after which the sign clears it itself. */
type ActivationRequest = { multi: string; minutes: number | null }

/** What a command activates, or the error code why it must not. */
function toActivation(
  command: Command,
  sign: SignRow,
  knownContents: readonly Content[],
  now: Date,
): ActivationRequest | string {
  const { plate } = sign
  if (command.deadline <= now) return 'sign-did-not-answer'
  if (command.kind === 'plate') {
    if (plate?.id !== command.plateId || plate.endingAt) return 'superseded'
    return { multi: plate.shown, minutes: Math.max(1, Math.ceil((plate.until.getTime() - now.getTime()) / MINUTE_MS)) }
  }
  if (command.kind === 'clear') return { multi: '', minutes: null }
  // The plate is already gone: cleared by the sign's timer, by hand, or by an unanswered command.
  if (command.kind === 'restore' && command.plateId !== null && plate?.id !== command.plateId) return 'superseded'
  if (command.kind === 'restore') return { multi: requestedContent(sign, knownContents), minutes: null }
  if (plate) return 'sign-shows-plate'
  const multi = variantMulti(sign, command.variant, knownContents)
  return multi === undefined ? 'signs-incomplete' : { multi, minutes: null }
}

/**
 * Executes one command and records the outcome in the command, the activity history and the audit log, atomically.
 * Undefined: the process is stopping, and the command stays pending for the next leader.
 */
export async function executeCommand(
  { db, now, log }: ControllerContext,
  connection: SignConnection,
  command: Command,
  stopSignal: AbortSignal,
): Promise<string | undefined> {
  const sign = await signById(db, command.signId)
  if (!sign) return 'done'
  const knownContents = await contents(db)
  const before = auditedContent(shownContent(sign, knownContents), sign, knownContents)
  const activation = toActivation(command, sign, knownContents, now())
  const isSent = typeof activation !== 'string' && connection.breaker.circuit === 'closed'
  if (isSent) await markStarted(db, command.id, now())
  const outcome =
    typeof activation === 'string'
      ? activation
      : isSent
        ? await activate(connection, activation, stopSignal)
        : 'sign-unavailable'
  if (stopSignal.aborted && outcome !== 'done') return undefined
  if (outcome === 'done' && typeof activation !== 'string')
    connection.status = { ...DEFAULT_STATUS, ...connection.status, shown: activation.multi }
  if (outcome !== 'done') log.info({ signId: sign.id, kind: command.kind, outcome }, 'signs: command not executed')
  // A crashed process may already have sent the command, which this response does not reveal.
  const isUnsettled = outcome !== 'done' && (command.begunAt !== null || (isSent && outcome === 'sign-did-not-answer'))

  await db.transaction(async (db) => {
    const at = now()
    await finishCommand(db, { id: command.id, outcome, isUnsettled }, at)
    if (outcome === 'done') {
      await markReplaced(db, command)
      await recordExecuted(db, command, at)
      await auditExecuted(db, command, { sign, knownContents, before, at })
      return
    }
    if (command.kind === 'plate' && !isUnsettled && outcome !== 'superseded' && command.plateId !== null)
      await recordPlateEnded(db, command.plateId, 'refused', at)
    // The portal retries its own commands.
    if (command.userId === null) return
    const auditEntry: NewAuditEntry = {
      action: ACTIONS[command.kind],
      subject: signName(sign),
      before,
      after: { ...before, refused: outcome },
    }
    await auditWithoutSession(db, { userId: command.userId, ip: command.ip, now: at }, auditEntry)
  })
  return outcome
}

const DEFAULT_STATUS: SignStatus = { shown: '', faults: [], controlMode: 'central' }

async function activate(
  { driver }: SignConnection,
  { multi, minutes }: ActivationRequest,
  stopSignal: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([stopSignal, AbortSignal.timeout(COMMAND_TIMEOUT_MS)])
  try {
    await (multi === '' ? driver.clear(signal) : driver.show({ multi, minutes }, signal))
    return 'done'
  } catch (error) {
    if (error instanceof SignError) return error.code
    throw error
  }
}
