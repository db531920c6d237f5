import { setImmediate } from 'node:timers/promises'
import type { Location } from '@rogatka/contract/locations.ts'
import { MAX_PERIODS, MAX_PERIODS_TOGETHER, type StatisticFilters } from '@rogatka/contract/statistics.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { estimatePeriods, periodsOf, type Resolution } from '@rogatka/domain/statistics/periods.ts'
import { type Cell, type Table, tabulate } from '@rogatka/domain/statistics/tabulate.ts'
import { bitsOf } from '@rogatka/domain/vehicle/violations.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { locations as allLocations } from '../locations/public-api.ts'
import { trafficCells } from './queries.ts'

/** The periods, and a table of figures per location. */
export type StatisticsResult = {
  resolution: Resolution
  starts: Date[]
  tables: { location: Location; table: Table }[]
}

/** All bits of violations. */
const ALL_VIOLATIONS = 2 ** violations.length - 1

/** The periods and locations of a query. */
type Plan = { resolution: Resolution; starts: Date[]; locations: Location[] }

/**
 * Validates the query and returns its periods and locations.
 * @throws Refusal if the range is reversed or has too many periods, or a location is unknown
 */
export async function planStatistics(db: Database, filters: StatisticFilters): Promise<Plan> {
  const { dateTimeStart: from, dateTimeEnd: end } = filters
  const locationIds = [...new Set(filters.locations)]
  const resolution = { unit: filters.statResolutionUnit, value: filters.statResolutionValue }
  checkRange(from, end, resolution, locationIds.length)
  const byId = new Map((await allLocations(db)).map((location) => [location.id, location]))
  const locations = locationIds.map((id) => {
    const location = byId.get(id)
    if (!location) throw new Refusal('location-not-found', 404, 'locations')
    return location
  })
  return { resolution, starts: periodsOf(from, end, resolution), locations }
}

/** Computes the statistics; stops when `signal` aborts. Throws as `planStatistics` does. */
export async function computeStatistics(
  db: Database,
  filters: StatisticFilters,
  signal?: AbortSignal,
): Promise<StatisticsResult> {
  const { dateTimeEnd: end, statName, groupBy } = filters
  const { resolution, starts, locations } = await planStatistics(db, filters)
  // Out-of-range lanes match nothing and would overflow the column.
  const lanes = nonEmpty(filters.laneNumbers)?.filter((lane) => lane >= 1 && lane <= 99) ?? null
  const categories = nonEmpty(filters.ctg8p1)
  const bits = bitsOf(filters)
  const cells = await trafficCells(db, {
    statName,
    groupBy,
    locations: locations.map(({ id }) => id),
    starts,
    end,
    lanes,
    categories: categories === null ? null : categories.map((category) => (category === 'lack' ? 0 : Number(category))),
    // Grouped by violation, only vehicles with a violation count.
    violations: bits === 0 && groupBy === 'violation' ? ALL_VIOLATIONS : bits,
  })
  const byLocation = new Map<number, Cell[]>(locations.map(({ id }) => [id, []]))
  for (const cell of cells) byLocation.get(cell.locationId)?.push(cell)

  const tables: StatisticsResult['tables'] = []
  for (const location of locations) {
    // Yields to the event loop between locations.
    await setImmediate()
    signal?.throwIfAborted()
    const selection = {
      lanes: location.lanes.map(({ laneNumber }) => laneNumber).filter((lane) => lanes?.includes(lane) ?? true),
      categories: categories ?? [],
      violations: violations.filter((violation) => filters[violation]),
    }
    const table = tabulate({ statName, groupBy, starts, end }, selection, byLocation.get(location.id) ?? [])
    tables.push({ location, table })
  }
  return { resolution, starts, tables }
}

/** An empty list in a query means no filter. */
const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | null => (list && list.length > 0 ? list : null)

function checkRange(from: Date, end: Date, resolution: Resolution, locations: number): void {
  if (from > end) throw new Refusal('start-after-end', 422, 'dateTimeStart')
  const periods = estimatePeriods(from, end, resolution)
  if (periods > MAX_PERIODS || periods * locations > MAX_PERIODS_TOGETHER) {
    throw new Refusal('too-many-periods', 422, 'statResolutionValue')
  }
}
