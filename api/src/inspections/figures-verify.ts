import type { Database, Pool } from '../core/database.ts'
import { comparisonColumns } from './figure-rows.ts'
import { storedLoads, wrongMonths, wrongOutcomes } from './figures-verify-queries.ts'

/** Inspections per statement. */
const BATCH = 500

/** Recounts the figures of inspections from these, and the months from the figures; returns a line for each that differs. */
export const verifyFigures = async (db: Pool): Promise<string[]> => [
  ...(await wrongOutcomes(db)).map(({ id }) => `inspection ${id}: outcome`),
  ...(await wrongLoads(db)).map((id) => `inspection ${id}: loads`),
  ...(await wrongMonths(db)).map(({ locationId, month, of }) => `station ${locationId}, ${month}: ${of}`),
]

async function wrongLoads(db: Database): Promise<number[]> {
  const wrong: number[] = []
  for (let last = 0; ; ) {
    const batch = await storedLoads(db, last, BATCH)
    for (const inspection of batch) {
      const { criteria, wim, scale, exclusions } = inspection
      const isRight =
        JSON.stringify(comparisonColumns(inspection)) === JSON.stringify({ criteria, wim, scale, exclusions })
      if (!isRight) wrong.push(inspection.id)
    }
    if (batch.length < BATCH) return wrong
    last = batch.at(-1)?.id ?? last
  }
}
