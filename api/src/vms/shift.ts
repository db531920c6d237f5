import { hasRight } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { MAX_SHIFT_ROWS, type ShiftCommand, type ShiftReport } from '@rogatka/contract/shifts.ts'
import { maskPlate } from '@rogatka/domain/vehicle/anonymity.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import { toApiErrors } from '../core/error-mapping.ts'
import type { Session } from '../core/sessions.ts'
import { type ShiftCommandRow, shiftCommands } from './shift-queries.ts'

/** What users commanded signs to show in a shift; null without the right. Failed: the sign did not obey. */
export async function commandsOfShift(
  db: Database,
  session: Session,
  range: { from: Date; to: Date },
  language: Language,
): Promise<ShiftReport['commands']> {
  if (!hasRight(session.permissions, 'Vms')) return null
  const commands = await shiftCommands(db, range)
  return {
    content: commands.slice(0, MAX_SHIFT_ROWS).map((row) => toCommand(session, row, language)),
    totalCount: commands.length,
    failed: commands.filter(({ outcome }) => outcome !== null && outcome !== 'done').length,
  }
}

function toCommand(session: Session, { outcome, ...row }: ShiftCommandRow, language: Language): ShiftCommand {
  const isFailed = outcome !== null && outcome !== 'done'
  const [error = null] = isFailed ? toApiErrors([{ path: null, code: outcome as ErrorCode }], language) : []
  const plateLpr = row.plateLpr !== null && isAnonymised(session) ? maskPlate(row.plateLpr) : row.plateLpr
  return { ...row, plateLpr, done: outcome === null ? null : outcome === 'done', error }
}
