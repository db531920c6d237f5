import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { accuracyOfLanes } from './accuracy.ts'
import { scopeOf, selectionsOf } from './figures.ts'

const RANGE_MS = 365 * DAY_MS

/** Lanes that earned a wider accuracy class than configured in the last year. */
export async function lanesBelowClass(db: Database, now: Date): Promise<{ locationId: number; laneNumber: number }[]> {
  const range = { dateTimeStart: new Date(now.getTime() - RANGE_MS), dateTimeEnd: now }
  const { scope, stations } = await scopeOf(db, range)
  const lanes = await accuracyOfLanes(db, { scope, stations, chosen: selectionsOf(), now })
  return lanes
    .filter(({ isWorse }) => isWorse)
    .map(({ location, lane }) => ({ locationId: location.id, laneNumber: lane.laneNumber }))
}
