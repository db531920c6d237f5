import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { Pool } from '../core/database.ts'
import type { NewLocation } from '../locations/public-api.ts'
import { insertFinish } from './finish-queries.ts'
import { type CalibrationTime, finishTimes } from './queries.ts'

/** The demo station with a drifting lane, and the minimum history in days in which the drift shows. */
export const DRIFTING_STATION = 2
const DRIFT_DAYS = 8

/**
 * Inserts calibrations for stations without any: all at the start of the history of `days`, and the drifting one again
 * before its last quarter, when its lane has drifted beyond 7 %. Returns all calibration times.
 */
export async function insertDemoCalibrations(
  db: Pool,
  stations: readonly NewLocation[],
  by: { userId: number; username: string },
  now: Date,
  days: number,
): Promise<CalibrationTime[]> {
  const ids = stations.map(({ id }) => id)
  const withCalibration = new Set((await finishTimes(db, ids)).map(({ locationId }) => locationId))
  const daysAgo = (count: number) => new Date(Math.floor((now.getTime() - count * DAY_MS) / HOUR_MS) * HOUR_MS)
  for (const { id, lanes } of stations) {
    if (withCalibration.has(id)) continue
    const calibrated = { locationId: id, lanes: lanes.map(({ laneNumber }) => laneNumber) }
    await insertFinish(db, { ...calibrated, finishedAt: daysAgo(days) }, by, now)
    if (id === DRIFTING_STATION && days >= DRIFT_DAYS)
      await insertFinish(db, { ...calibrated, finishedAt: daysAgo(days / 4) }, by, now)
  }
  return finishTimes(db, ids)
}
