import { acknowledge, shelve } from '@rogatka/contract/alarms.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import { report } from '@rogatka/contract/shifts.ts'
import { add as addTicket, change as changeTicket } from '@rogatka/contract/tickets.ts'
import { enableVariant, showPlate } from '@rogatka/contract/vms.ts'
import { addPlate, closeHit, latestHits, takeHit } from '@rogatka/contract/wanted.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, errorCodes, send } from '../ingest/testing.ts'
import { inspectionScene, open } from '../inspections/testing.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { trailOf } from '../testing/trail.ts'
import { testSigns } from '../vms/testing.ts'

/** Sets the clock; the users have stayed signed in. */
async function setClock(api: TestApi, at: string | Date): Promise<void> {
  api.clock.now = new Date(at)
  const { now } = api.clock
  await api.db.execute(sql`update session set created_at = ${now}::timestamptz, last_seen_at = ${now}::timestamptz`)
  api.app.api.sessions.clearCache()
}

const shiftOf = async (user: Client, at?: string) => (await user.call(report, { query: at ? { at } : {} })).body

/** The shifts of a day in Polish time, by the clock on the wall: independent of the rules for ranges. */
const wall = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Warsaw', dateStyle: 'short', timeStyle: 'short' })
const isIn = (at: Date | null, day: string, hours: readonly [from: string, to: string]): boolean => {
  if (!at) return false
  const [date, time = ''] = wall.format(at).split(', ')
  return date === day && time >= hours[0] && time < hours[1]
}
const MORNING = ['20/10/2026', ['06:00', '14:00']] as const
const AFTERNOON = ['20/10/2026', ['14:00', '22:00']] as const

