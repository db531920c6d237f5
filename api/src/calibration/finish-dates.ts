import type { FinishDate } from '@rogatka/contract/calibration.ts'
import type { Database } from '../core/database.ts'
import { listFinishes } from './finish-queries.ts'
import { countCollected, freezeEach } from './lanes.ts'

/** The finish dates of these locations, newest first, with the references that are due by now. */
export async function finishDatesOf(
  db: Database,
  locations: readonly { id: number; shortName: string }[],
): Promise<FinishDate[]> {
  const timeOf = ({ location, lane, finishedAt }: Omit<FinishDate, 'collected'>) => ({
    locationId: location.id,
    laneNumber: lane.laneNumber,
    finishedAt,
  })
  const found = await listFinishes(db, locations)
  const pending = found.filter(({ reference, revoked }) => reference === null && revoked === null)
  const { collected, due } = await countCollected(db, pending.map(timeOf))
  // Creates due references, as the results do, so that both agree.
  await freezeEach(db, due)
  const listed = due.length > 0 ? await listFinishes(db, locations) : found
  return listed.map((finish) => ({ ...finish, collected: finish.reference?.counter ?? collected(timeOf(finish)) }))
}
