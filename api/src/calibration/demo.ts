import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import type { NewLocation } from '../locations/public-api.ts'
import { insertFinish } from './finish-queries.ts'
import { type Calibrated, finishTimes } from './queries.ts'

/** The station of the demo that has a drifting lane, and the least history in which that shows. */
export const DRIFTING_STATION = 2
const DRIFT_DAYS = 8

/**
 * Notes, where a station has no calibration yet, that all were calibrated when their history of so many days begins, and
 * the drifting one again before its last quarter, when its lane had gone past 7 %. Answers all that are noted.
 */
export async function insertDemoCalibrations(
  db: Pool,
  stations: readonly NewLocation[],
  by: { userId: number; username: string },
  now: Date,
  days: number,
): Promise<Calibrated[]> {
  const ids = stations.map(({ id }) => id)
  const noted = new Set((await finishTimes(db, ids)).map(({ locationId }) => locationId))
  const daysAgo = (count: number) => new Date(Math.floor((now.getTime() - count * DAY_MS) / HOUR_MS) * HOUR_MS)
  for (const { id, lanes } of stations) {
    if (noted.has(id)) continue
    const calibrated = { locationId: id, lanes: lanes.map(({ laneNumber }) => laneNumber) }
    await insertFinish(db, { ...calibrated, finishedAt: daysAgo(days) }, by, now)
    if (id === DRIFTING_STATION && days >= DRIFT_DAYS)
      await insertFinish(db, { ...calibrated, finishedAt: daysAgo(days / 4) }, by, now)
  }
  return finishTimes(db, ids)
}
