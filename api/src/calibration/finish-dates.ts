import type { FinishDate } from '@rogatka/contract/calibration.ts'
import { MAX_CLOCK_AHEAD_MINUTES } from '@rogatka/contract/ingest.ts'
import type { Database } from '../core/database.ts'
import { listFinishes } from './finish-queries.ts'
import { collectedSince, finishesWithReferences } from './lanes.ts'

/** The finish dates of these locations, newest first, with the references that are due by now. */
export async function finishDatesOf(
  db: Database,
  locations: readonly { id: number; shortName: string }[],
  now: Date,
): Promise<FinishDate[]> {
  const end = new Date(now.getTime() + MAX_CLOCK_AHEAD_MINUTES * 60_000)
  // Creates due references, as the results do, so that both agree.
  await finishesWithReferences(
    db,
    locations.map(({ id }) => id),
    { from: end, to: end },
  )
  const listed = await listFinishes(db, locations)
  const timeOf = ({ location, lane, finishedAt }: (typeof listed)[number]) => ({
    locationId: location.id,
    laneNumber: lane.laneNumber,
    finishedAt,
  })
  const pending = listed.filter(({ reference, revoked }) => reference === null && revoked === null)
  const collected = await collectedSince(db, pending.map(timeOf))
  return listed.map((finish) => ({ ...finish, collected: finish.reference?.counter ?? collected(timeOf(finish)) }))
}