test('names who took each wanted vehicle of the shift that it was measured in, and those that nobody took', async () => {
  const api = await testApi()
  const owner = await api.as('BlackList')
  const manager = await api.as('WantedList', 'UserManagement')
  const stranger = await api.as('BlackList')
  const anonymous = await api.as('WantedList', 'UserManagement', 'Anonymization')
  const clerk = await api.as('Tickets')
  const station = await api.station()
  const add = async (user: Client, plateLpr: string) =>
    (await user.call(addPlate, { body: { plateLpr, typeOfList: 0, description: `Kradzież ${plateLpr}` } })).status
  for (const plate of ['WX1', 'WX2', 'WX3', 'WX4', 'WX5']) expect(await add(owner, plate)).toBe(200)
  expect(await add(manager, 'WX1')).toBe(200)

  const passes = async (sequence: number, plateLpr: string, createdAt: string, delaySeconds = 2, speed = 90) => {
    await setClock(api, new Date(Date.parse(createdAt) + delaySeconds * 1_000))
    expect((await send(station, [car(sequence, { plateLpr, createdAt, speed })])).body.accepted).toBe(1)
    return { params: { id: vehicleId(7, sequence) }, query: { createdAt } }
  }
  const taken = await passes(1, 'WX1', '2026-10-20T04:00:00.000Z')
  await setClock(api, '2026-10-20T04:00:31Z')
  expect((await owner.call(takeHit, { ...taken, body: {} })).status).toBe(200)
  const misread = await passes(2, 'WX2', '2026-10-20T08:00:00.000Z')
  expect((await manager.call(takeHit, { ...misread, body: {} })).status).toBe(200)
  expect((await manager.call(closeHit, { ...misread, body: { reason: 'misread' } })).status).toBe(200)
  // The station was offline: nobody could take it. At 4 km/h it needs 75 minutes to the checkpoint.
  await passes(6, 'WX3', '2026-10-20T10:00:00.000Z', 3_601, 4)
  expect((await shiftOf(owner)).hits?.counts).toMatchObject({ approaching: 0, late: 1 })
  await passes(3, 'WX3', '2026-10-20T11:50:00.000Z')
  // The last and the first millisecond of two shifts. At 90 km/h the checkpoint is 200 s away.
  await passes(4, 'WX4', '2026-10-20T11:59:59.999Z')
  await passes(5, 'WX5', '2026-10-20T12:00:00.000Z')

  const before = await shiftOf(manager, '2026-10-20T11:59:59.999Z')
  expect(before).toMatchObject({
    from: '2026-10-20T04:00:00.000Z',
    to: '2026-10-20T12:00:00.000Z',
    previous: '2026-10-19T20:00:00.000Z',
    next: '2026-10-20T12:00:00.000Z',
    asOf: '2026-10-20T12:00:00.000Z',
    alarms: null,
    tickets: null,
    commands: null,
    inspections: null,
  })
  const rows = before.hits?.content.map(({ id, outcome, taken, closed }) => [
    id,
    outcome,
    taken?.by.username,
    closed?.reason,
  ])
  expect(rows).toEqual([
    [vehicleId(7, 4), 'approaching', undefined, undefined],
    [vehicleId(7, 3), 'untaken', undefined, undefined],
    [vehicleId(7, 6), 'late', undefined, undefined],
    [vehicleId(7, 2), 'false', manager.username, 'misread'],
    [vehicleId(7, 1), 'taken', owner.username, undefined],
  ])
  expect(before.hits).toMatchObject({
    totalCount: 5,
    counts: { approaching: 1, untaken: 1, late: 1, taken: 1, closed: 0, false: 1 },
  })
  const last = before.hits?.content.at(-1)
  expect(last?.taken).toEqual({
    by: { id: owner.userId, username: owner.username },
    at: '2026-10-20T04:00:31.000Z',
  })
  expect(last?.entries.map(({ description }) => description)).toEqual(['Kradzież WX1', 'Kradzież WX1'])
  expect(last?.checkpointTime).toBe('2026-10-20T04:03:20.000Z')
  const after = await shiftOf(manager)
  expect(after).toMatchObject({ from: '2026-10-20T12:00:00.000Z', next: null, asOf: api.clock.now.toISOString() })
  expect(after.hits?.content.map(({ id }) => id)).toEqual([vehicleId(7, 5)])
  // The list of hits agrees; these are open until the end of their shift, at least for an hour.
  const listed = (await owner.call(latestHits)).body.content.map(({ id, outcome }) => [id, outcome])
  expect(listed).toEqual([
    [vehicleId(7, 5), 'open'],
    [vehicleId(7, 4), 'open'],
    [vehicleId(7, 3), 'open'],
    [vehicleId(7, 6), 'late'],
    [vehicleId(7, 2), 'false'],
    [vehicleId(7, 1), 'taken'],
  ])
  // Once they have passed.
  await setClock(api, '2026-10-20T12:03:20Z')
  expect((await shiftOf(manager)).hits?.counts).toMatchObject({ approaching: 0, untaken: 1 })

  // Of the same vehicle each sees only own entries; nobody learns of others' hits, and anonymised users of no plate.
  const ofOwner = (await shiftOf(owner, before.from)).hits
  expect(ofOwner?.content.at(-1)?.entries).toHaveLength(1)
  expect(ofOwner?.totalCount).toBe(5)
  expect((await shiftOf(stranger, before.from)).hits).toMatchObject({ content: [], totalCount: 0 })
  expect(await shiftOf(clerk, before.from)).toMatchObject({ hits: null, tickets: { content: [] } })
  const masked = await shiftOf(anonymous, before.from)
  expect(masked.hits?.totalCount).toBe(5)
  expect(JSON.stringify(masked)).not.toMatch(/WX\s?[1-5]/)
  const lines = (await trailOf(api)).filter(({ call }) => call === 'GET /shifts/report')
  // Each vehicle as it was read, and as it is wanted.
  expect(lines.map(({ userId, kind, plates }) => [userId, kind, plates])).toContainEqual([owner.userId, 'shift', 10])
  expect(lines.map(({ userId }) => userId)).not.toContain(anonymous.userId)
})

