import { nextAttempt, onAnswer, onNoAnswer } from '@rogatka/domain/vms/circuit.ts'
import { SignError, type SignStatus } from '../driver.ts'
import { contents, insertCommands, signById } from '../queries.ts'
import { hasUnsettledContent, requestedContent, SWITCH_TIMEOUT_MS } from '../shown-content.ts'
import { FAILED_PREFIX } from '../view.ts'
import { type ControllerContext, MAX_RETRY_DELAY_MS, type ScheduledSign } from './connection.ts'
import { isOwnPlateText, recordPlateEnded, writeStatus } from './queries.ts'
import { settleCommands } from './settle.ts'

/** Minimum interval between restores of lost content. */
const RESTORE_INTERVAL_MS = 60_000
/** Deadline of the portal's own commands, which are repeated. */
const OWN_DEADLINE_MS = 20_000

/** Stores the status of a sign, or that it did not answer, after what was to be stored before. */
export const storeStatus = (
  { db, now }: ControllerContext,
  connection: ScheduledSign,
  status: SignStatus | null,
  error: string | null,
): Promise<unknown> => {
  const { circuit, failures } = connection.breaker
  const at = now()
  const row = {
    signId: connection.sign.id,
    checkedAt: at,
    answeredAt: status && at,
    shown: status?.shown ?? null,
    controlMode: status?.controlMode ?? null,
    faults: status?.faults ?? [],
    circuit,
    failures,
    error,
  }
  const written = connection.storing.then(() => writeStatus(db, row))
  connection.storing = written.catch(() => {})
  return written
}

/** Polls a sign unless its circuit is open. `isReplaced`: a newer command follows. */
export async function poll(
  context: ControllerContext,
  connection: ScheduledSign,
  signal: AbortSignal,
  isReplaced = false,
): Promise<void> {
  const attempt = nextAttempt(connection.breaker, new Date())
  if (!attempt) return
  connection.breaker = attempt
  if (attempt.circuit === 'half-open') await storeStatus(context, connection, null, 'no answer')
  try {
    connection.status = await connection.driver.status(signal)
    connection.breaker = onAnswer()
    await storeStatus(context, connection, connection.status, null)
  } catch (error) {
    if (signal.aborted) return
    connection.breaker = onNoAnswer(connection.breaker, new Date(), context.intervals.retryMs)
    const { message } = error as Error
    const isAnswered = error instanceof SignError && !error.isNoAnswer
    await storeStatus(context, connection, null, isAnswered ? `${FAILED_PREFIX}read the sign: ${message}` : message)
    return
  }
  await settleCommands(context, connection, connection.status.shown, isReplaced)
  await checkContent(context, connection, connection.status)
}

/** Compares the status with the required content. */
async function checkContent(
  context: ControllerContext,
  connection: ScheduledSign,
  { shown, controlMode }: SignStatus,
): Promise<void> {
  const { db, now } = context
  const sign = await signById(db, connection.sign.id)
  if (!sign || sign.busy) return
  const { plate } = sign
  if (plate) {
    // The plate is gone from the sign: cleared by its timer or by hand, or removed as requested.
    const since = plate.endingAt ?? (plate.shownAt && new Date(plate.shownAt.getTime() + SWITCH_TIMEOUT_MS))
    if (shown === plate.shown || !since || since > now()) return
    await db.transaction((db) => recordPlateEnded(db, plate.id, 'taken-down', now()))
  } else if (shown !== '' && (await isOwnPlateText(db, sign.id, shown))) {
    // Recorded as removed, but still shown: by a slow sign, or another system.
    if (connection.plateRetry.at > performance.now()) return
    connection.plateRetry.at = performance.now() + MAX_RETRY_DELAY_MS
    return enqueueRestore(context, sign.id)
  }
  // An unsettled command may be the reason why the sign is blank.
  if (hasUnsettledContent(sign)) return
  const defaultMulti = requestedContent(sign, await contents(db))
  const isLost = defaultMulti !== '' && shown === '' && controlMode !== 'local'
  if (!isLost || (connection.restoreAt > performance.now() && !plate)) return
  connection.restoreAt = performance.now() + RESTORE_INTERVAL_MS
  await enqueueRestore(context, sign.id)
}

/** Enqueues a command to restore the default content; `plateId`: the plate to remove. */
export async function enqueueRestore({ db, now }: ControllerContext, signId: number, plateId?: number): Promise<void> {
  const askedAt = now()
  const deadline = new Date(askedAt.getTime() + OWN_DEADLINE_MS)
  const command = { signId, kind: 'restore', userId: null, ip: null, askedAt, deadline } as const
  await insertCommands(db, [plateId === undefined ? command : { ...command, plateId }])
}
