import { laneId } from '@rogatka/contract/calibration.ts'
import * as certificates from '@rogatka/contract/certificates.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { selections } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { stationAt } from '../statistics/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { updateFigures } from './figure-row-queries.ts'
import { deriveInspectionMonths } from './figures-derive.ts'
import { verifyFigures } from './figures-verify.ts'
import { deleteInspections } from './queries.ts'
import { AXLES, codesOf, inspectionScene, lorry, open, runJob, SCALE } from './testing.ts'
import { anyInspections, figureScene, type Made, storeInspections } from './testing-figures.ts'

type Rates = WireOf<typeof endpoints.figures, 'response'>['total']

const YEAR = { dateTimeStart: '2026-01-01T00:00:00Z', dateTimeEnd: '2027-01-01T00:00:00Z' }

/** Part and whole of each rate. */
const countsOf = ({ hitRate, stopRate, missedRate }: Rates) =>
  [hitRate, stopRate, missedRate].map(({ part, of }) => `${part}/${of}`).join(' ')

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
function recountRates(made: readonly Made[], groupOf: (one: Made) => string): Record<string, string> {
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
function recountUnweighed(made: readonly Made[]): endpoints.Unweighed {
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
function recountPairs(made: readonly Made[], chosen: readonly string[]) {
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
    for (const group of scale.groups) {
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
  const made = anyInspections(1_500, [...names.keys()], [7, 9])
  const ids = await storeInspections(api, made)

  const GROUPS: Record<endpoints.FigureGrouping, (one: Made) => string> = {
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
  const scopes: [object, (one: Made) => boolean][] = [
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

  async function compare(stored: readonly Made[], when: string) {
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

/** Weighs two values around a mean so that the sample has this mean and standard deviation. */
function sampleOf(n: number, mean: number, s: number): { wim: number; scale: number }[] {
  const spread = s * Math.sqrt((n - 1) / n)
  return Array.from({ length: n }, (_, at) => {
    const difference = mean + (at % 2 === 0 ? spread : -spread)
    // The static load at which the WIM load is nearest to whole kg.
    let best = { wim: 0, scale: 0, error: Infinity }
    for (let scale = 12_000; scale < 18_000; scale++) {
      const exact = scale * (1 + difference / 100)
      const error = Math.abs(Math.round(exact) - exact) / scale
      if (error < best.error) best = { wim: Math.round(exact), scale, error }
    }
    return best
  })
}

/** The published example: 60 vehicles with 58 groups, 124 single axles and 170 axles of groups. */
function exampleOfAccuracy(days: readonly string[]): Made[] {
  const [gross, group, single, ofGroup] = [
    sampleOf(60, -1.42, 3.05),
    sampleOf(58, 0.85, 4.6),
    sampleOf(124, -2.1, 4.95),
    sampleOf(170, 0.4, 6.35),
  ]
  return gross.map((total, at) => {
    const groups = at < 54 ? [1, 1, 3] : at < 58 ? [1, 1, 2] : [1, 1, 1, 1]
    const loads = groups.map((axles) =>
      axles === 1
        ? { sum: null, axles: single.splice(0, 1) }
        : { sum: group.splice(0, 1)[0], axles: ofGroup.splice(0, axles) },
    )
    const side = (of: 'wim' | 'scale') => loads.map(({ axles }) => axles.map((axle) => axle[of]))
    const sums = (of: 'wim' | 'scale') => loads.map(({ sum, axles }) => sum?.[of] ?? (axles[0]?.[of] as number))
    return {
      at: new Date(`${days[at % days.length]}T10:00:00Z`),
      locationId: 7,
      wim: { lane: 1, gross: total.wim, groups: side('wim'), sums: sums('wim'), flagged: false },
      selection: at % 2 === 0 ? 'random' : 'reference',
      wasAnnounced: false,
      officerId: null,
      shift: '06:00',
      scale: { gross: total.scale, groups: side('scale'), sums: sums('scale'), isValid: true },
      confirmed: false,
    }
  })
}

test('the published example gives the class of the lane, beside the configured one and its certificate', async () => {
  const api = await testApi()
  await figureScene(api)
  const ids = await storeInspections(api, exampleOfAccuracy(['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15']))
  const user = await api.as('Stat')
  const lanesOf = async (query: object = {}) =>
    (await user.call(endpoints.accuracy, { query: { ...YEAR, ...query } as never })).body
  const { lanes, isBiased } = await lanesOf()
  const about = (
    n: number,
    mean: number,
    s: number,
    required: number,
    smallestTolerance: number,
    confidence: number,
  ) => ({
    n,
    mean: expect.closeTo(mean, 4),
    s: expect.closeTo(s, 4),
    required: expect.closeTo(required, 3),
    smallestTolerance: expect.closeTo(smallestTolerance, 3),
    confidence: expect.closeTo(confidence, 3),
  })
  const missing = { certificate: null, expiry: { lastDay: null, days: null, warning: null } }
  expect(isBiased).toBe(false)
  // The second lane has neither scale nor pairs.
  expect(lanes).toMatchObject([
    {
      lane: { id: 701, laneNumber: 1 },
      configured: 'B+(7)',
      earned: 'B+(7)',
      isWorse: false,
      environment: 'I',
      criteria: {
        gross: about(60, -1.42, 3.05, 91.843, 6.723, 93.169),
        group: about(58, 0.85, 4.6, 91.762, 9.476, 93.486),
        singleAxle: about(124, -2.1, 4.95, 93.158, 10.737, 93.866),
        axleOfGroup: about(170, 0.4, 6.35, 93.548, 12.8, 95.802),
      },
      ...missing,
    },
  ])

  const certifier = await api.as('ScaleCertificates')
  const certify = (validFrom: string, validUntil: string) =>
    certifier.call(certificates.addCertificate, {
      body: { lane: 701, number: `OUM/${validUntil}`, authority: 'OUM', kind: 'initial', validFrom, validUntil },
    })
  expect((await certify('2026-01-01', '2026-10-19')).status).toBe(200)
  expect((await lanesOf()).lanes[0]).toMatchObject({
    certificate: null,
    expiry: { lastDay: null, warning: 'ended', endedOn: '2026-10-19' },
  })
  expect((await certify('2026-10-20', '2026-11-15')).status).toBe(200)
  expect((await lanesOf()).lanes[0]).toMatchObject({
    certificate: { number: 'OUM/2026-11-15', validUntil: '2026-11-15' },
    expiry: { lastDay: '2026-11-15', days: 26, warning: 'days30', endedOn: null },
  })

  // A narrower class was configured; preselected ones bias the mean.
  await api.db.execute(sql`update lane set accuracy_class = 'A(5)' where location_id = 7 and lane_number = 1`)
  expect((await lanesOf({ selections: 'preselected,random,reference' })).isBiased).toBe(true)
  expect((await lanesOf()).lanes[0]).toMatchObject({ configured: 'A(5)', earned: 'B+(7)', isWorse: true })

  // Without axles of groups, and with few vehicles.
  await deleteInspections(api.db, ids.slice(9))
  expect((await lanesOf()).lanes[0]).toMatchObject({
    earned: null,
    isWorse: false,
    environment: 'I',
    criteria: { gross: { n: 9, required: null, confidence: null, earned: null } },
  })
})

const HOURS_BEFORE = { dateTimeStart: '2026-10-20T06:00:00Z', dateTimeEnd: '2026-10-20T10:00:00Z' }

/** A lorry that is overloaded for sure. */
const overloaded = (sequence: number, laneNumber = 1) =>
  lorry(sequence, {
    laneNumber,
    axles: [0, 374, 562, 131, 131].map((gap) => ({ leftWeight: 6_000, rightWeight: 6_000, gap })),
  })

test('figures follow the steps of inspections at once, and coverage the flagged detections', async () => {
  const api = await testApi()
  const { station, scale } = await inspectionScene(api, 2)
  await send(station, [overloaded(11), overloaded(12), overloaded(13), overloaded(14)])
  const [officer, reviewer] = [await api.as('Inspections'), await api.as('InspectionReview')]
  const user = await api.as('Stat')
  const figures = async (groupBy: endpoints.FigureGrouping = 'lane') =>
    (await user.call(endpoints.figures, { query: { ...HOURS_BEFORE, groupBy } })).body
  const countsOfTotal = async () => {
    const { total } = await figures()
    return `${countsOf(total)} ${total.coverage?.part}/${total.coverage?.of}`
  }
  expect(await countsOfTotal()).toBe('0/0 0/0 0/0 0/4')

  const announced = await open(officer, 11)
  await open(officer, 12)
  expect(await countsOfTotal()).toBe('0/0 0/2 0/0 0/4')
  const params = { id: announced.id }
  const taken = await officer.call(endpoints.takeOver, { params, body: { version: announced.version } })
  expect(await countsOfTotal()).toBe('0/0 1/2 0/0 1/4')
  const weigh = async (version: number, gross: number, scaleId = scale.id) =>
    (await officer.call(endpoints.weigh, { params, body: { version, scaleId, gross } })).body
  const weighed = await weigh(taken.body.version, 40_300)
  expect(await countsOfTotal()).toBe('0/1 1/2 0/0 1/4')
  const corrected = await weigh(weighed.version, 42_000)
  expect(await countsOfTotal()).toBe('1/1 1/2 0/0 1/4')
  const closed = await officer.call(endpoints.close, { params, body: { version: corrected.version, results: [3] } })
  expect(await countsOfTotal()).toBe('1/1 1/2 0/0 1/4')

  // Stopped at random: with a detection that was not flagged, and without one, taken over at once.
  const random = { state: 'takenOver', selection: 'random' }
  const missed = await open(officer, 1, random)
  await officer.call(endpoints.weigh, {
    params: { id: missed.id },
    body: { version: missed.version, scaleId: scale.id, axles: AXLES },
  })
  await open(officer, 0, { ...random, vehicleId: null, createdAt: null })
  expect(await countsOfTotal()).toBe('1/1 1/2 0/1 1/4')
  const lanes = (await figures()).groups
  expect(lanes.map(({ laneNumber, coverage }) => `${laneNumber} ${coverage?.part}/${coverage?.of}`)).toEqual([
    '1 1/4',
    'null 0/0',
  ])
  // 08:00 UTC is 10:00 in Warsaw; under 10 there is no percentage.
  const [shift, ...others] = (await figures('shift')).groups
  expect([shift?.shift, shift?.coverage?.of, shift?.hitRate, others]).toEqual([
    '06:00',
    4,
    { part: 1, of: 1, percent: null, low: null, high: null },
    [],
  ])
  const long = { ...YEAR, groupBy: 'shift' as const }
  expect((await user.call(endpoints.figures, { query: long })).body.groups[0]?.coverage).toBeNull()

  // Reopened, weighed on a scale that is no longer valid, and deleted at the end of its retention.
  const { body: reopened } = await reviewer.call(endpoints.reopen, {
    params,
    body: { version: closed.body.version, reason: 'Inna waga' },
  })
  const certifier = await api.as('ScaleCertificates')
  const ended = { ...SCALE, name: 'Stara', validUntil: '2026-10-19' }
  const { body: invalid } = await certifier.call(certificates.addScale, { body: ended })
  await weigh(reopened.version, 42_000, invalid.id)
  expect(await countsOfTotal()).toBe('0/1 1/2 0/1 1/4')
  const read = async () => (await user.call(endpoints.pairs, { query: { ...YEAR, selections: 'preselected' } })).body
  expect(await read()).toMatchObject({ isBiased: true, leftOut: { scaleNotValid: 1, selection: 7 } })
  await deriveInspectionMonths(api.db)
  await deleteInspections(api.db, [announced.id])
  expect(await countsOfTotal()).toBe('0/0 0/1 0/1 0/4')
  expect((await read()).leftOut.scaleNotValid).toBe(0)
})

test('announced inspections without a weighing are counted by reason, also after their deletion', async () => {
  const api = await testApi()
  const { scale } = await inspectionScene(api, 9)
  const officer = await api.as('Inspections')
  const user = await api.as('Stat')
  const announce = async (sequence: number) => {
    const { id, version } = await open(officer, sequence)
    return { params: { id }, version }
  }
  const take = async (sequence: number) => {
    const { params, version } = await announce(sequence)
    return { params, version: (await officer.call(endpoints.takeOver, { params, body: { version } })).body.version }
  }
  const close = async (sequence: number, results: endpoints.InspectionResult[]) => {
    const { params, version } = await take(sequence)
    expect((await officer.call(endpoints.close, { params, body: { version, results } })).status).toBe(200)
    return params
  }
  const passed = await announce(1)
  await officer.call(endpoints.passBy, { params: passed.params, body: { version: passed.version } })
  const early = await announce(2)
  const late = await take(3)
  for (const { params, version } of [early, late])
    await officer.call(endpoints.withdraw, { params, body: { version, reason: 'Pilne wezwanie' } })
  const refused = await close(4, [9, 10])
  await close(5, [10, 11])
  await close(6, [11])
  await announce(7)
  const weighed = await take(8)
  await officer.call(endpoints.weigh, {
    params: weighed.params,
    body: { version: weighed.version, scaleId: scale.id, axles: AXLES },
  })
  // Not announced.
  await open(officer, 9, { state: 'takenOver', selection: 'random' })

  const counts = async (query: object = {}) =>
    (await (await api.as('Stat')).call(endpoints.unweighed, { query: { ...YEAR, ...query } as never })).body
  const expected = { passedBy: 1, withdrawn: 2, refused: 1, scaleFailed: 1, other: 1, open: 1 }
  expect(await counts()).toEqual(expected)
  expect(await counts({ lanes: '701' })).toEqual(expected)
  const none = { passedBy: 0, withdrawn: 0, refused: 0, scaleFailed: 0, other: 0, open: 0 }
  for (const other of [{ locations: '99' }, { lanes: '702' }, { dateTimeEnd: '2026-10-20T07:59:58Z' }])
    expect(await counts(other)).toEqual(none)
  // They are what the announced ones lack to the weighed one.
  const { total } = (await user.call(endpoints.figures, { query: YEAR })).body
  expect(total.stopRate.of).toBe(Object.values(expected).reduce((sum, count) => sum + count, 1))

  // From the month, and after a change.
  await deriveInspectionMonths(api.db)
  expect(await counts()).toEqual(expected)
  const reviewer = await api.as('InspectionReview')
  await reviewer.call(endpoints.reopen, { params: refused, body: { version: 3, reason: 'Zgodził się' } })
  expect(await counts()).toEqual({ ...expected, refused: 0, open: 2 })
  // Nobody took it over.
  api.clock.now = new Date('2026-10-20T10:00:00Z')
  await runJob(api, 'pass-inspections')
  const last = { ...expected, passedBy: 2, refused: 0 }
  expect(await counts()).toEqual(last)

  const day = 24 * 3_600_000
  const after = async (days: number) => {
    api.clock.now = new Date(Date.parse('2026-10-20T10:00:00Z') + days * day)
    await runJob(api, 'delete-inspections')
    const states = await api.db.query<{ state: string }>(sql`select distinct state from inspection order by state`)
    const marked = await counts()
    await deriveInspectionMonths(api.db)
    expect(await counts()).toEqual(marked)
    // From whole hours on also by the rows.
    expect(await counts({ dateTimeStart: '2026-10-20T07:00:00Z' })).toEqual(marked)
    expect(await verifyFigures(api.db)).toEqual([])
    const { total } = (await (await api.as('Stat')).call(endpoints.figures, { query: YEAR })).body
    return [states.map(({ state }) => state), marked, total.stopRate.of]
  }
  expect(await after(366)).toEqual([['closed', 'takenOver', 'weighed'], last, total.stopRate.of])
  const [instant] = await api.db.query<{ isWhole: boolean }>(sql`
    select bool_and(at = date_trunc('hour', at)) as "isWhole" from inspection_figure where is_kept`)
  expect(instant?.isWhole).toBe(true)
  expect(await after(1_827)).toEqual([[], none, 0])
  expect(await api.db.query(sql`select from inspection_figure`)).toEqual([])
})

test('shifts are from their start to the next one; one of former times has no end', async () => {
  const api = await testApi({ shiftStarts: ['07:00', '19:00'] })
  const { station } = await figureScene(api)
  const officer = await api.as('Inspections')
  // 07:00 and 06:59:59 in Poland.
  await send(station, [
    { ...overloaded(11), createdAt: '2026-10-20T05:00:00Z' },
    { ...overloaded(12), createdAt: '2026-10-20T04:59:59Z' },
  ])
  const [made] = anyInspections(1, [officer.userId], [7])
  const at = new Date('2026-10-20T05:00:00Z')
  await storeInspections(
    api,
    ['19:00', '07:00', '06:00'].map((shift) => ({ ...(made as Made), at, shift })),
  )
  const day = { dateTimeStart: '2026-10-19T22:00:00Z', dateTimeEnd: '2026-10-20T10:00:00Z' }
  const query = { ...day, groupBy: 'shift' as const }
  const { groups } = (await (await api.as('Stat')).call(endpoints.figures, { query })).body
  expect(groups.map(({ shift, shiftEnd, coverage }) => [shift, shiftEnd, coverage?.of])).toEqual([
    ['06:00', null, 0],
    ['07:00', '19:00', 1],
    ['19:00', '07:00', 1],
  ])
})

test('by officer only with review and without masking; a percentage from 30 weighings', async () => {
  const api = await testApi()
  await figureScene(api)
  const officers = [await api.as('Inspections'), await api.as('Inspections')]
  const [first, second] = officers.map(({ userId }) => userId) as [number, number]
  const weighed = (officerId: number, confirmed: boolean): Made => ({
    at: new Date('2026-10-19T10:00:00Z'),
    locationId: 7,
    wim: { lane: 1, gross: 42_000, groups: [[20_000], [22_000]], flagged: true },
    selection: 'preselected',
    wasAnnounced: true,
    officerId,
    shift: '06:00',
    scale: { gross: 41_000, groups: [[20_000], [21_000]], isValid: true },
    confirmed,
  })
  // The first has the lower rate.
  await storeInspections(api, [
    ...Array.from({ length: 30 }, (_, at) => weighed(first, at < 20)),
    ...Array.from({ length: 29 }, () => weighed(second, true)),
  ])
  const query = { ...YEAR, groupBy: 'officer' as const }
  const reviewer = await api.as('Stat', 'InspectionReview')
  const { body } = await reviewer.call(endpoints.figures, { query })
  const rates = Object.fromEntries(body.groups.map(({ officer, hitRate }) => [officer?.username, hitRate]))
  expect(rates).toEqual({
    [officers[0]?.username ?? '']: { part: 20, of: 30, percent: 66.7, low: 48.8, high: 80.8 },
    [officers[1]?.username ?? '']: { part: 29, of: 29, percent: null, low: null, high: null },
  })
  const usernames = body.groups.map(({ officer }) => officer?.username ?? '')
  expect(usernames).toEqual(usernames.toSorted((a, b) => a.localeCompare(b, 'pl', { numeric: true })))
  expect(body.groups.map(({ coverage }) => coverage)).toEqual([null, null])

  const masked = await api.as('Stat', 'Inspections', 'InspectionReview', 'Anonymization')
  for (const refused of [await api.as('Stat'), await api.as('InspectionReview'), masked])
    expect(codesOf(await refused.call(endpoints.figures, { query }))).toEqual(['null forbidden'])

  // Numbers lead to inspections, so that they need the right to them.
  const numbersOf = async (user: Client) =>
    (await user.call(endpoints.pairs, { query: { ...YEAR, selections: 'preselected', limit: 40 } })).body
  const page = await numbersOf(reviewer)
  expect(page.content).toHaveLength(40)
  expect(page.content[0]).toMatchObject({
    at: '2026-10-19T10:00:00.000Z',
    inspection: { number: 'K/60/2026/GEN' },
    pairs: [
      { criterion: 'gross', wim: 42_000, static: 41_000 },
      { criterion: 'singleAxle', wim: 20_000, static: 20_000 },
      { criterion: 'singleAxle', wim: 22_000, static: 21_000 },
    ],
  })
  const rest = await reviewer.call(endpoints.pairs, {
    query: { ...YEAR, selections: 'preselected', limit: 40, after: page.next as number },
  })
  expect([rest.body.content.length, rest.body.next]).toEqual([19, null])
  const ids = [...page.content, ...rest.body.content].map(({ inspection }) => inspection?.id)
  expect(new Set(ids).size).toBe(59)
  for (const user of [await api.as('Stat'), masked]) {
    const { content, differences } = await numbersOf(user)
    expect(content.map(({ inspection }) => inspection)).toEqual(Array(40).fill(null))
    expect(differences).toEqual(page.differences)
  }
  for (const { username } of officers)
    for (const endpoint of [endpoints.figures, endpoints.pairs, endpoints.accuracy])
      expect((await masked.call(endpoint, { query: YEAR })).bytes.toString()).not.toContain(username)
})

test('an empty range has no rates, pairs or classes; a reversed one is refused', async () => {
  const api = await testApi()
  await figureScene(api)
  const user = await api.as('Stat')
  const nothing = { part: 0, of: 0, percent: null, low: null, high: null }
  const none = { hitRate: nothing, stopRate: nothing, coverage: nothing, missedRate: nothing }
  const at = '2026-10-20T08:00:00Z'
  for (const range of [
    { dateTimeStart: at, dateTimeEnd: at },
    { dateTimeStart: '2020-01-01T00:00:00Z', dateTimeEnd: '2021-01-01T00:00:00Z' },
    { ...YEAR, locations: '99' },
  ]) {
    expect((await user.call(endpoints.figures, { query: range })).body).toEqual({ total: none, groups: [] })
    expect((await user.call(endpoints.pairs, { query: range })).body).toMatchObject({
      differences: { gross: { n: 0, mean: null, s: null, within5: 0, within10: 0 } },
      leftOut: { selection: 0, notWeighed: 0 },
      content: [],
      next: null,
    })
    const { lanes } = (await user.call(endpoints.accuracy, { query: range })).body
    expect(lanes.map(({ earned, environment }) => [earned, environment])).toEqual(
      'locations' in range ? [] : [[null, null]],
    )
  }
  const reversed = { dateTimeStart: YEAR.dateTimeEnd, dateTimeEnd: YEAR.dateTimeStart }
  for (const endpoint of [endpoints.figures, endpoints.pairs, endpoints.accuracy]) {
    expect(codesOf(await user.call(endpoint, { query: reversed }))).toEqual(['dateTimeStart start-after-end'])
    expect((await user.call(endpoint)).status).toBe(400)
  }
  const query = { ...YEAR, selections: 'chosen' } as never
  expect(codesOf(await user.call(endpoints.pairs, { query }))[0]).toMatch(/^selections/)
})
