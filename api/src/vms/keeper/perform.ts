import { toMulti } from '@rogatka/domain/vms/multi.ts'
import { noteDeed } from '../../core/audit.ts'
import type { Sql } from '../../core/database.ts'
import { type Reading, SignFailure } from '../driver.ts'
import { type Content, contents, endPlate, type SignRow, signById } from '../queries.ts'
import { baseOf, described, showsOf, signName } from '../shows.ts'
import type { Keeper, Line } from './line.ts'
import { type Command, finish, noteDisabled, noteEnabled, notePlateEnded, notePlateShown } from './queries.ts'

/** However often a sign has to be asked again, a command takes no longer. */
const COMMAND_MS = 20_000

/** MULTI, empty for a blank sign, with the minutes after which the sign takes it down by itself. */
type Order = { multi: string; minutes: number | null }

/** What a command wants on the sign, or the code of the reason why not. */
function orderOf(command: Command, sign: SignRow, known: readonly Content[], now: Date): Order | string {
  const { plate } = sign
  if (command.deadline <= now) return 'sign-did-not-answer'
  if (command.kind === 'plate') {
    if (plate?.id !== command.plateId || plate.endingAt) return 'superseded'
    return { multi: plate.shown, minutes: Math.max(1, Math.ceil((plate.until.getTime() - now.getTime()) / 60_000)) }
  }
  if (command.kind === 'clear') return { multi: '', minutes: null }
  if (command.kind === 'restore') return { multi: baseOf(sign, known), minutes: null }
  if (plate) return 'sign-shows-plate'
  const { contentId } = sign.contents.find(({ variant }) => variant === command.variant) ?? {}
  const content = known.find(({ id }) => id === contentId)
  return content ? { multi: toMulti(content), minutes: null } : 'signs-incomplete'
}

/**
 * Does one command at its sign and writes down what became of it: in the command, in the activity history and in the
 * audit log, all or nothing. Undefined: this process was told to stop, and the command stays for the next one.
 */
export async function perform(
  { sql, now, log }: Keeper,
  line: Line,
  command: Command,
  ending: AbortSignal,
): Promise<string | undefined> {
  const sign = await signById(sql, command.signId)
  if (!sign) return 'done'
  const known = await contents(sql)
  const before = described(showsOf(sign, known), sign, known)
  const order = orderOf(command, sign, known, now())
  const outcome = typeof order === 'string' ? order : await tell(line, order, ending)
  if (ending.aborted && outcome !== 'done') return undefined
  if (outcome === 'done' && typeof order !== 'string') line.reading = { ...GOOD, ...line.reading, shown: order.multi }
  if (outcome !== 'done') log.info({ signId: sign.id, kind: command.kind, outcome }, 'signs: not done')

  await sql.begin(async (sql) => {
    const at = now()
    await finish(sql, command.id, outcome, at)
    if (outcome === 'done') await noteDone(sql, command, at)
    else if (command.kind === 'plate') await noteRefused(sql, command, outcome, at)
    // What the portal does by itself and could not, it does again.
    if (outcome === 'done' || command.userId !== null) {
      const after = outcome === 'done' ? afterOf(command, sign, known) : { ...before, refused: outcome }
      const deed = { action: ACTIONS[command.kind], subject: signName(sign), before, after }
      await noteDeed(sql, { userId: command.userId, ip: command.ip, now: at }, deed)
    }
  })
  return outcome
}

const GOOD: Reading = { shown: '', faults: [], controlMode: 'central' }

const ACTIONS = {
  variant: 'sign-enabled',
  clear: 'sign-disabled',
  plate: 'sign-plate-shown',
  restore: 'sign-restored',
} as const

async function tell({ driver, breaker }: Line, { multi, minutes }: Order, ending: AbortSignal): Promise<string> {
  if (breaker.circuit !== 'closed') return 'sign-unavailable'
  const signal = AbortSignal.any([ending, AbortSignal.timeout(COMMAND_MS)])
  try {
    await (multi === '' ? driver.clear(signal) : driver.show({ multi, minutes }, signal))
    return 'done'
  } catch (error) {
    if (error instanceof SignFailure) return error.code
    throw error
  }
}

async function noteDone(sql: Sql, command: Command, at: Date): Promise<void> {
  const { kind, signId, plateId } = command
  if (kind === 'variant') await noteEnabled(sql, command, at)
  if (kind === 'clear') await noteDisabled(sql, signId, at)
  if (kind === 'plate') await notePlateShown(sql, command, at)
  if (plateId !== null && (kind === 'restore' || kind === 'clear'))
    await notePlateEnded(sql, plateId, kind === 'clear' ? 'disabled' : 'passed', at)
}

/** A sign that was silent may show it all the same, so it is to come down; one that refused does not. */
const noteRefused = async (sql: Sql, { plateId }: Command, outcome: string, at: Date): Promise<void> => {
  if (plateId === null) return
  if (outcome === 'sign-did-not-answer') await endPlate(sql, plateId, 'refused', at)
  else if (outcome !== 'superseded') await notePlateEnded(sql, plateId, 'refused', at)
}

function afterOf(command: Command, sign: SignRow, known: readonly Content[]): object {
  if (command.kind === 'plate')
    return { shows: sign.plate?.allTrucks ? 'trucks' : 'plate', vehicle: sign.plate?.vehicleId }
  if (command.kind === 'clear') return { shows: 'blank' }
  const after = command.kind === 'variant' ? { ...sign, enabledVariant: command.variant } : sign
  return described(showsOf({ ...after, plate: null, shown: baseOf(after, known) }, known), after, known)
}
