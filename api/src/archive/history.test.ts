import { permissionsOf } from '@rogatka/contract/access.ts'
import { history, historyReport } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { fetchReport, parseCsv } from '../reports/testing.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { trailOf } from '../testing/trail.ts'
import { stationWithId } from './testing.ts'

/** Two axles of 13 t, over the limit of a single axle. */
const HEAVY = {
  ctg8p1: 8,
  axles: [
    { leftWeight: 6_500, rightWeight: 6_500, gap: 0 },
    { leftWeight: 6_500, rightWeight: 6_500, gap: 500 },
  ],
}

test('lists the detections of a plate and of its likely misreadings at all stations', async () => {
  const api = await testApi()
  const user = await api.as('ArchiveMeasurements', 'UserManagement')
  const own = { plateLpr: 'PO 7XA93', createdAt: '2026-10-20T07:50:00.000Z' }
  await send(await api.station(), [
    car(1, own),
    car(2, { plateLpr: 'PO 7XA98', createdAt: '2026-10-20T07:51:00.000Z' }),
    car(3, { plateLpr: 'PO7XA93', nationality: 'LT', createdAt: '2026-10-20T07:52:00.000Z' }),
    car(4, { plateLpr: 'P0-7XA93', nationality: null, createdAt: '2026-10-19T07:00:00.000Z' }),
    car(5, { plateLpr: null, createdAt: '2026-10-20T07:53:00.000Z' }),
  ])
  await send(await api.station(stationWithId(3)), [
    car(1, { plateLpr: 'PD7XA93', createdAt: '2026-08-01T12:00:00.000Z', ...HEAVY }),
    car(2, { plateLpr: 'PO7XA93', createdAt: '2026-07-21T12:00:00.000Z' }),
  ])
  const of = (sequence: number, query: { createdAt: string; days?: number; page?: number; limit?: number }) =>
    user.call(history, { params: { id: vehicleId(7, sequence) }, query: { locationId: 7, ...query } })

  const { status, body } = await of(1, own)
  expect(status).toBe(200)
  expect(body).toMatchObject({ plateLpr: 'PO7XA93', nationality: 'PL', from: '2026-07-22T08:00:00.000Z' })
  expect(body).toMatchObject({ totalCount: 3, overloaded: 1 })
  const found = body.content.map(({ plateLpr, location, likeness, axles }) => [
    plateLpr,
    location.id,
    likeness,
    axles?.length,
  ])
  expect(found).toEqual([
    ['PO7XA93', 7, 100, 2],
    ['P07XA93', 7, 96, 2],
    ['PD7XA93', 3, 96, 2],
  ])
  expect((await of(1, { ...own, days: 100 })).body.totalCount).toBe(4)
  const second = (await of(1, { ...own, page: 2, limit: 2 })).body
  expect(second.content.map(({ plateLpr }) => plateLpr)).toEqual(['PD7XA93'])
  expect((await of(5, { createdAt: '2026-10-20T07:53:00.000Z' })).body).toMatchObject({ plateLpr: null, content: [] })
  expect((await of(9, own)).status).toBe(404)

  const file = await user.call(historyReport, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7, createdAt: own.createdAt, reportType: 'csv' },
  })
  const [heads, ...rows] = parseCsv((await fetchReport(user, file.body)).bytes)
  const plateAt = heads?.indexOf('Numer rejestracyjny') ?? -1
  expect(rows.map((row) => row[plateAt])).toEqual(['PO7XA93', 'P07XA93', 'PD7XA93'])

  const looks = (await trailOf(api)).filter(({ call }) => call === 'GET /arch-vehicles/:id/history')
  expect(looks.map(({ kind, asked, results }) => ({ kind, asked, results }))).toEqual(
    [3, 4, 3].map((results) => ({ kind: 'history', asked: ['PO7XA93'], results })),
  )
  const restricted = await api.as('ArchiveMeasurements', 'Anonymization')
  const refused = await restricted.call(history, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7, createdAt: own.createdAt },
  })
  expect(refused.status).toBe(403)
  const refusedFile = await restricted.call(historyReport, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7, createdAt: own.createdAt, reportType: 'pdf' },
  })
  expect(refusedFile.status).toBe(403)

  // A link from the time before the user was limited to anonymised data.
  const links = await Promise.all(
    (['csv', 'xlsx', 'pdf'] as const).map((reportType) =>
      user.call(historyReport, {
        params: { id: vehicleId(7, 1) },
        query: { locationId: 7, createdAt: own.createdAt, reportType },
      }),
    ),
  )
  await api.db.execute(sql`
    update role set permissions = permissions || ${permissionsOf('Anonymization')}::text[]
    where id in (select role_id from user_role where user_id = ${user.userId})`)
  await api.db.execute(sql`select pg_notify('session_changed', '')`)
  await eventually(async () =>
    expect(
      (
        await user.call(history, {
          params: { id: vehicleId(7, 1) },
          query: { locationId: 7, createdAt: own.createdAt },
        })
      ).status,
    ).toBe(403),
  )
  for (const { body } of links) {
    const late = await fetchReport(user, body)
    expect(late.errors.map(({ code }) => code)).toEqual(['plates-are-anonymised'])
  }
})
