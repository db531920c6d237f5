import { hasRight } from '@rogatka/contract/access.ts'
import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import * as endpoints from '@rogatka/contract/inspections-figures.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { laneId, laneOfId, type Selection, selections, UNBIASED_SELECTIONS } from '@rogatka/contract/options.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { fromWarsaw, monthOf, startOfMonth, toWarsaw } from '@rogatka/domain/core/warsaw.ts'
import {
  effectivenessOf,
  MIN_FOR_RATE,
  MIN_FOR_RATE_OF_OFFICER,
  type OutcomeCounts,
} from '@rogatka/domain/inspections/hitRate.ts'
import { shiftAt, shiftEnd, startsOfShifts } from '@rogatka/domain/inspections/shift.ts'
import { toBits } from '@rogatka/domain/vehicle/violations.ts'
import { isAnonymised } from '../core/anonymity.ts'
import type { Database } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import type { Session } from '../core/sessions.ts'
import { locations } from '../locations/public-api.ts'
import { trafficCells } from '../statistics/public-api.ts'
import { type OutcomeSums, outcomeSums, type Scope } from './figures-queries.ts'
import { usernames } from './queries.ts'

const OVERLOAD = toBits({ overload: true })

export type Figures = ValueOf<typeof endpoints.figures, 'response'>

/** The scope of a request, and its stations with their names. */
export type ScopeWithStations = { scope: Scope; stations: readonly Location[] }

/** An empty list in a query means no filter. */
const nonEmpty = <T>(list: readonly T[] | undefined): readonly T[] | null => (list && list.length > 0 ? list : null)

/** @throws 400 if the range is reversed */
export async function scopeOf(db: Database, query: endpoints.FigureScope): Promise<ScopeWithStations> {
  const { dateTimeStart: from, dateTimeEnd: to } = query
  if (from > to) throw new Refusal('start-after-end', 400, 'dateTimeStart')
  const chosen = nonEmpty(query.locations)
  const stations = (await locations(db)).filter(({ id }) => chosen?.includes(id) ?? true)
  const lanes = nonEmpty(query.lanes)
  // Other stations need not be read.
  const withLanes = lanes
    ? stations.filter(({ id }) => lanes.some((lane) => laneOfId(lane).locationId === id))
    : stations
  const scope = { from, to, locations: withLanes.map(({ id }) => id), lanes }
  return { scope, stations }
}

/** In the order of the contract. */
export const selectionsOf = (requested: readonly Selection[] = UNBIASED_SELECTIONS): Selection[] =>
  selections.filter((selection) => requested.includes(selection))

export const toStation = (stations: readonly Location[], id: number) => {
  const { shortName } = stations.find((station) => station.id === id) as Location
  return { id, shortName }
}

/** Whether a user sees figures by officer. */
export const mayCompareOfficers = (session: Session): boolean =>
  !isAnonymised(session) && hasRight(session.permissions, 'InspectionReview')

/** Whether a user sees the numbers of inspections. */
export const maySeeNumbers = (session: Session): boolean =>
  !isAnonymised(session) &&
  (hasRight(session.permissions, 'Inspections') || hasRight(session.permissions, 'InspectionReview'))

const countsOf = (sums: OutcomeSums): OutcomeCounts => ({
  hits: { part: sums.hits, of: sums.weighedFlagged },
  stops: { part: sums.stopped, of: sums.announced },
  stoppedFlagged: sums.stoppedFlagged,
  misses: { part: sums.misses, of: sums.weighedUnflagged },
})

const NONE: OutcomeSums = {
  locationId: 0,
  laneNumber: 0,
  shift: '',
  month: '',
  officerId: 0,
  announced: 0,
  stopped: 0,
  stoppedFlagged: 0,
  weighedFlagged: 0,
  hits: 0,
  weighedUnflagged: 0,
  misses: 0,
}

const add = (a: OutcomeSums, b: OutcomeSums): OutcomeSums => ({
  ...a,
  announced: a.announced + b.announced,
  stopped: a.stopped + b.stopped,
  stoppedFlagged: a.stoppedFlagged + b.stoppedFlagged,
  weighedFlagged: a.weighedFlagged + b.weighedFlagged,
  hits: a.hits + b.hits,
  weighedUnflagged: a.weighedUnflagged + b.weighedUnflagged,
  misses: a.misses + b.misses,
})

type Keys = Pick<OutcomeSums, 'locationId' | 'laneNumber' | 'shift' | 'month' | 'officerId'>

/** Identifies a group. */
const keyOf = ({ locationId, laneNumber, shift, month, officerId }: Keys): string =>
  [locationId, laneNumber, shift, month, officerId].join()

const compareText = new Intl.Collator('pl', { numeric: true }).compare

