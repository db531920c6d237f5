import type { FigureGrouping, UnweighedCounts } from '@rogatka/contract/inspections-figures.ts'
import { type Selection, selections } from '@rogatka/contract/options.ts'
import { dateOf, fromWarsaw, startOfMonth, warsawTime } from '@rogatka/domain/core/warsaw.ts'
import { levelIntervals } from '@rogatka/domain/statistics/levels.ts'
import { cursorRows } from '../core/cursor.ts'
import type { Database, Pool } from '../core/database.ts'
import { identifier, join, type Statement, sql } from '../core/statement.ts'
import { DAYS, DIFFERENCES, loadsOf, OUTCOMES, UNWEIGHED } from './figures-derive-queries.ts'

/** The scope of a request with all of its stations. */
export type Scope = { from: Date; to: Date; locations: readonly number[]; lanes: readonly number[] | null }

/** Parameters as arrays of text, which the driver sends for every type. */
const texts = (values: readonly number[]): string[] => values.map(String)

const ofLanes = (table: 'f' | 'r', lanes: readonly number[] | null): Statement =>
  lanes
    ? sql`and ${identifier(table)}.location_id * 100 + ${identifier(table)}.lane_number = any(${texts(lanes)}::int[])`
    : sql``

/**
 * CTEs of a scope: `f`, the inspections that are read one by one, of the incomplete months at its ends and of marked
 * months; and `marked`, these months. `months` is the condition on a roll-up for all other months. `isReadOften`: the
 * statement uses `f` several times, so that it is materialized.
 */
function scopeCtes({ from, to, locations, lanes }: Scope, isReadOften = false): { ctes: Statement; months: Statement } {
  const ofStations = sql`location_id = any(${texts(locations)}::int[])`
  const whole = levelIntervals([from], to).find(({ level }) => level === 'month')
  const edges = whole
    ? [
        { from, to: whole.from },
        { from: whole.to, to },
      ]
    : [{ from, to }]
  const months = whole
    ? sql`${ofStations} and month >= ${dateOf(whole.from)}::date and month < ${dateOf(whole.to)}::date`
    : sql`false`
  const rows = [
    ...edges.flatMap(splitByMonth).map(
      (edge) => sql`
      select f.*, ${edge.month}::date as month from inspection_figure f
      where ${ofStations} and at >= ${edge.from}::timestamptz and at < ${edge.to}::timestamptz ${ofLanes('f', lanes)}`,
    ),
    sql`
      select f.*, m.month from marked m join inspection_figure f
      on f.location_id = m.location_id and f.at >= m.starts and f.at < m.ends ${ofLanes('f', lanes)}`,
  ]
  return {
    ctes: sql`
      marked as materialized (
        select location_id, month, month::timestamp at time zone 'Europe/Warsaw' as starts,
               (month + interval '1 month')::timestamp at time zone 'Europe/Warsaw' as ends
        from inspection_mark where ${months} group by 1, 2
      ),
      f as ${isReadOften ? sql`materialized` : sql`not materialized`} (${join(rows, ' union all ')})`,
    months: sql`
      ${months} ${ofLanes('r', lanes)} and (location_id, month) not in (select location_id, month from marked)`,
  }
}

/** Splits an interval by Polish months, so that no row has to be converted to its month. */
function splitByMonth({ from, to }: { from: Date; to: Date }): { from: Date; to: Date; month: string }[] {
  if (from >= to) return []
  const { year, month } = warsawTime(from.getTime())
  const end = new Date(Math.min(to.getTime(), fromWarsaw(startOfMonth(year, month))))
  return [{ from, to: end, month: `${dateOf(from).slice(0, 7)}-01` }, ...splitByMonth({ from: end, to })]
}

/** Sums of outcomes of a group; keys by which it is not grouped are 0 or empty. */
export type OutcomeSums = {
  locationId: number
  laneNumber: number
  shift: string
  month: string
  officerId: number
  announced: number
  stopped: number
  stoppedFlagged: number
  weighedFlagged: number
  hits: number
  weighedUnflagged: number
  misses: number
}

