import { contents, type SignRow, signById, type UnsettledCommand } from '../queries.ts'
import { auditedContent, defaultContent, requestedMulti, SWITCH_TIMEOUT_MS, shownContent } from '../shown-content.ts'
import type { ControllerContext, SignConnection } from './connection.ts'
import { markSettled, recordPlateEnded } from './queries.ts'
import { auditExecuted, recordExecuted } from './record.ts'

/**
 * Settles unanswered commands by what the sign shows. If it shows their content, they were executed, whoever did it. If
 * it does not, although it had time to switch, they were not: a plate is free again, and the default content unchanged.
 * If it shows neither the requested nor the previous content, it may have obeyed and restarted: the command stays
 * unsettled, and nothing is restored. `isReplaced`: a newer command follows, so there is no time to wait.
 */
export async function settleCommands(
  context: ControllerContext,
  connection: SignConnection,
  shown: string,
  isReplaced = false,
): Promise<void> {
  const sign = await signById(context.db, connection.sign.id)
  if (!sign || sign.unsettled.length === 0) return
  const knownContents = await contents(context.db)
  const executed = sign.unsettled.find((command) => requestedMulti(command, sign, knownContents) === shown)
  if (executed) return recordUnansweredExecution(context, sign, executed, knownContents)

  const at = context.now()
  const isNotExecuted = (command: UnsettledCommand): boolean => {
    if (requestedMulti(command, sign, knownContents) === undefined) return true
    if (!isReplaced && command.doneAt.getTime() + SWITCH_TIMEOUT_MS > at.getTime()) return false
    return command.kind === 'plate' || shown === defaultContent(sign, knownContents)
  }
  const notExecuted = sign.unsettled.filter(isNotExecuted)
  if (notExecuted.length === 0) return
  await context.db.transaction(async (db) => {
    await markSettled(db, notExecuted)
    for (const { kind, plateId } of notExecuted)
      if (kind === 'plate' && plateId !== null && plateId === sign.plate?.id && !sign.plate.endingAt)
        await recordPlateEnded(db, plateId, 'refused', at)
  })
}

async function recordUnansweredExecution(
  { db, now, log }: ControllerContext,
  sign: SignRow,
  executed: UnsettledCommand,
  knownContents: Awaited<ReturnType<typeof contents>>,
): Promise<void> {
  const command = { ...executed, signId: sign.id }
  // A plate hides the default content, so commands for that stay unsettled.
  const settled = sign.unsettled.filter(
    ({ id, kind }) => id <= executed.id && (executed.kind !== 'plate' || kind === 'plate'),
  )
  const before = auditedContent(
    shownContent({ ...sign, shown: defaultContent(sign, knownContents) }, knownContents),
    sign,
    knownContents,
  )
  const at = now()
  await db.transaction(async (db) => {
    await markSettled(db, settled)
    await recordExecuted(db, command, at)
    await auditExecuted(db, command, { sign, knownContents, before, at })
  })
  log.info({ signId: sign.id, kind: executed.kind }, 'signs: done without an answer')
}
