import { MAX_UNFINISHED_DAYS } from '@rogatka/contract/inspections.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { auditAsSystem } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import type { Files } from '../core/files.ts'
import { notifyMarks } from '../core/live-events.ts'
import { markInspected } from '../offenders/public-api.ts'
import { folderOf } from './copy.ts'
import { deleteKeptOutcomes, keepOutcomes, updateFigures } from './figure-row-queries.ts'
import { deleteInspections, lockExpired, passOverdue } from './queries.ts'
import { numberOf } from './view.ts'

/** Inspections per transaction. */
const BATCH = 500

/** Records that announced vehicles which nobody took over have passed by. */
export async function passOverdueInspections(db: Pool, now: Date): Promise<void> {
  for (;;) {
    const passed = await db.transaction(async (db) => {
      const passed = await passOverdue(db, now, BATCH)
      for (const inspection of passed)
        await auditAsSystem(db, now, {
          action: 'inspection-passed-by',
          subject: numberOf(inspection),
          before: { state: 'announced' },
          after: { state: 'passedBy' },
        })
      await updateFigures(
        db,
        passed.map(({ id }) => id),
      )
      await notifyMarks(
        db,
        passed.map(({ vehicleId, vehicleCreatedAt }) => ({ id: vehicleId, createdAt: vehicleCreatedAt })),
      )
      return passed.length
    })
    if (passed < BATCH) return
  }
}

type Retention = { inspectionRetentionDays: number }

/**
 * Deletes inspections at the end of their retention, with photos and copied images. One that is never finished is kept
 * from its last step. Outcomes of those that end early are kept as long as others.
 */
export async function deleteExpiredInspections(
  db: Pool,
  files: Files,
  now: Date,
  { inspectionRetentionDays }: Retention,
): Promise<void> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const unfinished = Math.min(MAX_UNFINISHED_DAYS, inspectionRetentionDays)
  for (;;) {
    const deleted = await db.transaction(
      async (db) => {
        const expired = await lockExpired(db, before(inspectionRetentionDays), before(unfinished), BATCH)
        const ids = expired.map(({ id }) => id)
        // Files first, so that an interrupted run finds them again. That may take minutes between two statements.
        for (const id of ids) await files.removeFolder(folderOf(id))
        await keepOutcomes(db, ids, before(inspectionRetentionDays))
        await markInspected(db, ids)
        await deleteInspections(db, ids)
        return ids.length
      },
      { mayIdle: true },
    )
    if (deleted < BATCH) break
  }
  while ((await deleteKeptOutcomes(db, before(inspectionRetentionDays), BATCH)) === BATCH);
}