/** Rates in total and by group; groups are in the order of names, starts or months. */
export async function outcomesOf(
  db: Database,
  { scope, stations }: ScopeWithStations,
  { groupBy, shiftStarts }: { groupBy: endpoints.FigureGrouping; shiftStarts: readonly string[] },
): Promise<Figures> {
  const sums = await outcomeSums(db, scope, groupBy)
  const { byGroup: flagged, total: allFlagged } = await flaggedDetections(db, scope, groupBy, shiftStarts)
  const groups = new Map(sums.map((one) => [keyOf(one), one]))
  for (const { keys } of flagged.values()) {
    const key = keyOf(keys)
    if (!groups.has(key)) groups.set(key, { ...NONE, ...keys })
  }
  const names = await usernames(
    db,
    sums.flatMap(({ officerId }) => (officerId === 0 ? [] : [officerId])),
  )
  const isByOfficer = groupBy === 'officer'
  const minimum = isByOfficer ? MIN_FOR_RATE_OF_OFFICER : MIN_FOR_RATE
  const hasCoverage = !isByOfficer && (groupBy !== 'shift' || isShort(scope))
  return {
    total: effectivenessOf(countsOf(sums.reduce(add, NONE)), allFlagged),
    groups: [...groups.values()]
      .map((one) => {
        const { coverage, ...rates } = effectivenessOf(countsOf(one), flagged.get(keyOf(one))?.count ?? 0, minimum)
        const isByStation = groupBy === 'location' || groupBy === 'lane'
        return {
          location: isByStation ? toStation(stations, one.locationId) : null,
          laneNumber: one.laneNumber || null,
          shift: one.shift || null,
          shiftEnd: one.shift ? shiftEnd(shiftStarts, one.shift) : null,
          month: one.month || null,
          officer: one.officerId === 0 ? null : { id: one.officerId, username: names.get(one.officerId) ?? '' },
          ...rates,
          coverage: hasCoverage ? coverage : null,
        }
      })
      .toSorted(
        (a, b) =>
          compareText(a.location?.shortName ?? '', b.location?.shortName ?? '') ||
          (a.location?.id ?? 0) - (b.location?.id ?? 0) ||
          // Without a lane or an officer: last.
          (a.laneNumber ?? Infinity) - (b.laneNumber ?? Infinity) ||
          compareText(a.shift ?? '', b.shift ?? '') ||
          compareText(a.month ?? '', b.month ?? '') ||
          Number(a.officer === null) - Number(b.officer === null) ||
          compareText(a.officer?.username ?? '', b.officer?.username ?? ''),
      ),
  }
}

const isShort = ({ from, to }: Scope): boolean => to.getTime() - from.getTime() <= endpoints.MAX_SHIFT_DAYS * DAY_MS

/** Flagged detections from the roll-ups of traffic: by group, where it applies, and in total. */
async function flaggedDetections(
  db: Database,
  scope: Scope,
  groupBy: endpoints.FigureGrouping,
  shiftStarts: readonly string[],
) {
  const byGroup = new Map<string, { keys: Keys; count: number }>()
  let total = 0
  const { from, to, locations, lanes } = scope
  if (from >= to) return { byGroup, total }
  const isByShift = groupBy === 'shift' && isShort(scope)
  const starts =
    groupBy === 'month' ? monthStarts(from, to) : isByShift ? startsOfShifts(shiftStarts, from, to) : [from]
  const cells = await trafficCells(db, {
    statName: 'traffic',
    groupBy: 'lane',
    locations,
    starts,
    end: to,
    lanes: null,
    categories: null,
    violations: OVERLOAD,
  })
  for (const { locationId, key: laneNumber, period, vehicles } of cells) {
    if (lanes && !lanes.includes(laneId(locationId, laneNumber))) continue
    total += vehicles
    if (groupBy === 'officer' || (groupBy === 'shift' && !isByShift)) continue
    const start = starts[period] as Date
    const keys = {
      locationId: groupBy === 'location' || groupBy === 'lane' ? locationId : 0,
      laneNumber: groupBy === 'lane' ? laneNumber : 0,
      shift: isByShift ? shiftAt(shiftStarts, start).start : '',
      month: groupBy === 'month' ? new Date(toWarsaw(start.getTime())).toISOString().slice(0, 7) : '',
      officerId: 0,
    }
    const before = byGroup.get(keyOf(keys))?.count ?? 0
    byGroup.set(keyOf(keys), { keys, count: before + vehicles })
  }
  return { byGroup, total }
}

/** The start of the range, and the Polish months that begin in it. */
function monthStarts(from: Date, to: Date): Date[] {
  const { year, month } = monthOf(toWarsaw(from.getTime()))
  const starts = [from]
  for (let next = 1; ; next++) {
    const start = new Date(fromWarsaw(startOfMonth(year, month + next)))
    if (start >= to) return starts
    starts.push(start)
  }
}
