import { correctFinish, finish, finishDates, list, revokeFinish } from '@rogatka/contract/calibration.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { testStation } from '../testing/test-api.ts'
import { freezeRecentReferences } from './lanes.ts'
import { at, FROM, filters, HOUR, portalWithStation, sendTractors } from './testing.ts'

test('freezes the reference of a lane once enough vehicles have passed after its calibration', async () => {
  const { api, station, user } = await portalWithStation()
  // 6,800 and 7,000 in the week after the calibration; 7,500 a week later: 8.7 % more than 6,900.
  await sendTractors(station, 150, FROM, 100, [6_700, 6_900])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const readLane = async () => (await user.call(list, { query: filters() })).body[0]?.lanes[0]
  expect((await readLane())?.reference).toEqual({
    firstAxleAvg: 6_900,
    counter: 0,
    provisional: true,
    collected: 150,
    finishedAt: FROM,
    finishedBy: user.username,
  })
  expect((await readLane())?.periods[0]).toMatchObject({ deviationFromReference: -1.45, confidence: null })

  await sendTractors(station, 60, at(FROM, 120), 20, [6_700, 6_900], 1_000)
  await sendTractors(station, 40, at(FROM, 240), 20, [7_300, 7_700], 2_000)
  const lane = await readLane()
  expect(lane?.reference).toMatchObject({ firstAxleAvg: 6_800, counter: 200, provisional: false })
  expect(lane?.periods[0]).toMatchObject({ firstAxleAvg: 6_800, deviationFromReference: 0, confidence: 0 })
  expect(lane?.periods[10]).toMatchObject({
    counter: 40,
    firstAxleAvg: 7_500,
    deviationFromReference: 10.29,
    confidence: 100,
  })

  // Late vehicles of that week change their period, but not the reference.
  await sendTractors(station, 100, at(FROM, 1), 20, [9_000], 3_000)
  const after = await readLane()
  expect(after?.reference).toEqual(lane?.reference)
  expect(after?.periods[0]?.firstAxleAvg).toBeGreaterThan(7_500)
  expect(await api.db.query(sql`select vehicles, load_sum from calibration_reference`)).toEqual([
    { vehicles: 200, load_sum: 1_360_000 },
  ])
})

test('freezes references without a request', async () => {
  const { api, station, user } = await portalWithStation()
  await sendTractors(station, 250, FROM, 100, [7_000])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  await freezeRecentReferences(api.db, api.clock.now)
  expect(
    await api.db.query(sql`select location_id, lane_number, vehicles, load_sum from calibration_reference`),
  ).toEqual([{ location_id: 7, lane_number: 1, vehicles: 200, load_sum: 1_400_000 }])
})

test('freezes references up to 30 days after the calibration', async () => {
  const { api, station, user } = await portalWithStation()
  await sendTractors(station, 200, FROM, 100, [7_000])
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const frozen = async (now: string) => {
    await freezeRecentReferences(api.db, new Date(now))
    return (await api.db.query(sql`select from calibration_reference`)).length
  }
  expect(await frozen(new Date(Date.parse(FROM) + 30 * 24 * HOUR + 1).toISOString())).toBe(0)
  expect(await frozen(at(FROM, 30 * 24))).toBe(1)
})

test('lists the vehicles of many pending calibrations by lane, of seven days or up to the next one', async () => {
  const { api, station, user } = await portalWithStation()
  const other = await api.station({ ...testStation, id: 8, shortName: 'S8 Other' })
  await sendTractors(station, 30, FROM, 24, [6_900])
  await sendTractors(station, 40, at(FROM, 7 * 24), 24, [6_900], 100)
  await sendTractors(other, 250, at(FROM, 24), 24, [6_900])
  for (const [locations, hours] of [
    ['7', 0],
    ['7', 12],
    ['8', 24],
    ['8', 36],
  ] as const)
    await user.call(finish, { query: { locations, time: at(FROM, hours) } })
  const { body } = await user.call(finishDates, { query: { locations: '7,8' } })
  const ofLanes = body.map(({ lane, finishedAt, collected, reference }) => [
    lane.id,
    (Date.parse(finishedAt) - Date.parse(FROM)) / HOUR,
    collected,
    reference?.counter ?? null,
  ])
  // One vehicle in 48 min, then one in 36 min, then 10.4 an hour; on lane 1 only.
  expect(ofLanes).toEqual([
    [801, 36, 125, null],
    [802, 36, 0, null],
    [801, 24, 125, null],
    [802, 24, 0, null],
    [701, 12, 15 + 20, null],
    [702, 12, 0, null],
    [701, 0, 15, null],
    [702, 0, 0, null],
  ])
})

