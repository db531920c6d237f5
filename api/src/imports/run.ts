import { assertFreeSpace } from '../core/disk.ts'
import type { FieldError } from '../core/refusal.ts'
import {
  collectedDays,
  collectedOf,
  collectPastVehicles,
  deleteCollectedDay,
  insertQuarantined,
  storePastVehicles,
  toRejectedVehicle,
  withRetry,
} from '../ingest/public-api.ts'
import { measuredDays, replaceFigures, type StationDay } from '../statistics/public-api.ts'
import { type ImportContext, LeaseLost, loadRules } from './context.ts'
import { createDaySorter, type SortedVehicles, toSequenceReused } from './days.ts'
import { uploadPath } from './folder.ts'
import { readLines } from './lines.ts'
import { type ImportRow, recordCounted, recordProgress } from './queries.ts'
import { createRowReader, type ImportRows, type RefusedRow } from './rows.ts'

/** Lines of a transaction. */
const BATCH_LINES = 500
/** Refused rows of an import that go into quarantine, the first ones; its report has all of them. */
const MAX_QUARANTINED = 10_000
/** How often the free space is checked: an embedded database is on the same disk. */
const SPACE_CHECK_MS = 1_000
/** Delay after each transaction, so that stations and operators come first. */
const BATCH_DELAY_MS = 2

/**
 * Stores the vehicles of a tried file, then counts those for the figures, day by day. Each batch is stored in one
 * transaction with the progress, so a run that was killed continues after its last batch or day: it reads the lines before
 * again, as later ones depend on them, and stores nothing of them.
 */
export async function runImport(context: ImportContext, row: ImportRow, holder: string): Promise<void> {
  const { db, config, now, signal } = context
  const readRows = createRowReader({
    options: row.options,
    jumps: row.jumps,
    rulesOf: await loadRules(db, now()),
    config,
    // Fixed when the run starts, so that a continued run judges the age of rows alike. The trial uses its own time.
    now: row.startedAt ?? now(),
  })
  const days = createDaySorter()
  let [line, refusedBefore, checkedAt] = [1, row.refused, performance.now()]
  for await (const part of readLines(uploadPath(config, row.id), row.options.encoding))
    for (let from = 0; from < part.lines.length; from += BATCH_LINES) {
      if (signal.aborted) throw new LeaseLost()
      if (performance.now() - checkedAt > SPACE_CHECK_MS) {
        await assertFreeSpace(config.dataDir, config.diskReserve)
        checkedAt = performance.now()
      }
      const lines = part.lines.slice(from, from + BATCH_LINES)
      const rows = readRows(lines, line)
      line += lines.length
      if (line - 1 <= row.line) continue
      const { vehicles, refused } = rowsAfter(rows, row.line)
      const sorted = await days.sort(db, vehicles)
      sorted.refused.push(...refused)
      refusedBefore += await storeRows(context, { row, holder, lastLine: line - 1, sorted, refusedBefore })
      await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS))
    }
  // Newest first: the first headways of a day are to the vehicles of the day before, which must still be there.
  for (const day of await collectedDays(db, row.id)) {
    if (signal.aborted) throw new LeaseLost()
    await countDay(context, row.id, holder, day)
  }
}

/** Counts the collected vehicles of a day, unless the station has measured it meanwhile. @throws `LeaseLost` */
const countDay = ({ db }: ImportContext, id: number, holder: string, day: StationDay): Promise<void> =>
  db.transaction(async (db) => {
    await db.liftTimeLimit()
    const isMeasured = (await measuredDays(db, [day])).length > 0
    if (!isMeasured) await replaceFigures(db, day, id, collectedOf(id))
    const count = await deleteCollectedDay(db, id, day)
    const counts = { counted: isMeasured ? 0 : count, refused: isMeasured ? count : 0 }
    if (!(await recordCounted(db, id, holder, counts))) throw new LeaseLost()
  })

/** The rows of later lines: batches may have been cut elsewhere by an earlier run. */
const rowsAfter = ({ vehicles, refused, ambiguous }: ImportRows, line: number): ImportRows => ({
  vehicles: vehicles.filter((vehicle) => vehicle.line > line),
  refused: refused.filter((one) => one.line > line),
  ambiguous,
})

type Batch = { row: ImportRow; holder: string; lastLine: number; sorted: SortedVehicles; refusedBefore: number }

/** Stores a batch with its progress; returns the number of refused rows. @throws `LeaseLost` */
async function storeRows({ db, config, now }: ImportContext, batch: Batch): Promise<number> {
  const { row, holder, lastLine, sorted, refusedBefore } = batch
  const instants = sorted.stored.map(({ measured }) => measured.createdAt)
  const isDistributed = await db.hasCitus()
  return withRetry(db, instants, config.partitions, () =>
    db.transaction(
      async (db) => {
        const stored = await storePastVehicles(db, sorted.stored, { importId: row.id, now: now(), isDistributed })
        const collected = await collectPastVehicles(db, sorted.counted, row.id)
        const refused = [...sorted.refused, ...[...stored.reused, ...collected.reused].map(toSequenceReused)]
        const quarantined = refused.slice(0, Math.max(0, MAX_QUARANTINED - refusedBefore))
        for (const [locationId, ofStation] of Map.groupBy(quarantined, (one) => one.locationId))
          if (locationId !== null)
            await insertQuarantined(
              db,
              locationId,
              ofStation.map((one) => toQuarantined(row.id, one)),
              now(),
            )
        const counts = {
          written: stored.accepted.length,
          duplicates: stored.duplicates.length + collected.duplicates.length,
          refused: refused.length,
          collected: collected.accepted.length,
        }
        if (!(await recordProgress(db, row.id, holder, lastLine, counts))) throw new LeaseLost()
        return refused.length
      },
      { genericPlans: true },
    ),
  )
}

/** A refused row for the quarantine, with the import and the line where it is. */
function toQuarantined(importId: number, { line, text, path, code }: RefusedRow) {
  const errors: FieldError[] = [{ path, code }]
  return toRejectedVehicle({ value: { import: importId, line, row: text }, errors })
}
