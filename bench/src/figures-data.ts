import type { Pool } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { deriveDistributionDays, deriveTraffic } from '@rogatka/api/statistics/derive.ts'
import {
  deriveDistributionMonths,
  deriveDistributions,
  deriveHours,
} from '@rogatka/api/statistics/distribution-derive-queries.ts'

/** Days that are derived in one statement. */
const DAYS_PER_BATCH = 20
const WORKERS = 4

/** Derives the roll-ups and the distributions of all days before the day of `until`. */
export async function deriveFigures(db: Pool, until: Date): Promise<void> {
  await db.execute(sql`
    insert into traffic_mark (location_id, day)
    select distinct location_id, (hour at time zone 'Europe/Warsaw')::date from traffic_hour`)
  await deriveTraffic(db, until)
  await deriveDistributionsAtOnce(db)
  while ((await deriveDistributionDays(db)) > 0);
}

type StationDay = Parameters<typeof deriveDistributions>[1][number]

/**
 * Derives the distributions of all marked days but the newest, and of all months, several at a time, oldest first: no day
 * has to be derived again because of the one before it.
 */
export async function deriveDistributionsAtOnce(db: Pool): Promise<void> {
  const marked = await db.query<StationDay>(sql`
    delete from distribution_mark where day < (select max(day) from distribution_mark)
    returning location_id as "locationId", day::text`)
  const days = marked.toSorted((a, b) => (a.day < b.day ? -1 : 1))
  const batches = Array.from({ length: Math.ceil(days.length / DAYS_PER_BATCH) }, (_, at) =>
    days.slice(at * DAYS_PER_BATCH, (at + 1) * DAYS_PER_BATCH),
  )
  await inParallel(batches, (batch) =>
    db.transaction(async (db) => {
      await db.liftTimeLimit()
      await deriveDistributions(db, batch)
      await deriveHours(db, batch)
    }),
  )
  const months = new Map(
    days.map(({ locationId, day }) => {
      const month = { locationId, day: `${day.slice(0, 7)}-01` }
      return [JSON.stringify(month), month]
    }),
  )
  await inParallel([...months.values()], (month) => db.transaction((db) => deriveDistributionMonths(db, [month])))
}

/** Runs `work` for each item in their order, some at a time. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = items.values()
  await Promise.all(
    Array.from({ length: WORKERS }, async () => {
      for (const item of waiting) await work(item)
    }),
  )
}