/** The keys of the groups. */
const KEYS: Record<FigureGrouping, Statement> = {
  location: sql`location_id, 0 as lane_number, '' as shift_start, null::date as month, 0 as officer_id`,
  lane: sql`location_id, lane_number, '' as shift_start, null::date as month, 0 as officer_id`,
  shift: sql`0 as location_id, 0 as lane_number, shift_start, null::date as month, 0 as officer_id`,
  month: sql`0 as location_id, 0 as lane_number, '' as shift_start, month, 0 as officer_id`,
  officer: sql`0 as location_id, 0 as lane_number, '' as shift_start, null::date as month, officer_id`,
}

/** Outcomes by group, in one statement for a consistent snapshot. */
export function outcomeSums(db: Database, scope: Scope, groupBy: FigureGrouping): Promise<OutcomeSums[]> {
  const { ctes, months } = scopeCtes(scope)
  const keys = KEYS[groupBy]
  return db.query<OutcomeSums>(sql`
    with ${ctes}
    select location_id as "locationId", lane_number as "laneNumber", shift_start as shift, coalesce(to_char(month, 'YYYY-MM'), '') as month,
           officer_id as "officerId", sum(announced)::int as announced, sum(stopped)::int as stopped,
           sum(stopped_flagged)::int as "stoppedFlagged", sum(weighed_flagged)::int as "weighedFlagged",
           sum(hits)::int as hits, sum(weighed_unflagged)::int as "weighedUnflagged", sum(misses)::int as misses
    from (
      select ${keys}, ${OUTCOMES} from f group by 1, 2, 3, 4, 5
      union all
      select ${keys}, sum(announced), sum(stopped), sum(stopped_flagged),
             sum(weighed_flagged), sum(hits), sum(weighed_unflagged), sum(misses)
      from inspection_month r where ${months} group by 1, 2, 3, 4, 5
    ) p
    group by location_id, lane_number, shift_start, p.month, officer_id`)
}

/** Announced inspections without a weighing, by reason. */
export async function unweighedCounts(db: Database, scope: Scope): Promise<UnweighedCounts> {
  const { ctes, months } = scopeCtes(scope)
  const total = (reason: Statement) => sql`coalesce(sum(${reason}), 0)::int`
  const [counts] = await db.query<UnweighedCounts>(sql`
    with ${ctes}
    select ${total(sql`passed_by`)} as "passedBy", ${total(sql`withdrawn`)} as withdrawn, ${total(sql`refused`)} as refused,
           ${total(sql`scale_failed`)} as "scaleFailed", ${total(sql`closed_otherwise`)} as other,
           ${total(sql`still_open`)} as open
    from (
      select ${UNWEIGHED} from f where f.unweighed > 0
      union all
      select passed_by, withdrawn, refused, scale_failed, closed_otherwise, still_open
      from inspection_month r where ${months}
    ) p`)
  return counts as UnweighedCounts
}

/** Differences of a criterion in a lane, and the days of all of its pairs; null without pairs. */
export type LaneDifferences = {
  locationId: number
  laneNumber: number
  /** Position in `criteria`, from 1; 0: only loads of other selections. */
  criterion: number
  n: number
  sum: number
  squares: number
  within5: number
  within10: number
  selection: number
  scaleNotValid: number
  notWeighed: number
  axlesDiffer: number
  groupsDiffer: number
  underMinimum: number
  months: number | null
  days: number | null
  first: string | null
  last: string | null
}

const positionsOf = (chosen: readonly Selection[]): string[] =>
  texts(chosen.map((selection) => selections.indexOf(selection) + 1))