/** Alarms that the portal raised itself. */
const ownAlarms = (api: TestApi) =>
  api.db.query<{ kind: string; priority: string; raisedAt: Date; isMissed: boolean; closedAt: Date | null }>(sql`
  select kind, priority, raised_at as "raisedAt", is_missed as "isMissed", closed_at as "closedAt"
  from alarm where subject not like 'a%'`)

test('counts alarms, tickets, commands and inspections of two shifts as their records do', async () => {
  const api = await testApi()
  const operator = await api.as('CurrentMeasurements', 'AlarmShelving', 'Tickets', 'Vms', 'Inspections')
  const reviewer = await api.as('InspectionReview', 'Vms', 'Tickets', 'UsersAdmin')
  const officer = await api.as('Inspections')
  const anonymous = await api.as('CurrentMeasurements', 'Vms', 'InspectionReview', 'Anonymization')
  const { groupId } = await testSigns(api)
  const { station } = await inspectionScene(api, 3)

  // At 10:00 in Poland: a lorry is announced and called on the sign, another taken over by the reviewer and closed.
  await send(station, [car(9, { plateLpr: 'WGM4K281' })])
  const shown = { params: { id: vehicleId(7, 9) }, query: { locationId: 7, createdAt: car(9).createdAt } }
  expect((await operator.call(enableVariant, { params: { groupId, variantId: 2 } })).status).toBe(200)
  expect((await operator.call(showPlate, shown)).status).toBe(200)
  const announced = await open(operator, 1)
  const closed = await open(operator, 2)
  const withdrawn = await open(officer, 3)
  const step = (id: number) => ({ params: { id } })
  await reviewer.call(inspections.takeOver, { ...step(closed.id), body: { version: closed.version } })
  await setClock(api, '2026-10-20T09:00:00Z')
  await operator.call(inspections.passBy, { ...step(announced.id), body: { version: announced.version } })
  const reason = 'Pilne wezwanie'
  await officer.call(inspections.withdraw, { ...step(withdrawn.id), body: { version: withdrawn.version, reason } })
  const first = (await operator.call(addTicket, { body: { title: 'Kamera', description: 'Brak zdjęć' } as never })).body

  // Raised through the day; their causes have gone, so that they stay as long as nobody acknowledges them.
  const random = seededRandom(15)
  const alarms = Array.from({ length: 60 }, (_, at) => ({
    kind: at % 4 === 0 ? ('overload' as const) : ('lane-silent' as const),
    priority: random.pick(['high', 'medium', 'low'] as const),
    // Whole half hours, so that some are raised as a shift begins.
    raisedAt: new Date(Date.parse('2026-10-20T00:00:00Z') + random.below(40) * 1_800_000),
    isMissed: at % 4 === 0 && random.happens(0.5),
    closedAt: null as Date | null,
  }))
  for (const [at, { kind, priority, raisedAt, isMissed }] of alarms.entries())
    await api.db.execute(sql`
      insert into alarm (kind, priority, subject, location_id, raised_at, raised_times, cleared_at, is_missed, shelf_reason)
      values (${kind}, ${priority}, ${`a${at}`}, 7, ${raisedAt}::timestamptz, array[${raisedAt}::timestamptz],
              ${new Date(raisedAt.getTime() + 60_000)}::timestamptz, ${isMissed}, null)`)
  const ids = (await api.db.query<{ id: number }>(sql`select id from alarm where subject like 'a%' order by id`)).map(
    ({ id }) => id,
  )
  const act = async (at: number, when: string, ofAlarm: (id: number) => Promise<unknown>) => {
    await setClock(api, when)
    await ofAlarm(ids[at] as number)
  }
  const raised = (time: string) =>
    alarms.flatMap(({ raisedAt, kind }, at) => (raisedAt < new Date(time) && kind !== 'overload' ? at : []))
  const seen = async (at: number, when: string) => {
    await act(at, when, async (id) => expect((await operator.call(acknowledge, { params: { id } })).status).toBe(200))
    // What is cleared leaves the list as it is acknowledged.
    ;(alarms[at] as (typeof alarms)[0]).closedAt = new Date(when)
  }
  const [a = 0, b = 0, c = 0, d = 0] = raised('2026-10-20T08:30:00Z')
  await seen(a, '2026-10-20T11:59:59.999Z')
  const until = '2026-10-20T15:00:00.000Z'
  await act(d, '2026-10-20T11:59:59.999Z', async (id) => {
    const body = { until, reason: 'Serwis, WGM4K281' }
    expect((await operator.call(shelve, { params: { id }, body })).status).toBe(204)
  })
  await seen(b, '2026-10-20T12:00:00.000Z')
  await seen(c, '2026-10-20T12:30:00.000Z')
  const closing = { version: 2, results: [9 as const], reason }
  expect((await reviewer.call(inspections.close, { ...step(closed.id), body: closing })).status).toBe(200)
  await operator.call(changeTicket, {
    params: { id: first.id },
    body: { title: 'Kamera', description: 'Brak zdjęć', status: 'closed', version: first.version } as never,
  })
  await operator.call(enableVariant, { params: { groupId, variantId: 1 } })
  await setClock(api, '2026-10-20T20:00:00Z')

  for (const [day, hours, at, end] of [
    [...MORNING, '2026-10-20T05:00:00Z', '2026-10-20T12:00:00Z'],
    [...AFTERNOON, '2026-10-20T13:00:00Z', '2026-10-20T20:00:00Z'],
  ] as const) {
    // The portal itself raises some meanwhile, as the station falls silent.
    const { found, left } = await eventually(async () => {
      const { alarms: found } = await shiftOf(operator, at)
      const all = [...alarms, ...(await ownAlarms(api))]
      const inShift = all.filter(({ raisedAt }) => isIn(raisedAt, day, hours))
      const countOf = (of: string) => inShift.filter(({ priority }) => priority === of).length
      const left = all.filter(({ raisedAt, closedAt }) => {
        return raisedAt < new Date(end) && (closedAt === null || closedAt >= new Date(end))
      })
      expect(found, at).toMatchObject({
        raised: { high: countOf('high'), medium: countOf('medium'), low: countOf('low') },
        missed: inShift.filter(({ isMissed }) => isMissed).length,
        acknowledged: alarms.filter(({ closedAt }) => isIn(closedAt, day, hours)).length,
        openCount: left.length,
      })
      return { found, left }
    })
    expect(found?.open.every(({ acknowledged }) => acknowledged === null)).toBe(true)
    // Those who mend equipment learn of equipment only.
    const equipment = (await shiftOf(reviewer, at)).alarms
    const ofVehicles = ['overload', 'announced-passing']
    expect(equipment?.openCount).toBe(left.filter(({ kind }) => !ofVehicles.includes(kind)).length)
    expect(equipment?.missed).toBe(0)
  }

  const [morning, afternoon] = [
    await shiftOf(operator, '2026-10-20T08:00:00Z'),
    await shiftOf(operator, '2026-10-20T12:00:00Z'),
  ]
  const by = { id: operator.userId, username: operator.username }
  const shelved = { by, kind: 'lane-silent', subject: 'S8 Test', until, reason: 'Serwis, WGM4K281' }
  expect(morning.alarms?.shelved).toEqual([{ ...shelved, at: '2026-10-20T11:59:59.999Z' }])
  expect(afternoon.alarms?.shelved).toEqual([])
  expect([
    morning.tickets?.opened,
    morning.tickets?.closed,
    afternoon.tickets?.opened,
    afternoon.tickets?.closed,
  ]).toEqual([1, 0, 0, 1])
  expect(afternoon.tickets?.content).toMatchObject([{ number: '1/2026', closedAt: '2026-10-20T12:30:00.000Z' }])
  expect(morning.commands?.content.slice(2)).toMatchObject([
    { kind: 'plate', plateLpr: 'WGM4K281', by, done: true, error: null, location: { id: 7 }, variant: null },
  ])
  const variants = (shift: typeof morning) => shift.commands?.content.flatMap(({ variant }) => variant ?? [])
  expect(variants(morning)).toEqual(['Ograniczenie', 'Ograniczenie'])
  // The second sign has the same content in both variants: if it shows it again after the plate, it needs no command.
  expect([...new Set(variants(afternoon))]).toEqual(['Kontrola'])
  expect(morning.commands).toMatchObject({ totalCount: 3, failed: 0 })
  const countsOf = async (user: Client, at: string) => {
    const { content: _, ...counts } = (await shiftOf(user, at)).inspections ?? { content: [] }
    return counts
  }
  const none = { announced: 0, takenOver: 0, closed: 0, withdrawn: 0, passedBy: 0, totalCount: 0 }
  expect(await countsOf(reviewer, '2026-10-20T08:00:00Z')).toEqual({
    ...{ announced: 3, takenOver: 1, closed: 0, withdrawn: 1, passedBy: 1 },
    totalCount: 3,
  })
  expect(await countsOf(reviewer, '2026-10-20T12:00:00Z')).toEqual({ ...none, closed: 1, totalCount: 1 })
  // Open ones, own ones, and those that passed by in the last twelve hours.
  expect(await countsOf(officer, '2026-10-20T08:00:00Z')).toMatchObject({ announced: 2, takenOver: 0, totalCount: 2 })
  expect(await countsOf(officer, '2026-10-20T12:00:00Z')).toEqual(none)
  const masked = await shiftOf(anonymous, '2026-10-20T08:00:00Z')
  expect(masked.alarms?.shelved).toMatchObject([{ reason: null }])
  expect(masked.commands?.content.slice(2)).toMatchObject([{ plateLpr: 'WG******' }])
  expect(masked.inspections?.totalCount).toBe(3)
  expect(JSON.stringify(masked)).not.toMatch(/4K281|WX\s?1000/)
})

