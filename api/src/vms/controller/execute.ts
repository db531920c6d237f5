import { auditWithoutSession, type NewAuditEntry } from '../../core/audit.ts'
import { SignError, type SignStatus } from '../driver.ts'
import { type Content, contents, type SignRow, signById } from '../queries.ts'
import { described, orderedBase, shownContent, signName, variantMulti } from '../shown-content.ts'
import type { ControllerContext, SignConnection } from './connection.ts'
import { type Command, finish, markBegun, markReplaced, recordPlateEnded } from './queries.ts'
import { ACTIONS, auditDone, recordDone } from './record.ts'

/** However often a sign has to be asked again, a command takes no longer. */
const COMMAND_MS = 20_000

/** MULTI, empty for a blank sign, with the minutes after which the sign takes it down by itself. */
type ActivationRequest = { multi: string; minutes: number | null }

/** What a command wants on the sign, or the code of the reason why not. */
function activationOf(
  command: Command,
  sign: SignRow,
  known: readonly Content[],
  now: Date,
): ActivationRequest | string {
  const { plate } = sign
  if (command.deadline <= now) return 'sign-did-not-answer'
  if (command.kind === 'plate') {
    if (plate?.id !== command.plateId || plate.endingAt) return 'superseded'
    return { multi: plate.shown, minutes: Math.max(1, Math.ceil((plate.until.getTime() - now.getTime()) / 60_000)) }
  }
  if (command.kind === 'clear') return { multi: '', minutes: null }
  // The plate has come down already: by the sign's own clock, by hand, or by a command that was never answered.
  if (command.kind === 'restore' && command.plateId !== null && plate?.id !== command.plateId) return 'superseded'
  if (command.kind === 'restore') return { multi: orderedBase(sign, known), minutes: null }
  if (plate) return 'sign-shows-plate'
  const multi = variantMulti(sign, command.variant, known)
  return multi === undefined ? 'signs-incomplete' : { multi, minutes: null }
}

/**
 * Does one command at its sign and writes down what became of it: in the command, in the activity history and in the
 * audit log, all or nothing. Undefined: this process was told to stop, and the command stays for the next one.
 */
export async function executeCommand(
  { db, now, log }: ControllerContext,
  connection: SignConnection,
  command: Command,
  ending: AbortSignal,
): Promise<string | undefined> {
  const sign = await signById(db, command.signId)
  if (!sign) return 'done'
  const known = await contents(db)
  const before = described(shownContent(sign, known), sign, known)
  const order = activationOf(command, sign, known, now())
  const isTold = typeof order !== 'string' && connection.breaker.circuit === 'closed'
  if (isTold) await markBegun(db, command.id, now())
  const outcome =
    typeof order === 'string' ? order : isTold ? await tell(connection, order, ending) : 'sign-unavailable'
  if (ending.aborted && outcome !== 'done') return undefined
  if (outcome === 'done' && typeof order !== 'string')
    connection.reading = { ...GOOD, ...connection.reading, shown: order.multi }
  if (outcome !== 'done') log.info({ signId: sign.id, kind: command.kind, outcome }, 'signs: not done')
  // A process that died may have told the sign before, and whatever it is answered now says nothing of that.
  const isUnsettled = outcome !== 'done' && (command.begunAt !== null || (isTold && outcome === 'sign-did-not-answer'))

  await db.transaction(async (db) => {
    const at = now()
    await finish(db, { id: command.id, outcome, isUnsettled }, at)
    if (outcome === 'done') {
      await markReplaced(db, command)
      await recordDone(db, command, at)
      await auditDone(db, command, { sign, known, before, at })
      return
    }
    if (command.kind === 'plate' && !isUnsettled && outcome !== 'superseded' && command.plateId !== null)
      await recordPlateEnded(db, command.plateId, 'refused', at)
    // What the portal does by itself and could not, it does again.
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

const GOOD: SignStatus = { shown: '', faults: [], controlMode: 'central' }

async function tell(
  { driver }: SignConnection,
  { multi, minutes }: ActivationRequest,
  ending: AbortSignal,
): Promise<string> {
  const signal = AbortSignal.any([ending, AbortSignal.timeout(COMMAND_MS)])
  try {
    await (multi === '' ? driver.clear(signal) : driver.show({ multi, minutes }, signal))
    return 'done'
  } catch (error) {
    if (error instanceof SignError) return error.code
    throw error
  }
}
