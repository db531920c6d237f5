import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import { type InspectionState, openStates } from '@rogatka/contract/options.ts'
import type { Database } from '../core/database.ts'
import { raw, type Statement, sql } from '../core/statement.ts'
import { type InspectionRow, selectInspections } from './queries.ts'

export type InspectionSearch = {
  from: Date | undefined
  to: Date | undefined
  locations: readonly number[] | undefined
  states: readonly InspectionState[] | undefined
  results: readonly InspectionResult[] | undefined
  officerId: number | undefined
  /** Only unfinished ones. */
  isUnfinished: boolean
  /** The user who sees unfinished and own ones; null: all are visible. */
  viewerId: number | null
  /** Those that passed by since count as unfinished. */
  passedBySince: Date
}

/** The states of an inspection that nobody has ended. */
export const OPEN = raw(`('${openStates.join("', '")}')`)

const unfinished = (passedBySince: Date): Statement => sql`
  (i.state in ${OPEN} or i.state = 'passedBy' and i.passed_by_at >= ${passedBySince}::timestamptz)`

const atLocations = (locations: readonly number[] | undefined): Statement =>
  locations?.length ? sql`i.location_id = any(${locations.map(String)}::int[])` : sql`true`

function searchCondition(search: InspectionSearch): Statement {
  const { from, to, locations, states, results, officerId, viewerId } = search
  const visible =
    viewerId === null
      ? sql`true`
      : sql`(${unfinished(search.passedBySince)} or i.announced_by = ${viewerId} or i.officer_id = ${viewerId})`
  return sql`${visible}
    and ${search.isUnfinished ? unfinished(search.passedBySince) : sql`true`}
    and ${from ? sql`i.announced_at >= ${from}::timestamptz` : sql`true`}
    and ${to ? sql`i.announced_at < ${to}::timestamptz` : sql`true`}
    and ${atLocations(locations)}
    and ${states?.length ? sql`i.state = any(${[...states]}::text[])` : sql`true`}
    and ${results?.length ? sql`i.results && ${results.map(String)}::smallint[]` : sql`true`}
    and ${officerId === undefined ? sql`true` : sql`i.officer_id = ${officerId}`}`
}

/** How many were taken over and not closed, and when announced vehicles reach the checkpoint, soonest first. */
export async function queueTimes(db: Database, locations: readonly number[] | undefined) {
  const rows = await db.query<{ isTaken: boolean; arrival: string | null }>(sql`
    select i.state <> 'announced' as "isTaken", i.passage ->> 'checkpointTime' as arrival
    from inspection i
    where i.state in ${OPEN} and ${atLocations(locations)}
    order by arrival, i.id`)
  const arrivals = rows.filter(({ isTaken }) => !isTaken).map(({ arrival }) => arrival)
  return {
    taken: rows.length - arrivals.length,
    arrivals: arrivals.map((arrival) => (arrival === null ? null : new Date(arrival))),
  }
}

/** A page of inspections, newest first, and the total. */
export async function inspectionPage(db: Database, search: InspectionSearch, page: { page: number; limit: number }) {
  const content = await db.query<InspectionRow>(sql`
    ${selectInspections} where ${searchCondition(search)}
    order by i.announced_at desc, i.id desc limit ${page.limit} offset ${(page.page - 1) * page.limit}`)
  const [count] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from inspection i where ${searchCondition(search)}`)
  return { content, totalCount: count?.total ?? 0 }
}
