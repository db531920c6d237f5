import { audit } from '@rogatka/contract/activity.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { addPlate } from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { jpeg, send, sendImage } from '../ingest/testing.ts'
import { type Client, testApi, testStation } from '../testing/test-api.ts'
import { createImage, form } from '../tickets/testing.ts'
import {
  AXLES,
  addRequest,
  codesOf,
  detailsFor,
  inspectionScene,
  lorry,
  open,
  readInspection,
  SCALE,
  shownInspections,
} from './testing.ts'

const weightsWith = async (user: Client) => (await detailsFor(user)).map(({ weighing }) => weighing)

test('an inspection keeps its measurement, static weights, results and every step', async () => {
  const api = await testApi()
  const { scale, station } = await inspectionScene(api, 1)
  await sendImage(station, lorry(1), 'front', await jpeg())
  const [announcer, officer] = [
    await api.as('Inspections', 'CurrentMeasurements', 'ArchiveMeasurements'),
    await api.as('Inspections'),
  ]
  expect(await shownInspections(announcer)).toEqual([undefined, undefined])
  const added = await open(announcer, 1, { note: 'Kieruje się na wagę' })
  expect(added).toEqual({ id: added.id, number: 'K/1/2026/TES', version: 1, sign: null })
  const mark = { id: added.id, number: added.number, state: 'announced', isVisible: true }
  expect(await shownInspections(announcer)).toEqual([mark, mark])

  const { id } = added
  const at = api.clock.now.toISOString()
  const step = { params: { id } }
  // An image that arrives late is copied, too.
  await sendImage(station, lorry(1), 'rear', await jpeg(90))
  const taken = await officer.call(endpoints.takeOver, { ...step, body: { version: 1 } })
  expect(taken.body.wim?.images.map(({ type }) => type)).toEqual(['front', 'rear'])
  // So is one between two steps, at once.
  await sendImage(station, lorry(1), 'side', await jpeg(120))
  expect((await readInspection(officer, id)).wim?.images.map(({ type }) => type)).toEqual(['front', 'rear', 'side'])
  await officer.call(endpoints.weigh, { ...step, body: { version: 2, scaleId: scale.id, axles: AXLES } })
  // 41,000 kg is 2.4 % less than 42,000 kg: within the accepted difference.
  const heavier = [7_000, 11_600, 7_450, 7_450, 7_500]
  const weighed = await officer.call(endpoints.weigh, {
    ...step,
    body: { version: 3, scaleId: scale.id, axles: heavier, gross: 42_000, ctg8p1: 9 },
  })
  expect(weighed.body.static?.excesses).toEqual([
    { kind: 'gross', axles: [], load: 42_000, certain: 41_580, limit: 40_000, percent: 4 },
  ])
  const closing = {
    results: [4 as const, 5 as const],
    fineAmount: 1_500_000,
    carrier: 'Trans-Pol',
    taxId: '1234563218',
    declaration: 'Załadowano na kopalni.',
  }
  const closed = await officer.call(endpoints.close, { ...step, body: { version: 4, ...closing } })
  const person = (user: { userId: number; username: string }) => ({ id: user.userId, username: user.username })
  expect(closed.body).toMatchObject({
    ...closing,
    id,
    version: 5,
    state: 'closed',
    selection: 'preselected',
    location: { id: 7, shortName: 'S8 Test' },
    ctg8p1: 9,
    confirmed: true,
    announced: { at, by: person(announcer) },
    officer: person(officer),
    takenOverAt: at,
    weighed: { at, by: person(officer) },
    closed: { at, by: person(officer) },
    withdrawn: null,
    passedBy: null,
    shift: { day: '2026-10-20', start: '06:00' },
    note: 'Kieruje się na wagę',
    wim: {
      plateLpr: 'WX10001',
      totalLoad: 42_000,
      limitTotalLoad: 40_000,
      tolerance: { gross: 7, group: 10, singleAxle: 11, axleOfGroup: 14 },
      overload: false,
      axles: [{ limitTotalLoad: 10_000 }, { limitTotalLoad: 11_500 }, {}, {}, {}],
    },
    static: { gross: { load: 42_000, limit: 40_000 }, scale: { id: scale.id, ...SCALE }, isScaleValid: true },
  })
  expect(await readInspection(announcer, id)).toEqual(closed.body)
  expect((await shownInspections(announcer)).map((it) => [it?.state, it?.isVisible])).toEqual(
    Array(2).fill(['closed', true]),
  )
  // Closed ones are for their officers and for reviewers; the weights are for all who see the plate.
  const lists = ['CurrentMeasurements', 'ArchiveMeasurements'] as const
  const others = [
    await api.as(...lists),
    await api.as(...lists, 'Inspections'),
    await api.as(...lists, 'InspectionReview'),
  ]
  const openable = await Promise.all(
    others.map(async (user) => (await shownInspections(user)).map((it) => it?.isVisible)),
  )
  expect(openable).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ])
  const weights = { ...closed.body.static, number: added.number, at }
  expect(await weightsWith(others[0] as Client)).toEqual([weights, weights])
  const masked = await api.as(...lists, 'Inspections', 'Anonymization')
  expect(await shownInspections(masked)).toEqual(Array(2).fill({ id: null, number: null, state: 'closed' }))
  expect(await weightsWith(masked)).toEqual([undefined, undefined])

  // The measurement changes and ends; its copy stays.
  await api.db.execute(sql`delete from vehicle`)
  await api.db.execute(sql`delete from vehicle_image`)
  await api.db.execute(sql`update legal_limits set valid_from = '2099-01-01'`)
  expect(await readInspection(announcer, id)).toEqual(closed.body)
  const image = await officer.call(endpoints.passageImage, { params: { id, type: 'rear' } })
  expect(image.bytes).toEqual(await jpeg(90))

  const log = await (await api.as('UserManagement')).call(audit, {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', orderDirection: 'asc' },
  })
  const entries = log.body.content.filter(({ action }) => action.startsWith('inspection'))
  expect(entries.map(({ action, subject, user }) => [action, subject, user?.username])).toEqual(
    [
      ['inspection-announced', announcer],
      ['inspection-taken-over', officer],
      ['inspection-weighed', officer],
      ['inspection-weighed', officer],
      ['inspection-closed', officer],
    ].map(([action, user]) => [action, 'K/1/2026/TES', (user as { username: string }).username]),
  )
  expect(entries.at(-1)).toMatchObject({
    before: { state: 'weighed', carrier: null, plateLpr: 'WX10001' },
    after: { state: 'closed', carrier: 'Trans-Pol', gross: 42_000, confirmed: true },
  })
})

