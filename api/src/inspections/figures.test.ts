import * as certificates from '@rogatka/contract/certificates.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import * as figureEndpoints from '@rogatka/contract/inspections-figures.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { deriveInspectionMonths } from './figures-derive.ts'
import { verifyFigures } from './figures-verify.ts'
import { deleteInspections } from './queries.ts'
import { AXLES, codesOf, inspectionScene, lorry, open, runJob, SCALE } from './testing.ts'
import {
  countsOf,
  figureScene,
  type InspectionFixture,
  randomInspections,
  storeInspections,
  YEAR,
} from './testing-figures.ts'

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
  const figures = async (groupBy: figureEndpoints.FigureGrouping = 'lane') =>
    (await user.call(figureEndpoints.figures, { query: { ...HOURS_BEFORE, groupBy } })).body
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
  expect((await user.call(figureEndpoints.figures, { query: long })).body.groups[0]?.coverage).toBeNull()

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
  const read = async () =>
    (await user.call(figureEndpoints.pairs, { query: { ...YEAR, selections: 'preselected' } })).body
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
    (await (await api.as('Stat')).call(figureEndpoints.unweighed, { query: { ...YEAR, ...query } as never })).body
  const expected = { passedBy: 1, withdrawn: 2, refused: 1, scaleFailed: 1, other: 1, open: 1 }
  expect(await counts()).toEqual(expected)
  expect(await counts({ lanes: '701' })).toEqual(expected)
  const none = { passedBy: 0, withdrawn: 0, refused: 0, scaleFailed: 0, other: 0, open: 0 }
  for (const other of [{ locations: '99' }, { lanes: '702' }, { dateTimeEnd: '2026-10-20T07:59:58Z' }])
    expect(await counts(other)).toEqual(none)
  // They are what the announced ones lack to the weighed one.
  const { total } = (await user.call(figureEndpoints.figures, { query: YEAR })).body
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
    const { total } = (await (await api.as('Stat')).call(figureEndpoints.figures, { query: YEAR })).body
    return [states.map(({ state }) => state), marked, total.stopRate.of]
  }
  expect(await after(366)).toEqual([['closed', 'takenOver', 'weighed'], last, total.stopRate.of])
  const [instant] = await api.db.query<{ isWhole: boolean }>(sql`
    select bool_and(at = date_trunc('hour', at)) as "isWhole" from inspection_figure where is_kept`)
  expect(instant?.isWhole).toBe(true)
  expect(await after(1_827)).toEqual([[], none, 0])
  expect(await api.db.query(sql`select from inspection_figure`)).toEqual([])
})

test('a shift ends at the start of the next one; a shift that is no longer configured has no end', async () => {
  const api = await testApi({ shiftStarts: ['07:00', '19:00'] })
  const { station } = await figureScene(api)
  const officer = await api.as('Inspections')
  // 07:00 and 06:59:59 in Poland.
  await send(station, [
    { ...overloaded(11), createdAt: '2026-10-20T05:00:00Z' },
    { ...overloaded(12), createdAt: '2026-10-20T04:59:59Z' },
  ])
  const [made] = randomInspections(1, [officer.userId], [7])
  const at = new Date('2026-10-20T05:00:00Z')
  await storeInspections(
    api,
    ['19:00', '07:00', '06:00'].map((shift) => ({ ...(made as InspectionFixture), at, shift })),
  )
  const day = { dateTimeStart: '2026-10-19T22:00:00Z', dateTimeEnd: '2026-10-20T10:00:00Z' }
  const query = { ...day, groupBy: 'shift' as const }
  const { groups } = (await (await api.as('Stat')).call(figureEndpoints.figures, { query })).body
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
  const weighed = (officerId: number, confirmed: boolean): InspectionFixture => ({
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
  const { body } = await reviewer.call(figureEndpoints.figures, { query })
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
    expect(codesOf(await refused.call(figureEndpoints.figures, { query }))).toEqual(['null forbidden'])

  // Numbers lead to inspections, so that they need the right to them.
  const numbersOf = async (user: Client) =>
    (await user.call(figureEndpoints.pairs, { query: { ...YEAR, selections: 'preselected', limit: 40 } })).body
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
  const rest = await reviewer.call(figureEndpoints.pairs, {
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
    for (const endpoint of [figureEndpoints.figures, figureEndpoints.pairs, figureEndpoints.accuracy])
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
    expect((await user.call(figureEndpoints.figures, { query: range })).body).toEqual({ total: none, groups: [] })
    expect((await user.call(figureEndpoints.pairs, { query: range })).body).toMatchObject({
      differences: { gross: { n: 0, mean: null, s: null, within5: 0, within10: 0 } },
      leftOut: { selection: 0, notWeighed: 0 },
      content: [],
      next: null,
    })
    const { lanes } = (await user.call(figureEndpoints.accuracy, { query: range })).body
    expect(lanes.map(({ earned, environment }) => [earned, environment])).toEqual(
      'locations' in range ? [] : [[null, null]],
    )
  }
  const reversed = { dateTimeStart: YEAR.dateTimeEnd, dateTimeEnd: YEAR.dateTimeStart }
  for (const endpoint of [figureEndpoints.figures, figureEndpoints.pairs, figureEndpoints.accuracy]) {
    expect(codesOf(await user.call(endpoint, { query: reversed }))).toEqual(['dateTimeStart start-after-end'])
    expect((await user.call(endpoint)).status).toBe(400)
  }
  const query = { ...YEAR, selections: 'chosen' } as never
  expect(codesOf(await user.call(figureEndpoints.pairs, { query }))[0]).toMatch(/^selections/)
})
