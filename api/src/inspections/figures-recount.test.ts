import type { WireOf } from '@rogatka/contract/endpoint.ts'
import * as endpoints from '@rogatka/contract/inspections-figures.ts'
import { laneId, selections } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { stationAt } from '../statistics/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { updateFigures } from './figure-row-queries.ts'
import { deriveInspectionMonths } from './figures-derive.ts'
import { verifyFigures } from './figures-verify.ts'
import { deleteInspections } from './queries.ts'
import {
  countsOf,
  figureScene,
  type InspectionFixture,
  randomInspections,
  storeInspections,
  YEAR,
} from './testing-figures.ts'

const warsaw = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Warsaw' })
const days = new Map<number, string>()

/** The Polish day, `2026-10-20`. */
function warsawDay(at: Date): string {
  const day = days.get(at.getTime()) ?? warsaw.format(at)
  days.set(at.getTime(), day)
  return day
}
const warsawMonth = (at: Date) => warsawDay(at).slice(0, 7)

/** Counts as `countsOf` has them, by plain loops. */
function recountRates(
  made: readonly InspectionFixture[],
  groupOf: (one: InspectionFixture) => string,
): Record<string, string> {
  const counts: Record<string, number[]> = {}
  for (const one of made) {
    counts[groupOf(one)] ??= [0, 0, 0, 0, 0, 0]
    const count = counts[groupOf(one)] as [number, number, number, number, number, number]
    if (one.scale && one.selection === 'preselected' && one.wim?.flagged === true) {
      count[1]++
      if (one.confirmed) count[0]++
    }
    if (one.wasAnnounced) {
      count[3]++
      if (one.officerId !== null) count[2]++
    }
    if (one.scale && one.selection === 'random' && one.wim?.flagged === false) {
      count[5]++
      if (one.confirmed) count[4]++
    }
  }
  return Object.fromEntries(
    Object.entries(counts).map(([group, [a, b, c, d, e, f]]) => [group, `${a}/${b} ${c}/${d} ${e}/${f}`]),
  )
}

/** Announced ones without weights by reason, by plain loops. */
function recountUnweighed(made: readonly InspectionFixture[]): endpoints.UnweighedCounts {
  const counts = { passedBy: 0, withdrawn: 0, refused: 0, scaleFailed: 0, other: 0, open: 0 }
  for (const { wasAnnounced, scale, officerId, end } of made) {
    if (!wasAnnounced || scale) continue
    const results = end?.results ?? []
    if (end?.state === 'withdrawn') counts.withdrawn++
    else if (!end && officerId === null) counts.passedBy++
    else if (end?.state !== 'closed') counts.open++
    else if (results.includes(9)) counts.refused++
    else if (results.includes(10)) counts.scaleFailed++
    else counts.other++
  }
  return counts
}

type Sample = { gross: number[]; group: number[]; singleAxle: number[]; axleOfGroup: number[] }

/** Differences and left-out loads by plain loops; a negative zero is none. */
function recountPairs(made: readonly InspectionFixture[], chosen: readonly string[]) {
  const sample: Sample = { gross: [], group: [], singleAxle: [], axleOfGroup: [] }
  const close = { 5: { ...zeros }, 10: { ...zeros } }
  const leftOut = { selection: 0, scaleNotValid: 0, notWeighed: 0, axlesDiffer: 0, groupsDiffer: 0, underMinimum: 0 }
  const days = new Set<string>()
  for (const { at, wim, scale, selection } of made) {
    if (!wim || !scale) continue
    const compare = (of: keyof Sample, measured: number | null, weighed: number, problem?: keyof typeof leftOut) => {
      const minimum = of === 'gross' ? 3_500 : of === 'group' ? 0 : 1_000
      if (!chosen.includes(selection)) leftOut.selection++
      else if (!scale.isValid) leftOut.scaleNotValid++
      else if (problem) leftOut[problem]++
      else if (measured === null) leftOut.notWeighed++
      else if (weighed <= minimum) leftOut.underMinimum++
      else {
        sample[of].push((measured / weighed - 1) * 100)
        for (const percent of [5, 10] as const)
          if (measured >= weighed - (percent * weighed) / 100 && measured <= weighed + (percent * weighed) / 100)
            close[percent][of]++
        days.add(warsawDay(at))
      }
    }
    compare('gross', wim.gross, scale.gross)
    const [left, right] = [wim.groups.map((group) => group.length), scale.groups.map((group) => group.length)]
    let first = 0
    if (scale.withoutGaps) for (const axle of scale.groups.flat()) compare('singleAxle', null, axle, 'axlesDiffer')
    for (const group of scale.withoutGaps ? [] : scale.groups) {
      // The group of the same axles.
      let start = 0
      const same = wim.groups.find((other) => {
        const isSame = start === first && other.length === group.length
        start += other.length
        return isSame
      })
      const hasAsMany = left.reduce((a, b) => a + b, 0) === right.reduce((a, b) => a + b, 0)
      const problem = hasAsMany ? (same ? undefined : 'groupsDiffer') : 'axlesDiffer'
      const load = same?.includes(null) ? null : (same ?? []).reduce<number>((a, b) => a + (b ?? 0), 0)
      compare(
        group.length > 1 ? 'group' : 'singleAxle',
        load,
        group.reduce((a, b) => a + b, 0),
        problem,
      )
      if (group.length > 1)
        for (const [index, axle] of group.entries()) compare('axleOfGroup', same?.[index] ?? null, axle, problem)
      first += group.length
    }
  }
  const differences = Object.fromEntries(
    Object.entries(sample).map(([of, values]) => {
      const n = values.length
      const mean = values.reduce((a, b) => a + b, 0) / n
      const s = Math.sqrt(values.reduce((all, value) => all + (value - mean) ** 2, 0) / (n - 1))
      const key = of as keyof Sample
      const counts = { n, within5: close[5][key], within10: close[10][key] }
      return [of, { ...counts, mean: n > 0 ? expect.closeTo(mean, 8) : null, s: n > 1 ? expect.closeTo(s, 8) : null }]
    }),
  )
  return { differences, leftOut, days: [...days].sort() }
}