test('a shift lasts from one beginning to the next, also when the clock changes, as far as data is kept', async () => {
  const api = await testApi({ retentionDays: 30 })
  let user = await api.as('Tickets')
  const rangeOf = async (at: string) => {
    const { from, to, previous, next } = await shiftOf(user, at)
    return [from, to, previous, next].map((time) => time?.slice(5, 16))
  }
  await setClock(api, '2026-10-27T12:00:00Z')
  // The night of 25 October has nine hours.
  expect(await rangeOf('2026-10-25T00:30:00Z')).toEqual(['10-24T20:00', '10-25T05:00', '10-24T12:00', '10-25T05:00'])
  expect(await rangeOf('2026-10-25T01:30:00Z')).toEqual(['10-24T20:00', '10-25T05:00', '10-24T12:00', '10-25T05:00'])
  expect(await rangeOf('2026-10-25T04:59:59.999Z')).toEqual([
    '10-24T20:00',
    '10-25T05:00',
    '10-24T12:00',
    '10-25T05:00',
  ])
  expect(await rangeOf('2026-10-25T05:00:00Z')).toEqual(['10-25T05:00', '10-25T13:00', '10-24T20:00', '10-25T13:00'])
  // Passwords have expired by then.
  await setClock(api, '2027-03-28T09:00:00Z')
  user = await api.as('Tickets')
  // The night of 28 March has seven.
  expect(await rangeOf('2027-03-28T00:30:00Z')).toEqual(['03-27T21:00', '03-28T04:00', '03-27T13:00', '03-28T04:00'])
  const codes = async (at: string) => errorCodes((await user.call(report, { query: { at } })).errors)
  expect(await codes('2027-03-28T09:00:00.001Z')).toEqual(['at: value-too-large'])
  // Older data may be deleted.
  expect(await codes('2027-02-26T09:00:00Z')).toEqual(['at: value-too-small'])
  expect((await shiftOf(user, '2027-02-26T13:00:00Z')).previous).toBeNull()

  const daily = await testApi({ shiftStarts: ['07:00'] }, api)
  const { body } = await daily.client(user.token).call(report, { query: { at: '2027-03-28T04:30:00Z' } })
  expect([body.from, body.to]).toEqual(['2027-03-27T06:00:00.000Z', '2027-03-28T05:00:00.000Z'])
})