/** Differences by lane and criterion, of the chosen selections; those of others are only counted. */
export function laneDifferences(db: Database, scope: Scope, chosen: readonly Selection[]): Promise<LaneDifferences[]> {
  const { ctes, months } = scopeCtes(scope, true)
  const isChosen = sql`selection = any(${positionsOf(chosen)}::smallint[])`
  const none = sql`0::smallint, 0::float8, 0::float8, 0, 0, 0, 0, 0, 0, 0, 0`
  return db.query<LaneDifferences>(sql`
    with ${ctes}, p as (
      select c.location_id, c.lane_number, c.criterion, ${DIFFERENCES}, 0 as others
      from ${loadsOf(sql`f where ${isChosen}`)} group by 1, 2, 3
      union all
      select location_id, lane_number, criterion, sum, squares, n, within5, within10, scale_not_valid, not_weighed,
             axles_differ, groups_differ, under_minimum, 0
      from inspection_difference_month r where ${months} and ${isChosen}
      union all
      select location_id, lane_number, ${none}, sum(cardinality(criteria))::int
      from f where not ${isChosen} group by 1, 2
      union all
      select location_id, lane_number, ${none},
             sum(n + scale_not_valid + not_weighed + axles_differ + groups_differ + under_minimum)::int
      from inspection_difference_month r where ${months} and not ${isChosen} group by 1, 2
    ), day as (
      select location_id, lane_number, month, bit_or(days)::bit(31) as days
      from (
        select f.location_id, f.lane_number, f.month, ${DAYS}
        from f where ${isChosen} and f.has_pairs group by 1, 2, 3
        union all
        select location_id, lane_number, month, days from inspection_day_month r where ${months} and ${isChosen}
      ) d
      group by 1, 2, 3
    ), extent as (
      select location_id, lane_number, count(*)::int as months, sum(bit_count(days))::int as days,
             min(month + position('1' in reverse(days::text)) - 1)::text as first,
             max(month + 31 - position('1' in days::text))::text as last
      from day group by 1, 2
    )
    select s.*, e.months, e.days, e.first, e.last
    from (
      select location_id as "locationId", lane_number as "laneNumber", criterion, sum(n)::int as n, sum(sum) as sum,
             sum(squares) as squares, sum(within5)::int as within5, sum(within10)::int as within10,
             sum(others)::int as selection, sum(scale_not_valid)::int as "scaleNotValid",
             sum(not_weighed)::int as "notWeighed", sum(axles_differ)::int as "axlesDiffer",
             sum(groups_differ)::int as "groupsDiffer", sum(under_minimum)::int as "underMinimum"
      from p group by 1, 2, 3
    ) s
    left join extent e on e.location_id = s."locationId" and e.lane_number = s."laneNumber"`)
}

/** A vehicle with its static loads in parallel arrays. */
export type PairRow = {
  id: number
  code: string
  year: number
  sequence: number
  at: Date
  locationId: number
  laneNumber: number
  selection: Selection
  criteria: number[]
  wim: number[]
  scale: number[]
  exclusions: number[]
}

type PairPage = { chosen: readonly Selection[]; after?: number | undefined; limit?: number }

/** Vehicles with pairs, newest first. */
const pairStatement = (scope: Scope, { chosen, after, limit }: PairPage): Statement => sql`
  select i.id, i.code, i.year, i.sequence, f.at, f.location_id as "locationId", f.lane_number as "laneNumber",
         i.selection, f.criteria, f.wim, f.scale, f.exclusions
  from inspection_figure f
  join inspection i on i.id = f.inspection_id
  where f.has_pairs and f.location_id = any(${texts(scope.locations)}::int[])
    and f.at >= ${scope.from}::timestamptz and f.at < ${scope.to}::timestamptz ${ofLanes('f', scope.lanes)}
    and f.selection = any(${positionsOf(chosen)}::smallint[])
    ${
      after === undefined
        ? sql``
        : sql`and (f.at, f.inspection_id) < (
            select at, inspection_id from inspection_figure where inspection_id = ${after})`
    }
  order by f.at desc, f.inspection_id desc ${limit === undefined ? sql`` : sql`limit ${limit}`}`

/** A page of vehicles with pairs, after an inspection; none after one that was deleted. */
export const pairRows = (db: Database, scope: Scope, page: PairPage & { limit: number }) =>
  db.query<PairRow>(pairStatement(scope, page))

/** Vehicles per batch of a report. */
const BATCH_SIZE = 500

/** Every vehicle with pairs, from a cursor. */
export const everyPairRow = (db: Pool, scope: Scope, chosen: readonly Selection[]): AsyncIterable<PairRow[]> =>
  cursorRows<PairRow>(db, pairStatement(scope, { chosen }), BATCH_SIZE)