/** By ascending days. */
function environmentOf(days: readonly string[]) {
  if (new Set(days.map((day) => day.slice(0, 7))).size >= 8) return 'III'
  const [first = '', last = ''] = [days[0], days.at(-1)]
  if (first === '') return null
  return days.length >= 5 && Date.parse(last) - Date.parse(first) >= 6 * 86_400_000 ? 'II' : 'I'
}
const zeros = { gross: 0, group: 0, singleAxle: 0, axleOfGroup: 0 }

test('figures equal a recount of generated inspections, from rows, from months, and after changes', async () => {
  const api = await testApi()
  await figureScene(api)
  await api.station(stationAt(9, 2))
  const officers = [await api.as('Inspections'), await api.as('Inspections'), await api.as('Inspections')]
  const names = new Map(officers.map(({ userId, username }) => [userId, username]))
  const user = await api.as('Stat', 'InspectionReview')
  const made = randomInspections(1_500, [...names.keys()], [7, 9])
  const ids = await storeInspections(api, made)

  const GROUPS: Record<endpoints.FigureGrouping, (one: InspectionFixture) => string> = {
    location: ({ locationId }) => (locationId === 7 ? 'S8 Test' : 'S9'),
    lane: ({ locationId, wim }) => `${locationId} ${wim?.lane ?? null}`,
    shift: ({ shift }) => shift,
    month: ({ at }) => warsawMonth(at),
    officer: ({ officerId }) => names.get(officerId ?? 0) ?? 'null',
  }
  type Group = WireOf<typeof endpoints.figures, 'response'>['groups'][number]
  const NAMES: Record<endpoints.FigureGrouping, (group: Group) => string> = {
    location: ({ location }) => location?.shortName ?? '',
    lane: ({ location, laneNumber }) => `${location?.id} ${laneNumber}`,
    shift: ({ shift }) => shift ?? '',
    month: ({ month }) => month ?? '',
    officer: ({ officer }) => officer?.username ?? 'null',
  }
  const scopes: [object, (one: InspectionFixture) => boolean][] = [
    [YEAR, () => true],
    [
      { dateTimeStart: '2026-02-11T10:00:00Z', dateTimeEnd: '2026-10-05T07:30:00Z', locations: '9' },
      ({ at, locationId }) =>
        at >= new Date('2026-02-11T10:00:00Z') && at < new Date('2026-10-05T07:30:00Z') && locationId === 9,
    ],
    [
      { dateTimeStart: '2026-03-31T22:00:00Z', dateTimeEnd: '2026-05-31T22:00:00Z', lanes: '701,902' },
      ({ at, locationId, wim }) =>
        ['2026-04', '2026-05'].includes(warsawMonth(at)) && [701, 902].includes(laneId(locationId, wim?.lane ?? 0)),
    ],
    [
      { dateTimeStart: '2026-06-03T00:00:00Z', dateTimeEnd: '2026-06-20T00:00:00Z' },
      ({ at }) => at >= new Date('2026-06-03T00:00:00Z') && at < new Date('2026-06-20T00:00:00Z'),
    ],
  ]

  async function compare(stored: readonly InspectionFixture[], when: string) {
    for (const [query, isInScope] of scopes) {
      const inScope = stored.filter(isInScope)
      for (const groupBy of endpoints.figureGroupings) {
        const { body } = await user.call(endpoints.figures, { query: { ...query, groupBy } as never })
        const about = `${when}, ${JSON.stringify(query)} by ${groupBy}`
        const groups = Object.fromEntries(body.groups.map((group) => [NAMES[groupBy](group), countsOf(group)]))
        expect(groups, about).toEqual(recountRates(inScope, GROUPS[groupBy]))
        expect(countsOf(body.total), about).toBe(recountRates(inScope, () => '')[''])
      }
      const { body: unweighed } = await user.call(endpoints.unweighed, { query: query as never })
      expect(unweighed, `${when}, ${JSON.stringify(query)}`).toEqual(recountUnweighed(inScope))
      for (const chosen of [['random', 'reference'], ['preselected'], selections]) {
        const recounted = recountPairs(inScope, chosen)
        const { body } = await user.call(endpoints.pairs, {
          query: { ...query, selections: chosen.join(), limit: 1_000 } as never,
        })
        expect(body, `${when}, ${JSON.stringify(query)} of ${chosen}`).toMatchObject({
          isBiased: chosen.includes('preselected'),
          differences: recounted.differences,
          leftOut: recounted.leftOut,
        })
        const loads = body.content.flatMap(({ pairs }) => pairs)
        if (body.next === null)
          expect(loads.length).toBe(Object.values(body.differences).reduce((sum, { n }) => sum + n, 0))
      }
      const { body } = await user.call(endpoints.accuracy, { query: query as never })
      for (const { lane, criteria, leftOut, environment } of body.lanes) {
        const ofLane = inScope.filter((one) => laneId(one.locationId, one.wim?.lane ?? 0) === lane.id)
        const recounted = recountPairs(ofLane, ['random', 'reference'])
        expect({ criteria, leftOut }).toMatchObject({ criteria: recounted.differences, leftOut: recounted.leftOut })
        expect(environment).toBe(environmentOf(recounted.days))
      }
    }
  }

  await compare(made, 'from rows')
  expect(await deriveInspectionMonths(api.db)).toBe(20)
  expect(await api.db.query(sql`select from inspection_mark`)).toEqual([])
  await compare(made, 'from months')

  // Of every fifth the scale turns out to be invalid; every seventh is deleted.
  const changed = made.map((one, at) =>
    at % 5 === 0 && one.scale ? { ...one, scale: { ...one.scale, isValid: false }, confirmed: false } : one,
  )
  const changedIds = ids.filter((_, at) => at % 5 === 0)
  await api.db.execute(sql`
    update inspection set weighing = weighing || '{"isScaleValid": false}', confirmed = false
    where id = any(${changedIds.map(String)}::bigint[]) and weighing is not null`)
  await updateFigures(api.db, changedIds)
  await deleteInspections(
    api.db,
    ids.filter((_, at) => at % 7 === 0),
  )
  const remaining = changed.filter((_, at) => at % 7 !== 0)
  await compare(remaining, 'from marked months')
  await deriveInspectionMonths(api.db)
  await compare(remaining, 'from months derived again')

  // verify finds what is wrong in rows and in months; the template is in no figure.
  await api.db.execute(sql`delete from inspection where id not in (select inspection_id from inspection_figure)`)
  expect(await verifyFigures(api.db)).toEqual([])
  const [row, other] = ids.filter((_, at) => at % 7 !== 0 && made[at]?.scale && made[at]?.wim)
  await api.db.execute(sql`update inspection_figure set is_confirmed = not is_confirmed where inspection_id = ${row}`)
  await api.db.execute(sql`update inspection_figure set wim[1] = wim[1] + 1 where inspection_id = ${other}`)
  await api.db.execute(
    sql`update inspection_month set announced = announced + 1 where month = '2026-03-01' and location_id = 9`,
  )
  await api.db.execute(
    sql`update inspection_month set refused = refused + 1 where month = '2026-05-01' and location_id = 9`,
  )
  const lost = ids.findIndex((_, at) => at % 7 !== 0 && made[at]?.wasAnnounced && !made[at]?.scale)
  await api.db.execute(sql`update inspection_figure set unweighed = 0 where inspection_id = ${ids[lost]}`)
  const [deleted] = ids.filter((id, at) => at % 7 !== 0 && ![row, other, ids[lost]].includes(id))
  await api.db.execute(sql`delete from inspection where id = ${deleted}`)
  await api.db.execute(sql`delete from inspection_difference_month where month = '2026-04-01' and location_id = 7`)
  expect(await verifyFigures(api.db)).toEqual(
    expect.arrayContaining([
      `inspection ${row}: outcome`,
      `inspection ${other}: loads`,
      `inspection ${ids[lost]}: outcome`,
      `inspection ${deleted}: outcome`,
      'station 9, 2026-03-01: outcomes',
      'station 9, 2026-05-01: outcomes',
      'station 7, 2026-04-01: differences',
    ]),
  )
})
