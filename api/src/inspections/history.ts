import {
  type Inspection,
  type InspectionOutcome,
  MAX_HOURS_BACK,
  type RecordedStep,
  recordedSteps,
} from '@rogatka/contract/inspections.ts'
import { openStates } from '@rogatka/contract/options.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { InspectionStep } from '@rogatka/domain/inspections/states.ts'
import type { Database } from '../core/database.ts'
import { type InspectionRow, inspectionLog, type LoggedStep } from './queries.ts'
import { numberOf } from './view.ts'

/** Every step of the audit log, oldest first: the row keeps only the last one of each kind. */
async function stepsOf(db: Database, row: InspectionRow) {
  const log = await inspectionLog(db, numberOf(row), row.announcedAt, endOf(row))
  const steps = log.flatMap((entry) => {
    const step = recordedSteps[entry.action as keyof typeof recordedSteps] as RecordedStep | undefined
    return step
      ? [{ step, at: timeOf(entry, step), by: entry.by, reason: reasonOf(entry, step), ...outcomesOf(entry, step) }]
      : []
  })
  // Times may have been entered; the row has them of the last step of each kind.
  const entered: Partial<Record<RecordedStep, Date | null>> = {
    announced: row.announcedAt,
    weighed: row.weighedAt,
    closed: row.closedAt,
    passedBy: row.passedByAt,
  }
  for (const [step, at] of Object.entries(entered)) {
    const last = steps.findLast((it) => it.step === step)
    if (last && at) last.at = at
  }
  return steps
}

/** Inspection with its steps, if the audit log still has them. */
export async function withSteps(db: Database, row: InspectionRow, inspection: Inspection): Promise<Inspection> {
  const steps = await stepsOf(db, row)
  return steps.length > 0 ? { ...inspection, steps } : inspection
}

/** When the last step can have been recorded: a time can be entered a day later. */
function endOf(row: InspectionRow): Date {
  if ((openStates as readonly string[]).includes(row.state)) return new Date('9999-01-01T00:00:00Z')
  const times = [row.announcedAt, row.takenOverAt, row.weighedAt, row.closedAt, row.withdrawnAt, row.passedByAt]
  const last = Math.max(...times.map((at) => at?.getTime() ?? 0), row.reopenedAt?.getTime() ?? 0)
  return new Date(last + MAX_HOURS_BACK * HOUR_MS)
}

/** A take-over may have been entered later; the log has the time of each, and the row that of the first. */
function timeOf({ at, before, after }: LoggedStep, step: RecordedStep): Date {
  const taken = step === 'takenOver' && after?.takenOverAt !== before?.takenOverAt && after?.takenOverAt
  return taken ? new Date(taken) : at
}

/**
 * The time before which the next step may not be: of the announcement, take-overs, reopening and, unless weights are
 * corrected, of the weighing.
 */
export async function previousTime(db: Database, row: InspectionRow, step: InspectionStep): Promise<Date> {
  const taken = row.takenOverAt && (await stepsOf(db, row)).findLast(({ step }) => step === 'takenOver')?.at
  const weighedAt = step === 'weighing' ? null : row.weighedAt
  const times = [row.announcedAt, row.takenOverAt, taken, weighedAt, row.reopenedAt]
  return new Date(Math.max(...times.map((at) => at?.getTime() ?? 0)))
}

function reasonOf({ before, after }: LoggedStep, step: RecordedStep): string | null {
  const reason = after?.explanation ?? null
  if (step === 'withdrawn' || step === 'reopened') return reason
  const isFromAnother = step === 'takenOver' && Boolean(before?.officer)
  return isFromAnother || reason !== (before?.explanation ?? null) ? reason : null
}

/** What a closing found; null without. */
const outcomeOf = (values: LoggedStep['before']): InspectionOutcome | null =>
  values?.results?.length ? { results: values.results, fineAmount: values.fineAmount ?? null } : null

/** What closings found before a step and after it: a reopened inspection keeps its results until it is closed again. */
function outcomesOf({ before, after }: LoggedStep, step: RecordedStep) {
  if (step !== 'closed' && step !== 'reopened') return { before: null, after: null }
  return { before: outcomeOf(before), after: step === 'closed' ? outcomeOf(after) : null }
}
