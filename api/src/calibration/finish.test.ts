import {
  correctFinish,
  finish,
  finishDates,
  finishDatesReport,
  list,
  restoreFinish,
  revokeFinish,
} from '@rogatka/contract/calibration.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { extractPages, fetchReport, parseCsv, readSheets } from '../reports/testing.ts'
import { testStation } from '../testing/test-api.ts'
import { DRIFTING_STATION, insertDemoCalibrations } from './demo.ts'
import { freezeRecentReferences } from './lanes.ts'
import { at, FROM, filters, portalWithStation, sendTractors } from './testing.ts'

test('records a calibration for every lane of the stations with user and time, and audits it', async () => {
  const { api, user } = await portalWithStation()
  await api.station({ ...testStation, id: 8, shortName: 'S8 Other', lanes: [{ laneNumber: 4, accuracyClass: 'A(5)' }] })
  const recorded = await user.call(finish, { query: { locations: '7,8', time: '2026-10-12T10:30:00Z' } })
  expect(recorded.status).toBe(204)
  // Repeating it, by any user, changes nothing, and is refused.
  const second = await api.as('UserManagement')
  const repeated = await second.call(finish, { query: { locations: '7', time: '2026-10-12T10:30:00Z' } })
  expect([repeated.status, repeated.errors[0]]).toMatchObject([
    409,
    { code: 'calibration-already-recorded', path: 'time' },
  ])
  const rows = await api.db.query(sql`
    select location_id, lane_number, finished_at, entered_at, user_id, username from calibration_finish
    order by location_id, lane_number`)
  const by = {
    finished_at: new Date('2026-10-12T10:30:00Z'),
    entered_at: api.clock.now,
    user_id: user.userId,
    username: user.username,
  }
  expect(rows).toEqual([
    { location_id: 7, lane_number: 1, ...by },
    { location_id: 7, lane_number: 2, ...by },
    { location_id: 8, lane_number: 4, ...by },
  ])
  const audited = await api.db.query(
    sql`select subject, user_id from audit where action = 'calibration-finished' order by subject`,
  )
  expect(audited).toEqual(['S8 Other', 'S8 Test'].map((subject) => ({ subject, user_id: user.userId })))
})

test('the demo calibrates each station once, and the drifting one again', async () => {
  const { api, user } = await portalWithStation()
  const stations = [1, DRIFTING_STATION].map((id) => ({ ...testStation, id, shortName: `Demo ${id}` }))
  for (const station of stations) await api.station(station)
  const insert = (now: string, days: number) =>
    insertDemoCalibrations(api.db, stations, { userId: user.userId, username: user.username }, new Date(now), days)
  const recorded = [
    { locationId: 1, finishedAt: new Date('2026-10-06T08:00:00Z') },
    { locationId: 2, finishedAt: new Date('2026-10-06T08:00:00Z') },
    { locationId: 2, finishedAt: new Date('2026-10-16T20:00:00Z') },
  ]
  expect(await insert('2026-10-20T08:40:00Z', 14)).toEqual(recorded)
  expect(await insert('2026-10-23T08:40:00Z', 14)).toEqual(recorded)
  const lanes = await api.db.query(sql`select lane_number, username from calibration_finish where location_id = 1`)
  expect(lanes).toEqual([1, 2].map((lane_number) => ({ lane_number, username: user.username })))
})

