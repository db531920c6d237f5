import { nextAttempt, onAnswer, onNoAnswer } from '@rogatka/domain/vms/circuit.ts'
import { SignError, type SignStatus } from '../driver.ts'
import { addCommands, contents, signById } from '../queries.ts'
import { hasUnsettledBase, orderedBase, SWITCHES_MS } from '../shown-content.ts'
import { FAILED } from '../view.ts'
import { type ControllerContext, MAX_RETRY_DELAY_MS, type ScheduledSign } from './connection.ts'
import { isOwnPlateText, recordPlateEnded, writeStatus } from './queries.ts'
import { settle } from './settle.ts'

/** A sign that lost its content gets it back at most so often. */
const RESTORE_EVERY_MS = 60_000
/** The portal's own commands are given up after so long, and come again. */
const OWN_DEADLINE_MS = 20_000

/** Writes what a sign has said, or that it says nothing. */
export const writeReading = (
  { db, now }: ControllerContext,
  connection: ScheduledSign,
  reading: SignStatus | null,
  error: string | null,
) => {
  const { circuit, failures } = connection.breaker
  const at = now()
  return writeStatus(db, {
    signId: connection.sign.id,
    checkedAt: at,
    answeredAt: reading && at,
    shown: reading?.shown ?? null,
    controlMode: reading?.controlMode ?? null,
    faults: reading?.faults ?? [],
    circuit,
    failures,
    error,
  })
}

/** Asks a sign what it shows, unless it is being left alone. `isReplaced`: a newer command is about to be done. */
export async function poll(
  context: ControllerContext,
  connection: ScheduledSign,
  signal: AbortSignal,
  isReplaced = false,
): Promise<void> {
  const attempt = nextAttempt(connection.breaker, new Date())
  if (!attempt) return
  connection.breaker = attempt
  if (attempt.circuit === 'half-open') await writeReading(context, connection, null, 'no answer')
  try {
    connection.reading = await connection.driver.status(signal)
    connection.breaker = onAnswer()
    await writeReading(context, connection, connection.reading, null)
  } catch (error) {
    if (signal.aborted) return
    connection.breaker = onNoAnswer(connection.breaker, new Date(), context.intervals.retryMs)
    const { message } = error as Error
    const hasAnswered = error instanceof SignError && !error.isNoAnswer
    await writeReading(context, connection, null, hasAnswered ? `${FAILED}read the sign: ${message}` : message)
    return
  }
  await settle(context, connection, connection.reading.shown, isReplaced)
  await compare(context, connection, connection.reading)
}

/** What the sign says against what it should show. */
async function compare(
  context: ControllerContext,
  connection: ScheduledSign,
  { shown, controlMode }: SignStatus,
): Promise<void> {
  const { db, now } = context
  const sign = await signById(db, connection.sign.id)
  if (!sign || sign.busy) return
  const { plate } = sign
  if (plate) {
    // It stood there and does not any more, or was to come down and has: by the sign's own clock, or by hand.
    const since = plate.endingAt ?? (plate.shownAt && new Date(plate.shownAt.getTime() + SWITCHES_MS))
    if (shown === plate.shown || !since || since > now()) return
    await db.transaction((db) => recordPlateEnded(db, plate.id, 'taken-down', now()))
  } else if (shown !== '' && (await isOwnPlateText(db, sign.id, shown))) {
    // Taken for gone, and there it is: a sign that was slow, or was told by somebody else.
    if (connection.again.at > performance.now()) return
    connection.again.at = performance.now() + MAX_RETRY_DELAY_MS
    return restore(context, sign.id)
  }
  // Should nobody know whether the sign obeyed, it may be dark because it did.
  if (hasUnsettledBase(sign)) return
  const base = orderedBase(sign, await contents(db))
  const lost = base !== '' && shown === '' && controlMode !== 'local'
  if (!lost || (connection.restoreAt > performance.now() && !plate)) return
  connection.restoreAt = performance.now() + RESTORE_EVERY_MS
  await restore(context, sign.id)
}

/** Has a sign show again what it shows for itself; `plateId`: the plate that comes down with it. */
export async function restore({ db, now }: ControllerContext, signId: number, plateId?: number): Promise<void> {
  const askedAt = now()
  const deadline = new Date(askedAt.getTime() + OWN_DEADLINE_MS)
  const command = { signId, kind: 'restore', userId: null, ip: null, askedAt, deadline } as const
  await addCommands(db, [plateId === undefined ? command : { ...command, plateId }])
}
