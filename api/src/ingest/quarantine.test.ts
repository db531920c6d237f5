import { quarantine, vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { testApi, testStation } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { car, errorCodes, send } from './testing.ts'

test('rejects and quarantines different content under a stored sequence and time', async () => {
  const api = await testApi()
  const station = await api.station()
  const administrator = await api.as('UsersAdmin')
  const kept = async () => (await administrator.call(quarantine, { query: { page: 1, limit: 100 } })).body
  const first = car(1, { wrongDirection: null, overlane: false, euro: { make: 'DAF', model: null } })
  const { sequence, ...rest } = first
  const repeats = [
    first,
    // another order of keys, nulls left out
    { ...Object.fromEntries(Object.entries(rest).reverse()), euro: { make: 'DAF' }, sequence },
    { ...first, ctg8p1: 7, wrongDirection: undefined, createdAt: '2026-10-20T09:59:58+02:00' },
  ]
  const others = [
    { ...first, plateLpr: 'WX 99999' },
    { ...first, plateLpr: null },
    { ...first, speed: 91 },
    { ...first, axles: [{ leftWeight: 400, rightWeight: 411, gap: 0 }, ...(first.axles?.slice(1) ?? [])] },
    { ...first, shapeSamples: [40, 150, 91] },
    { ...first, euro: { make: 'MAN' } },
    { ...first, laneNumber: 2 },
    { ...first, wrongDirection: true },
  ]
  expect((await send(station, [first])).body).toEqual({ accepted: 1, duplicates: 0, rejected: [] })

  const expectTold = async () => {
    expect((await send(station, repeats)).body).toEqual({ accepted: 0, duplicates: 3, rejected: [] })
    const { body } = await send(station, [...others, first])
    expect(body.duplicates).toBe(1)
    expect(body.rejected.map(({ index, errors }) => [index, ...errorCodes(errors)])).toEqual(
      others.map((_, index) => [index, 'sequence: sequence-reused']),
    )
  }
  await expectTold()
  expect((await kept()).totalCount).toBe(others.length)
  expect((await kept()).content.map(({ measurement }) => (measurement as { plateLpr: string }).plateLpr)).toContain(
    'WX 99999',
  )
  // As stored by a version without digests.
  await api.db.execute(sql`update vehicle_detail set digest = null`)
  await expectTold()
  expect((await kept()).totalCount).toBe(others.length)

  const [row] = await api.db.query(sql`select plate_lpr, speed from vehicle where id = ${vehicleId(7, 1)}`)
  expect(row).toEqual({ plate_lpr: 'WX10001', speed: 90 })
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test('compares every stored value of vehicles that were stored without digest', async () => {
  const api = await testApi()
  const station = await api.station()
  const bare = { sequence: 1, createdAt: '2026-10-20T07:59:58Z', laneNumber: 2 }
  const full = car(2, {
    plateLpr: 'WX\0\ud800123',
    overlane: true,
    wrongDirection: true,
    // The database stores its keys in another order.
    euro: { make: 'a\0b', model: 'c\udc00d', production_date: '2021-04-01', fuel_type: 'D' },
  })
  expect((await send(station, [bare, full])).body.accepted).toBe(2)
  await api.db.execute(sql`update vehicle_detail set digest = null`)
  expect((await send(station, [bare, full])).body).toEqual({ accepted: 0, duplicates: 2, rejected: [] })
  const [first, second] = full.axles as [{ gap: number }, { gap: number }]
  const others = [
    ...[{ speed: 1 }, { plateLpr: 'WX 1' }, { axles: [first] }, { shapeSamples: [1] }, { euro: {} }].map((values) => ({
      ...bare,
      ...values,
    })),
    ...[
      { laneNumber: 2 },
      { speed: null },
      { vehLength: 451 },
      { vehHeight: null },
      { ctg8p1: 3 },
      { ctg323: null },
      { overlane: false },
      { wrongDirection: null },
      { nationality: 'D' },
      { axles: null },
      { axles: [first, { ...second, gap: 261 }] },
      { axles: [first, { ...second, rightWeight: 341 }] },
      { shapeSamples: null },
      { euro: { make: 'a\0b', model: 'cd' } },
      { euro: null },
    ].map((values) => ({ ...full, ...values })),
  ]
  const { body } = await send(station, others)
  expect([body.duplicates, body.rejected.map(({ index }) => index)]).toEqual([0, others.map((_, index) => index)])
})

test('quarantines a rejected vehicle once, with its errors', async () => {
  const api = await testApi()
  const station = await api.station()
  await send(station, [car(1, { speed: -5 }), car(2, { laneNumber: 9 })])
  await send(station, [car(1, { speed: -5 })])
  api.clock.now = new Date('2026-10-20T09:00:00Z')
  await send(station, [{ sequence: 'x'.repeat(5_000), nul: 'a\0b\ud800', list: Array(9_999).fill(7) }])

  const administrator = await api.as('UsersAdmin')
  const { body } = await administrator.call(quarantine, { query: { page: 1, limit: 2 } })
  expect(body.totalCount).toBe(3)
  expect(body.content).toHaveLength(2)
  expect(body.content[0]).toMatchObject({ locationId: 7, receivedAt: '2026-10-20T09:00:00.000Z' })
  expect(JSON.stringify(body.content[0]?.measurement).length).toBeLessThan(10_000)
  const second = await administrator.call(quarantine, { query: { page: 2, limit: 2 } })
  expect(second.body.content).toHaveLength(1)
  const all = [...body.content, ...second.body.content]
  expect(all.flatMap(({ errors }) => errorCodes(errors))).toContain('speed: value-too-small')
})

test('keeps a rejected vehicle for thirty days', async () => {
  const api = await testApi()
  await send(await api.station(), [car(1, { speed: -5 })])
  const cleaning = api.app.jobs.recurring.find(({ name }) => name === 'clean-quarantine')
  const count = async () => (await api.db.query(sql`select 1 from quarantine`)).length
  api.clock.now = new Date('2026-11-19T07:00:00Z')
  await cleaning?.work()
  expect(await count()).toBe(1)
  api.clock.now = new Date('2026-11-19T08:00:01Z')
  await cleaning?.work()
  expect(await count()).toBe(0)
})

test('shortens rejected vehicles to 200 characters of a text and 400 values', async () => {
  const api = await testApi()
  const station = await api.station()
  const text = 'x'.repeat(200)
  const sent = [
    {
      text,
      longer: `${text}y`,
      [`${text}y`]: 1.5,
      odd: 'a\0b\ud800',
      none: null,
      yes: true,
      nested: [[['a', { b: [] }]]],
      list: Array.from({ length: 9_999 }, () => 7),
      after: 'x',
    },
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`key${at}`, at])),
    Array.from({ length: 399 }, () => 'x'),
  ]
  expect((await send(station, sent)).body.rejected).toHaveLength(3)
  const { body } = await (await api.as('UsersAdmin')).call(quarantine, { query: { page: 1, limit: 10 } })
  const kept = body.content.map(({ measurement }) => measurement)
  expect(kept).toContainEqual({
    text,
    longer: `${text}…`,
    [`${text}…`]: 1.5,
    odd: 'a\ufffdb\ufffd',
    none: null,
    yes: true,
    nested: [[['a', { b: [] }]]],
    // 14 values precede them.
    list: [...Array.from({ length: 386 }, () => 7), '…'],
    after: '…',
  })
  expect(kept).toContainEqual(Object.fromEntries(Array.from({ length: 399 }, (_, at) => [`key${at}`, at])))
  expect(kept).toContainEqual(sent[2])
})