test('a repeated request opens one inspection, and numbers have no gaps, in two processes', async () => {
  const api = await testApi()
  const second = await testApi({}, { name: api.name, clock: api.clock })
  await inspectionScene(api, 30)
  const user = await api.as('Inspections')
  const clients = [api.client(user.token), second.client(user.token)] as const
  const add = (sequence: number, key?: string, body: object = {}) =>
    (clients[sequence % 2] as Client).call(endpoints.add, addRequest(sequence, body, key))

  const { headers: _, ...unnamed } = addRequest(1)
  expect(codesOf(await user.call(endpoints.add, unnamed))).toEqual(['Idempotency-Key required-parameter-missing'])
  expect(codesOf(await add(1, 'x'.repeat(101)))).toEqual(['Idempotency-Key invalid-value'])

  const same = await Promise.all(
    Array.from({ length: 8 }, (_, at) => (clients[at % 2] as Client).call(endpoints.add, addRequest(1, {}, 'once'))),
  )
  expect(new Set(same.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(codesOf(await add(1, 'once', { note: 'inna' }))).toEqual(['Idempotency-Key idempotency-key-reused'])
  expect(codesOf(await add(1))).toEqual(['null inspection-exists'])
  // Another user's key is another one.
  const other = await api.as('Inspections')
  expect(codesOf(await other.call(endpoints.add, addRequest(1, {}, 'once')))).toEqual(['null inspection-exists'])

  // Each vehicle is requested three times at once; two of the requests are refused.
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, at) => at + 2).flatMap((sequence) => [
      add(sequence),
      add(sequence),
      other.call(endpoints.add, addRequest(sequence)),
    ]),
  )
  const opened = all.filter(({ status }) => status === 200).map(({ body }) => body.number)
  expect(opened).toHaveLength(20)
  for (const answer of all.filter(({ status }) => status !== 200))
    expect(codesOf(answer)).toEqual(['null inspection-exists'])
  const numbers = Array.from({ length: 20 }, (_, at) => `K/${at + 2}/2026/TES`)
  expect(opened.toSorted()).toEqual(numbers.toSorted())

  // Of officers who take a vehicle over at once one wins.
  const officers = [user, other]
  const answers = await Promise.all(
    officers.map(({ token }, at) =>
      (at === 0 ? api : second).client(token).call(endpoints.add, addRequest(30, { state: 'takenOver' })),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const winner = answers.findIndex(({ status }) => status === 200)
  const taken = (answers[winner] as (typeof answers)[number]).body
  expect((await readInspection(user, taken.id)).officer?.id).toBe(officers[winner]?.userId)
  // Withdrawn, so that the vehicle may be inspected again.
  const body = { version: 1, reason: 'Awaria wagi' }
  await (officers[winner] as Client).call(endpoints.withdraw, { params: { id: taken.id }, body })
  expect((await open(officers[1 - winner] as Client, 30)).number).toBe('K/23/2026/TES')

  await api.station({ ...testStation, id: 8, shortName: 'S8 Zabrodzie' })
  const random = { vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random', locationId: 8 }
  expect((await open(user, 1, random)).number).toBe('K/1/2026/ZAB')
})

test('users of anonymised data see no plates, carriers, texts or photos, and cannot take steps', async () => {
  const api = await testApi()
  const { station, scale } = await inspectionScene(api, 1)
  await sendImage(station, lorry(1), 'front', await jpeg())
  const officer = await api.as('Inspections')
  const { id } = await open(officer, 1, { state: 'takenOver', note: 'Tajna notatka' })
  await officer.call(endpoints.addPhotos, {
    params: { id },
    ...form({}, { name: 'a.jpg', bytes: await createImage('jpeg') }),
  })
  await officer.call(endpoints.weigh, { params: { id }, body: { version: 1, scaleId: scale.id, gross: 42_000 } })
  const secrets = ['10001', 'Tajna', 'Sekretny', '1234563218', 'Zeznanie', 'Powód']
  await officer.call(endpoints.close, {
    params: { id },
    body: {
      version: 2,
      results: [2],
      carrier: 'Sekretny Przewoźnik',
      taxId: '1234563218',
      declaration: 'Zeznanie kierowcy WX 10001',
      reason: 'Powód WX 10001',
    },
  })
  const masked = await api.as('InspectionReview', 'Inspections', 'UserManagement', 'Anonymization')
  const listed = await masked.call(endpoints.list)
  expect(listed.body).toMatchObject({ totalCount: 1, content: [{ id, state: 'closed', confirmed: true }] })
  expect(listed.body.content[0]).toMatchObject({
    wim: { plateLpr: 'WX*****', totalLoad: 42_000, images: [] },
    static: { gross: { load: 42_000 } },
    carrier: null,
    taxId: null,
    declaration: null,
    note: null,
    reason: null,
    photos: [],
  })
  const one = await masked.call(endpoints.read, { params: { id } })
  const log = await masked.call(audit, {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
  })
  expect(log.body.content.filter(({ action }) => action.startsWith('inspection'))).toHaveLength(4)
  for (const answer of [listed, one, log])
    for (const secret of secrets) expect(answer.bytes.toString()).not.toContain(secret)

  const refused = [
    await masked.call(endpoints.add, addRequest(1)),
    await masked.call(endpoints.reopen, { params: { id }, body: { version: 3, reason: 'Powód' } }),
    await masked.call(endpoints.addPhotos, { params: { id }, ...form({}) }),
    await masked.call(endpoints.photoFile, { params: { id, number: 1 } }),
    await masked.call(endpoints.removePhoto, { params: { id, number: 1 } }),
    await masked.call(endpoints.passageImage, { params: { id, type: 'front' } }),
  ]
  for (const answer of refused) expect(codesOf(answer)).toEqual(['null forbidden'])
})

test('lists open and own inspections, with review all of them, by time, station, state, result and officer', async () => {
  const api = await testApi()
  await inspectionScene(api, 5)
  await api.station({ ...testStation, id: 8, shortName: 'S8 Inna' })
  const [first, second] = [await api.as('Inspections'), await api.as('Inspections')]
  const reviewer = await api.as('InspectionReview')
  const random = { vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random', locationId: 8 }
  const announced = await open(first, 1)
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  const closed = await open(first, 2, { state: 'takenOver' })
  await first.call(endpoints.close, { params: { id: closed.id }, body: { version: 1, results: [9, 11] } })
  api.clock.now = new Date(api.clock.now.getTime() + 60_000)
  const elsewhere = await open(second, 3, random)

  type Query = Parameters<typeof second.call<typeof endpoints.list>>[1]
  const found = async (user: Client, query: object = {}) => {
    const { body } = await user.call(endpoints.list, { query } as Query)
    expect(body.totalCount).toBe(body.content.length)
    return body.content.map(({ id }) => id)
  }
  expect(await found(second)).toEqual([elsewhere.id, announced.id])
  expect(await found(first)).toEqual([elsewhere.id, closed.id, announced.id])
  expect(await found(reviewer)).toEqual([elsewhere.id, closed.id, announced.id])
  expect(await found(first, { open: true })).toEqual([elsewhere.id, announced.id])
  expect(await found(reviewer, { locations: '7' })).toEqual([closed.id, announced.id])
  expect(await found(reviewer, { states: 'closed,announced' })).toEqual([closed.id, announced.id])
  expect(await found(reviewer, { results: '11,1' })).toEqual([closed.id])
  expect(await found(reviewer, { results: '10' })).toEqual([])
  expect(await found(reviewer, { officerId: second.userId })).toEqual([elsewhere.id])
  const range = { dateTimeStart: '2026-10-20T08:00:00.001Z', dateTimeEnd: '2026-10-20T08:02:00Z' }
  expect(await found(reviewer, range)).toEqual([closed.id])
  const wrong = { query: { dateTimeStart: range.dateTimeEnd, dateTimeEnd: range.dateTimeStart } }
  expect(codesOf(await reviewer.call(endpoints.list, wrong))).toEqual(['dateTimeEnd start-after-end'])
  for (const at of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00'])
    expect(codesOf(await reviewer.call(endpoints.list, { query: { dateTimeEnd: at } }))).toEqual([
      'dateTimeEnd invalid-date',
    ])
  const page = await reviewer.call(endpoints.list, { query: { page: 2, limit: 2 } })
  expect(page.body).toMatchObject({ totalCount: 3, content: [{ id: announced.id }] })
  expect(codesOf(await second.call(endpoints.read, { params: { id: closed.id } }))).toEqual([
    'null inspection-not-found',
  ])
})

test('the carrier of the latest closed inspection of a plate is proposed for its next one', async () => {
  const api = await testApi()
  const { station } = await inspectionScene(api, 1)
  await send(station, [
    lorry(2, { plateLpr: 'WGM4K281', nationality: 'PL' }),
    lorry(3, { plateLpr: 'WGM4K281', nationality: 'PL' }),
    lorry(4, { plateLpr: 'WGM4K281', nationality: 'LT' }),
  ])
  const officer = await api.as('Inspections')
  const carrierOf = async (sequence: number, user = officer) => {
    const { id } = await open(officer, sequence)
    return (await user.call(endpoints.lastCarrier, { params: { id } })).body.carrier
  }
  const { id, version } = await open(officer, 2, { state: 'takenOver' })
  const carrier = { carrier: 'Trans-Bug sp. z o.o.', taxId: '1234563218' }
  await officer.call(endpoints.close, { params: { id }, body: { version, results: [9], ...carrier } })
  expect(await carrierOf(3)).toMatchObject({ name: 'Trans-Bug sp. z o.o.', taxId: '1234563218' })
  expect(await carrierOf(4)).toBeNull()
  expect(await carrierOf(1, await api.as('Inspections', 'Anonymization'))).toBeNull()
})

test('a vehicle that was stopped at random has the plate that the officer entered, which masked users do not see', async () => {
  const api = await testApi()
  await inspectionScene(api, 1)
  const officer = await api.as('Inspections')
  const none = { vehicleId: null, createdAt: null, state: 'takenOver', selection: 'random' }
  const entered = { ...none, plateLpr: ' wgm 4k28-1 ', nationality: 'lt' }
  const { id } = await open(officer, 1, entered)
  const plate = { wim: null, plateLpr: 'WGM4K281', nationality: 'LT' }
  expect(await readInspection(officer, id)).toMatchObject(plate)
  const carrier = { carrier: 'Trans-Bug' }
  await officer.call(endpoints.close, { params: { id }, body: { version: 1, results: [9], ...carrier } })
  // Its next stop knows the carrier.
  const again = await open(officer, 1, entered)
  const last = await officer.call(endpoints.lastCarrier, { params: { id: again.id } })
  expect(last.body.carrier?.name).toBe('Trans-Bug')

  const refused = async (body: object) => codesOf(await officer.call(endpoints.add, addRequest(1, body)))
  expect(await refused({ plateLpr: 'WX1' })).toEqual(['plateLpr invalid-value'])
  expect(await refused({ nationality: 'LT' })).toEqual(['nationality invalid-value'])
  expect(await refused({ ...entered, nationality: 'L1' })).toEqual(['nationality invalid-value'])
  expect(await refused({ ...entered, plateLpr: 'X'.repeat(21) })).toEqual(['plateLpr text-too-long'])

  const masked = await api.as('InspectionReview', 'UserManagement', 'Anonymization')
  const hidden = { plateLpr: null, nationality: null }
  const listed = await masked.call(endpoints.list)
  expect(listed.body.content).toMatchObject([hidden, hidden])
  const log = await masked.call(audit, {
    query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
  })
  for (const answer of [listed, await masked.call(endpoints.read, { params: { id } }), log])
    expect(answer.bytes.toString()).not.toContain('4K281')
})

test('wanted vehicles are marked for those who see the entry, in the queue and alone', async () => {
  const api = await testApi()
  const station = await api.station()
  const owner = await api.as('Inspections', 'WantedList')
  const entry = { plateLpr: 'WX10001', typeOfList: 0 as const, description: 'Kradzież, nie zatrzymywać samemu' }
  expect((await owner.call(addPlate, { body: entry })).status).toBe(200)
  await send(station, [lorry(1), lorry(2)])
  const { id } = await open(owner, 1)
  await open(owner, 2)
  const marksOf = async (user: Client) => {
    const { content } = (await user.call(endpoints.list, { query: { open: true } as never })).body
    const listed = content.find((it) => it.id === id)?.wanted
    expect(content.find((it) => it.id !== id)?.wanted).toBeUndefined()
    expect((await readInspection(user, id)).wanted).toEqual(listed)
    return listed
  }
  expect(await marksOf(owner)).toEqual({ typeOfList: 0, description: entry.description })
  for (const others of [['Inspections'], ['Inspections', 'WantedList'], ['Inspections', 'UserManagement']] as const)
    expect(await marksOf(await api.as(...others))).toBeUndefined()
})