test('a mistaken calibration is revoked with a reason, and the previous one applies again', async () => {
  const { api, station, user } = await portalWithStation()
  const second = await api.as('UserManagement')
  await sendTractors(station, 200, FROM, 24, [6_800, 7_000])
  await sendTractors(station, 200, at(FROM, 100), 24, [7_600, 7_800], 201)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const readLane = async () => {
    const { body } = await user.call(list, { query: filters() })
    const { reference, periods } = body[0]?.lanes[0] ?? {}
    return { reference, deviations: periods?.map(({ deviationFromReference }) => deviationFromReference) }
  }
  const right = await readLane()
  expect(right.reference).toMatchObject({ firstAxleAvg: 6_900, counter: 200, finishedAt: FROM })

  // Another user enters the wrong day for all lanes.
  const mistaken = at(FROM, 100)
  await second.call(finish, { query: { locations: '7', time: mistaken } })
  expect((await readLane()).reference).toMatchObject({ firstAxleAvg: 7_700, finishedAt: mistaken })

  const listed = async () => (await user.call(finishDates, { query: { locations: '7' } })).body
  expect(
    (await listed()).map(({ lane, finishedAt, enteredBy, inForce }) => [lane, finishedAt, enteredBy, inForce]),
  ).toEqual([
    [{ id: 701, laneNumber: 1 }, mistaken, second.username, true],
    [{ id: 702, laneNumber: 2 }, mistaken, second.username, true],
    [{ id: 701, laneNumber: 1 }, FROM, user.username, false],
    [{ id: 702, laneNumber: 2 }, FROM, user.username, false],
  ])

  const revocation = { lanes: [701, 702], finishedAt: mistaken, reason: ' pomyłka w dacie ' }
  const refused = await user.call(revokeFinish, { body: { ...revocation, reason: ' ' } })
  expect([refused.status, refused.errors[0]?.path]).toEqual([400, 'reason'])
  expect((await user.call(revokeFinish, { body: revocation })).status).toBe(204)
  expect(await readLane()).toEqual(right)
  const [first] = await listed()
  expect(first).toMatchObject({
    inForce: false,
    reference: { firstAxleAvg: 7_700, counter: 200 },
    revoked: { at: api.clock.now.toISOString(), by: user.username, reason: 'pomyłka w dacie' },
  })
  expect((await listed()).map(({ inForce }) => inForce)).toEqual([false, false, true, true])
  expect(
    await api.db.query(sql`select user_id, subject, before, after from audit where action = 'calibration-revoked'`),
  ).toEqual([
    {
      user_id: user.userId,
      subject: 'S8 Test',
      before: { locationId: 7, lanes: [1, 2], finishedAt: mistaken, enteredBy: second.username },
      after: { reason: 'pomyłka w dacie' },
    },
  ])

  // Already revoked or never recorded: nothing changes.
  const again = await second.call(revokeFinish, { body: revocation })
  expect([again.status, again.errors[0]?.code]).toEqual([409, 'calibration-already-revoked'])
  const unknown = await user.call(revokeFinish, { body: { ...revocation, lanes: [701, 709] } })
  expect([unknown.status, unknown.errors[0]?.code]).toEqual([404, 'calibration-not-found'])
  expect(await api.db.query(sql`select from audit where action = 'calibration-revoked'`)).toHaveLength(1)

  // Recorded again after the revocation, it applies.
  await user.call(finish, { query: { locations: '7', time: mistaken } })
  expect((await readLane()).reference).toMatchObject({ firstAxleAvg: 7_700, finishedBy: user.username })
  expect((await listed())[0]).toMatchObject({ inForce: true, revoked: null, enteredBy: user.username })
  // The audit log calls this a restoration, with the reason of the revocation.
  const log = () =>
    api.db.query(sql`
      select action, before, after from audit where action in ('calibration-finished', 'calibration-restored') order by id`)
  expect((await log()).slice(2)).toEqual([
    {
      action: 'calibration-restored',
      before: { reason: 'pomyłka w dacie' },
      after: { locationId: 7, lanes: [1, 2], finishedAt: mistaken, enteredBy: user.username },
    },
  ])
  // With one lane revoked and the other valid only that lane is restored.
  await user.call(revokeFinish, { body: { ...revocation, lanes: [702] } })
  expect((await second.call(finish, { query: { locations: '7', time: mistaken } })).status).toBe(204)
  expect((await log()).slice(3)).toMatchObject([{ action: 'calibration-restored', after: { lanes: [2] } }])
})

test('a revoked calibration gets no reference, and the general value applies without another one', async () => {
  const { api, station, user } = await portalWithStation()
  await user.call(finish, { query: { locations: '7', time: FROM } })
  await user.call(revokeFinish, { body: { lanes: [701], finishedAt: FROM, reason: 'zły dzień' } })
  await sendTractors(station, 200, FROM, 24, [6_000])
  await freezeRecentReferences(api.db, new Date(at(FROM, 200)))
  expect(await api.db.query(sql`select lane_number from calibration_reference`)).toEqual([])
  const { body } = await user.call(list, { query: filters() })
  expect(body[0]?.lanes[0]?.reference).toMatchObject({ provisional: true, firstAxleAvg: 6_900, finishedAt: null })
})

test('records a calibration for selected lanes only', async () => {
  const { user } = await portalWithStation()
  expect((await user.call(finish, { query: { locations: '7', time: FROM, lanes: '702' } })).status).toBe(204)
  const lanes = async () =>
    (await user.call(finishDates, { query: { locations: '7' } })).body.map(({ lane }) => lane.laneNumber)
  expect(await lanes()).toEqual([2])
  // One lane is not of these stations: nothing is recorded.
  const unknown = await user.call(finish, { query: { locations: '7', time: at(FROM, 1), lanes: '701,801' } })
  expect([unknown.status, unknown.errors[0]]).toMatchObject([404, { code: 'lane-not-found', path: 'lanes' }])
  expect(await lanes()).toEqual([2])
})