test('keeps the newest ten thousand rejected vehicles of each station, and as many of imports', async () => {
  const api = await testApi()
  for (const id of [7, 8]) await api.station({ ...testStation, id, shortName: `S8 ${id}` })
  await api.db.execute(sql`
    insert into quarantine (location_id, received_at, digest, measurement, errors)
    select case when n <= 10002 then 7 else 8 end, ${api.clock.now}::timestamptz + n * interval '1 millisecond',
           decode(md5(n::text), 'hex'), to_jsonb(n), '[]'
    from generate_series(1, 10005) n`)
  // Rows of imports do not displace those that the station has sent.
  await api.db.execute(sql`
    insert into quarantine (location_id, received_at, digest, measurement, errors)
    select 8, ${api.clock.now}::timestamptz + n * interval '1 second', decode(md5('import' || n), 'hex'),
           jsonb_build_object('import', 1, 'line', n), '[]'
    from generate_series(1, 10001) n`)
  await api.app.jobs.recurring.find(({ name }) => name === 'clean-quarantine')?.work()
  expect(
    await api.db.query(sql`
      select location_id, count(*)::int, min(coalesce(measurement -> 'line', measurement)::int) as oldest
      from quarantine group by location_id, measurement ? 'import' order by 1, 2`),
  ).toEqual([
    { location_id: 7, count: 10_000, oldest: 3 },
    { location_id: 8, count: 3, oldest: 10_003 },
    { location_id: 8, count: 10_000, oldest: 2 },
  ])
})
