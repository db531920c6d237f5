import { contents, type SignRow, signById, type UnsettledCommand } from '../queries.ts'
import { defaultContent, described, SWITCHES_MS, shownContent, wantedMulti } from '../shown-content.ts'
import type { ControllerContext, SignConnection } from './connection.ts'
import { markSettled, recordPlateEnded } from './queries.ts'
import { auditDone, recordDone } from './record.ts'

/**
 * Settles commands that the sign never answered, by what it shows. One that it shows was done, by whoever asked. One
 * that it does not show, although it had time to switch, was not: a plate is free again, and a base stays as it was.
 * A sign that shows neither what was asked nor what was there before may have obeyed and restarted: its command stays
 * unsettled, and the portal puts nothing back. `isReplaced`: a newer command comes next, so there is no time to wait.
 */
export async function settle(
  context: ControllerContext,
  connection: SignConnection,
  shown: string,
  isReplaced = false,
): Promise<void> {
  const sign = await signById(context.db, connection.sign.id)
  if (!sign || sign.unsettled.length === 0) return
  const known = await contents(context.db)
  const obeyed = sign.unsettled.find((command) => wantedMulti(command, sign, known) === shown)
  if (obeyed) return recordObeyed(context, sign, obeyed, known)

  const at = context.now()
  const isNotDone = (command: UnsettledCommand): boolean => {
    if (wantedMulti(command, sign, known) === undefined) return true
    if (!isReplaced && command.doneAt.getTime() + SWITCHES_MS > at.getTime()) return false
    return command.kind === 'plate' || shown === defaultContent(sign, known)
  }
  const notDone = sign.unsettled.filter(isNotDone)
  if (notDone.length === 0) return
  await context.db.transaction(async (db) => {
    await markSettled(db, notDone)
    for (const { kind, plateId } of notDone)
      if (kind === 'plate' && plateId !== null && plateId === sign.plate?.id && !sign.plate.endingAt)
        await recordPlateEnded(db, plateId, 'refused', at)
  })
}

async function recordObeyed(
  { db, now, log }: ControllerContext,
  sign: SignRow,
  obeyed: UnsettledCommand,
  known: Awaited<ReturnType<typeof contents>>,
): Promise<void> {
  const command = { ...obeyed, signId: sign.id }
  // Under a plate the base cannot be seen, so what was asked of it stays unsettled.
  const settled = sign.unsettled.filter(
    ({ id, kind }) => id <= obeyed.id && (obeyed.kind !== 'plate' || kind === 'plate'),
  )
  const before = described(shownContent({ ...sign, shown: defaultContent(sign, known) }, known), sign, known)
  const at = now()
  await db.transaction(async (db) => {
    await markSettled(db, settled)
    await recordDone(db, command, at)
    await auditDone(db, command, { sign, known, before, at })
  })
  log.info({ signId: sign.id, kind: obeyed.kind }, 'signs: done without an answer')
}
