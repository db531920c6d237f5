import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import { periodsOf } from '@rogatka/domain/statistics/periods.ts'
import type { Pool } from '../core/database.ts'
import { type RollUpDifference, rollUpDifferences, trafficHourRange } from './verify-queries.ts'

/**
 * Recounts the daily and monthly roll-ups from the hours, one statement per month, so that concurrent writes are seen
 * consistently. The hours themselves are recounted from the vehicles elsewhere.
 */
export async function verifyDerived(db: Pool): Promise<{ months: number; differences: RollUpDifference[] }> {
  const dates = await trafficHourRange(db)
  if (!dates) return { months: 0, differences: [] }
  const starts = periodsOf(dates.first, new Date(dates.last.getTime() + 1), { unit: 'month', value: 1 })
  const differences: RollUpDifference[] = []
  for (const start of starts) {
    const from = `${dateOf(start).slice(0, 7)}-01`
    differences.push(...(await rollUpDifferences(db, from, monthAfter(from))))
  }
  return { months: starts.length, differences }
}

const monthAfter = (date: string): string => {
  const [year = 0, month = 0] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month)).toISOString().slice(0, 10)
}
