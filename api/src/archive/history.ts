import type { history } from '@rogatka/contract/archive.ts'
import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { likelyReadings, searchedReadings } from '@rogatka/domain/archive/history.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import type { Pool } from '../core/database.ts'
import type { Session } from '../core/sessions.ts'
import { vehicleLocations } from '../locations/public-api.ts'
import type { ImageAddresses } from '../vehicle/public-api.ts'
import { countOf, search } from './search.ts'

type Plate = Pick<Vehicle, 'plateLpr' | 'nationality'>
type Query = Pick<ValueOf<typeof history, 'query'>, 'days' | 'page' | 'limit'>

/** Stations may be ahead by this much. */
export const MAX_AHEAD_MS = HOUR_MS

/** The search for a plate and its likely misreadings at all stations, up to now. */
export async function historyFilters(db: Pool, { plateLpr, nationality }: Plate, days: number, now: Date) {
  return {
    dateTimeStart: new Date(now.getTime() - days * DAY_MS),
    dateTimeEnd: new Date(now.getTime() + MAX_AHEAD_MS),
    locations: (await vehicleLocations(db)).map(({ id }) => id),
    plates: plateLpr === null ? [] : searchedReadings(plateLpr, nationality),
    orderDirection1: 'desc' as const,
    orderDirection2: 'desc' as const,
    orderDirection3: 'desc' as const,
  }
}

/** The detections of a vehicle's plate and of its likely misreadings at all stations, newest first. */
export async function historyOf(
  db: Pool,
  { plateLpr, nationality }: Plate,
  { days, page, limit }: Query,
  { session, addresses, now, signal }: { session: Session; addresses: ImageAddresses; now: Date; signal: AbortSignal },
) {
  const filters = await historyFilters(db, { plateLpr, nationality }, days, now)
  const from = filters.dateTimeStart
  if (filters.plates.length === 0) return { plateLpr, nationality, from, content: [], totalCount: 0, overloaded: 0 }
  const listed = { ...filters, withAxles: true, withImages: true, page, limit }
  const { content, totalCount } = await search(db, listed, session, addresses, signal)
  const overloaded = await countOf(db, { ...filters, overload: true }, session, signal)
  const likeness = likelyReadings(plateLpr ?? '')
  return {
    plateLpr,
    nationality,
    from,
    content: content.map((vehicle) => ({
      ...vehicle,
      likeness: likeness.get(normalisePlate(vehicle.plateLpr) ?? '') ?? 0,
    })),
    totalCount,
    overloaded,
  }
}