test('lists a calibration with its reference before its result is requested', async () => {
  const { station, user } = await portalWithStation()
  await sendTractors(station, 200, FROM, 24, [6_800, 7_000])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const { body } = await user.call(finishDates, { query: { locations: '7' } })
  expect(body.find(({ lane }) => lane.laneNumber === 1)?.reference).toEqual({ firstAxleAvg: 6_900, counter: 200 })
})

test('a calibration is corrected and restored with its reference, and two users do not overwrite each other', async () => {
  const { api, station, user } = await portalWithStation()
  const second = await api.as('UserManagement')
  await sendTractors(station, 200, FROM, 24, [6_800, 7_000])
  await sendTractors(station, 200, at(FROM, 100), 24, [7_600, 7_800], 201)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const listed = async () => (await user.call(finishDates, { query: { locations: '7' } })).body
  const [before] = await listed()
  expect(before?.reference?.firstAxleAvg).toBe(6_900)
  const seen = { lanes: [701], versions: [before?.version ?? 0], finishedAt: FROM }
  const codeOf = ({ status, errors }: { status: number; errors: { code: string }[] }) => [status, errors[0]?.code]
  const correction = { ...seen, time: at(FROM, 100), reason: 'zły dzień' }

  expect(
    codeOf(await user.call(correctFinish, { body: { ...correction, time: at(api.clock.now.toISOString(), 1) } })),
  ).toEqual([422, 'calibration-in-the-future'])
  expect((await user.call(correctFinish, { body: { ...correction, reason: ' ' } })).status).toBe(400)
  // Nothing to correct.
  expect(codeOf(await user.call(correctFinish, { body: { ...correction, time: FROM } }))).toEqual([
    409,
    'calibration-already-recorded',
  ])
  expect((await user.call(correctFinish, { body: correction })).status).toBe(204)
  // The other lane keeps its time; the corrected one has the reference of the vehicles after the new time.
  const figures = (await listed()).map(({ lane, finishedAt, reference }) => [
    lane.laneNumber,
    finishedAt,
    reference?.firstAxleAvg,
  ])
  expect(figures).toEqual([
    [1, at(FROM, 100), 7_700],
    [2, FROM, undefined],
  ])
  // It has its former time; the other lane has none.
  const mark = { at: api.clock.now.toISOString(), by: user.username, reason: 'zły dzień', from: FROM }
  expect((await listed()).map(({ corrected }) => corrected)).toEqual([mark, null])
  // The second user still sees the earlier list.
  expect(codeOf(await second.call(revokeFinish, { body: { ...seen, reason: 'pomyłka' } }))).toEqual([
    409,
    'changed-meanwhile',
  ])
  const stale = { ...seen, finishedAt: correction.time }
  expect(codeOf(await second.call(revokeFinish, { body: { ...stale, reason: 'pomyłka' } }))).toEqual([
    409,
    'changed-meanwhile',
  ])

  // Of a correction and a revocation at once, one is refused.
  const current = { ...stale, versions: [(await listed())[0]?.version ?? 0] }
  const both = await Promise.all([
    second.call(revokeFinish, { body: { ...current, reason: 'pomyłka' } }),
    user.call(correctFinish, { body: { ...current, time: at(FROM, 50), reason: 'inna godzina' } }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409])

  await user.call(finish, { query: { locations: '7', time: at(FROM, 10), lanes: '701' } })
  const moved = { lanes: [701], finishedAt: at(FROM, 10), time: at(FROM, 20), reason: 'x' }
  await user.call(finish, { query: { locations: '7', time: at(FROM, 20), lanes: '701' } })
  expect(codeOf(await user.call(correctFinish, { body: moved }))).toEqual([409, 'calibration-already-recorded'])

  await user.call(revokeFinish, { body: { ...moved, reason: 'cofam' } })
  expect(codeOf(await user.call(correctFinish, { body: moved }))).toEqual([409, 'calibration-already-revoked'])
  const restored = { lanes: [701], finishedAt: at(FROM, 10) }
  // A correction that was refused left no mark.
  expect((await listed()).find(({ finishedAt }) => finishedAt === at(FROM, 10))?.corrected).toBeNull()
  expect((await second.call(restoreFinish, { body: restored })).status).toBe(204)
  expect(codeOf(await user.call(restoreFinish, { body: restored }))).toEqual([409, 'changed-meanwhile'])
  expect((await listed()).find(({ finishedAt }) => finishedAt === at(FROM, 10))).toMatchObject({
    revoked: null,
    enteredBy: user.username,
  })

  const audited = await api.db.query(sql`
    select action, before, after from audit where action in ('calibration-corrected', 'calibration-restored') order by id`)
  const state = { locationId: 7, lanes: [1], enteredBy: user.username }
  expect(audited[0]).toEqual({
    action: 'calibration-corrected',
    before: { ...state, finishedAt: FROM },
    after: { finishedAt: at(FROM, 100), reason: 'zły dzień' },
  })
  expect(audited.at(-1)).toEqual({
    action: 'calibration-restored',
    before: { reason: 'cofam' },
    after: { ...state, finishedAt: at(FROM, 10) },
  })
})

test('a correction keeps the measured reference of a calibration whose vehicles were deleted', async () => {
  const { api, station, user } = await portalWithStation()
  await sendTractors(station, 200, FROM, 24, [6_800, 7_000])
  await sendTractors(station, 40, at(FROM, 30), 24, [6_800, 7_000], 201)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const listed = async () => (await user.call(finishDates, { query: { locations: '7' } })).body
  const before = await listed()
  expect(before[0]?.reference).toEqual({ firstAxleAvg: 6_900, counter: 200 })
  const correct = (finishedAt: string, time: string, lanes: number[]) =>
    user.call(correctFinish, { body: { lanes, finishedAt, time, reason: 'inna godzina' } })

  // Of the seven days after the new time only 40 vehicles are left.
  await api.db.execute(sql`delete from vehicle where created_at < ${at(FROM, 24)}::timestamptz`)
  const refused = await correct(FROM, at(FROM, 1), [701, 702])
  expect([refused.status, refused.errors[0]]).toMatchObject([409, { code: 'calibration-reference-lost', path: 'time' }])
  expect(await listed()).toEqual(before)
  expect(await api.db.query(sql`select from audit where action = 'calibration-corrected'`)).toEqual([])
  // The other lane has no reference to lose.
  expect((await correct(FROM, at(FROM, 1), [702])).status).toBe(204)
  // While the seven days last, the reference is still being collected.
  const recent = at(api.clock.now.toISOString(), -6 * 24)
  expect((await correct(FROM, recent, [701])).status).toBe(204)
  expect((await listed())[0]).toMatchObject({ finishedAt: recent, reference: null })
  // Moved back, it has its reference again.
  expect((await correct(recent, FROM, [701])).status).toBe(204)
  expect((await listed()).find(({ lane }) => lane.id === 701)).toMatchObject({
    finishedAt: FROM,
    reference: { firstAxleAvg: 6_900, counter: 200 },
  })
})

test('exports the list of calibrations with corrected and revoked ones as PDF, XLSX and CSV', async () => {
  const { api, station, user } = await portalWithStation()
  await sendTractors(station, 131, FROM, 24, [6_800])
  await user.call(finish, { query: { locations: '7', time: at(FROM, -5) } })
  const correction = { finishedAt: at(FROM, -5), time: FROM, reason: 'inna godzina' }
  await user.call(correctFinish, { body: { lanes: [701, 702], ...correction } })
  await user.call(revokeFinish, { body: { lanes: [702], finishedAt: FROM, reason: 'pomyłka w dacie' } })
  const ordered = async (reportType: 'pdf' | 'xlsx' | 'csv') => {
    const { status, body } = await user.call(finishDatesReport, { query: { locations: '7', reportType } })
    expect(status).toBe(200)
    return fetchReport(user, body)
  }
  const table = await ordered('csv')
  expect(table.headers['content-disposition']).toMatch(/filename="calibration_list_.*\.csv"/)
  const rows = parseCsv(table.bytes)
  expect(rows).toHaveLength(3)
  // FROM is midnight of 2 October in Warsaw.
  expect(rows[1]?.slice(0, 6)).toEqual(['S8 Test', '1', '2026-10-02 00:00:00', '', '131', user.username])
  const corrected = ['2026-10-20 10:00:00', user.username, '2026-10-01 19:00:00', 'inna godzina']
  expect(api.clock.now).toEqual(new Date('2026-10-20T08:00:00Z'))
  expect(rows[1]?.slice(7)).toEqual([...corrected, '', '', ''])
  expect(rows[2]?.slice(7)).toEqual([...corrected, '2026-10-20 10:00:00', user.username, 'pomyłka w dacie'])
  const pages = (await extractPages((await ordered('pdf')).bytes)).map((page) => JSON.stringify(page)).join(' ')
  expect(pages).toContain('131 z 200')
  for (const word of ['pomyłka', 'dacie', 'poprawiono', 'godzina', '19:00:00']) expect(pages).toContain(word)
  const sheets = JSON.stringify(await readSheets((await ordered('xlsx')).bytes))
  expect(sheets).toContain('Zakończone kalibracje')
  expect(sheets).toContain('pomyłka w dacie')
  expect(sheets).toContain('inna godzina')
  const unknown = await user.call(finishDatesReport, { query: { locations: '99' } })
  expect([unknown.status, unknown.errors[0]?.code]).toEqual([404, 'location-not-found'])
})