test('a reference has no vehicles of the next calibration, unless that is revoked', async () => {
  const { api, station, user } = await portalWithStation()
  // 120 vehicles of 7,000 kg, then the lane is calibrated again: 300 of 6,000 kg.
  await sendTractors(station, 120, FROM, 20, [7_000])
  await sendTractors(station, 300, at(FROM, 24), 20, [6_000], 1_000)
  for (const hours of [0, 24])
    await user.call(finish, { query: { locations: '7', lanes: '701', time: at(FROM, hours) } })
  const listed = async () =>
    (await user.call(finishDates, { query: { locations: '7' } })).body.map(({ reference, collected }) => [
      reference?.firstAxleAvg ?? null,
      collected,
    ])
  await freezeRecentReferences(api.db, api.clock.now)
  expect(await listed()).toEqual([
    [6_000, 200],
    [null, 120],
  ])
  // Moved among these vehicles the second calibration would have too few before the third.
  await user.call(finish, { query: { locations: '7', lanes: '701', time: at(FROM, 44) } })
  const moved = await user.call(correctFinish, {
    body: { lanes: [701], finishedAt: at(FROM, 24), time: at(FROM, 40), reason: 'zła godzina' },
  })
  expect([moved.status, moved.errors[0]]).toMatchObject([409, { code: 'calibration-reference-lost', path: 'time' }])
  // Without the second one, 80 of its vehicles belong to the first: (120 · 7,000 + 80 · 6,000) / 200.
  await user.call(revokeFinish, { body: { lanes: [701], finishedAt: at(FROM, 24), reason: 'pomyłka' } })
  expect((await listed()).at(-1)).toEqual([6_600, 200])
})

test('uses the last calibration before the end of the range', async () => {
  const { station, user } = await portalWithStation()
  await sendTractors(station, 200, FROM, 100, [6_800])
  await sendTractors(station, 200, at(FROM, 200), 100, [7_000], 1_000)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  await user.call(finish, { query: { locations: '7', time: at(FROM, 200) } })
  const referenceTo = async (hours: number) =>
    (await user.call(list, { query: filters({ dateTimeEnd: at(FROM, hours) }) })).body[0]?.lanes[0]?.reference
      .firstAxleAvg
  expect(await referenceTo(200)).toBe(6_800)
  expect(await referenceTo(201)).toBe(7_000)
})

test('compares each period with the reference of its own section', async () => {
  const { station, user } = await portalWithStation()
  // 200 vehicles of 6,800 after the first calibration, 100 of 7,480 before the second, 200 of 7,000 after it, then 131.
  await sendTractors(station, 200, FROM, 24, [6_800])
  await sendTractors(station, 100, at(FROM, 72), 24, [7_480], 1_000)
  await sendTractors(station, 200, at(FROM, 96), 24, [7_000], 2_000)
  await sendTractors(station, 131, at(FROM, 240), 24, [7_245], 3_000)
  // The third calibration is finished in the second half of a day, whose point lies before it.
  for (const hours of [0, 96, 10 * 24 - 6])
    await user.call(finish, { query: { locations: '7', lanes: '701', time: at(FROM, hours) } })
  const lane = (await user.call(list, { query: filters() })).body[0]?.lanes[0]
  expect(lane?.sections.map(({ firstPeriod, reference }) => [firstPeriod, reference.firstAxleAvg])).toEqual([
    [0, 6_800],
    [4, 7_000],
    [10, 6_900],
  ])
  expect(lane?.reference).toMatchObject({ provisional: true, counter: 0, collected: 131 })
  // 7,480 / 6,800 = 1.1; 7,245 / 6,900 = 1.05.
  expect([0, 3, 4, 10].map((period) => lane?.periods[period]?.deviationFromReference)).toEqual([0, 10, 0, 5])

  const listed = (await user.call(finishDates, { query: { locations: '7' } })).body
  expect(listed.map(({ reference, collected }) => [reference?.counter ?? null, collected])).toEqual([
    [null, 131],
    [200, 200],
    [200, 200],
  ])
})
