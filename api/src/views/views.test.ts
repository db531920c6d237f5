import * as activity from '@rogatka/contract/activity.ts'
import { bulkDelete } from '@rogatka/contract/users.ts'
import * as endpoints from '@rogatka/contract/views.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'

/** The station of the tests. */
const STATION = '7'
const archive = { page: 'archive' as const, name: 'Ciężkie', search: { locations: STATION, minTotalLoad: '40000' } }

const codesOf = ({ errors }: { errors: { path: string | null; code: string }[] }) =>
  errors.map(({ path, code }) => `${path} ${code}`)

async function portal() {
  const api = await testApi()
  await api.station()
  return api
}

const add = (user: Client, overrides: object = {}) =>
  user.call(endpoints.addView, { body: { ...archive, ...overrides } })

const namesOf = async (user: Client) => (await user.call(endpoints.views)).body.map(({ name }) => name)

/** A day around the time of the clock. */
const dayOf = ({ clock }: TestApi) => ({
  dateTimeStart: new Date(clock.now.getTime() - 43_200_000).toISOString(),
  dateTimeEnd: new Date(clock.now.getTime() + 43_200_000).toISOString(),
})

const auditOf = (api: TestApi) =>
  api.db.query(sql`select action, subject, before, after from audit where action like 'shared-view-%' order by id`)

test('keeps views by page and right, own ones or shared read-only, in the order of each user', async () => {
  const api = await portal()
  const [owner, other, live] = [
    await api.withPermissions(['ROLE_1', 'ROLE_2']),
    await api.as('ArchiveMeasurements'),
    await api.as('CurrentMeasurements'),
  ]
  const own = (await add(owner)).body
  expect(own).toEqual({
    ...archive,
    id: own.id,
    hasPlate: false,
    rangeMinutes: null,
    shared: false,
    owner: owner.username,
    isOwn: true,
    isDeletable: true,
    isStart: false,
    missingStations: 0,
    version: 1,
  })
  const range = { dateTimeStart: '2026-10-19T06:16:00.000Z', dateTimeEnd: '2026-10-20T06:16:00.000Z' }
  const shared = (
    await add(owner, { name: ' Wspólny ', shared: true, rangeMinutes: 1440, search: { ...archive.search, ...range } })
  ).body
  expect(shared).toMatchObject({ name: 'Wspólny', search: archive.search, rangeMinutes: 1440 })
  expect((await add(owner, { name: 'Stały', search: range })).body.search).toEqual(range)
  await add(owner, { page: 'current', name: 'Na żywo', search: { locations: `[${STATION}]` } })

  expect(await namesOf(owner)).toEqual(['Ciężkie', 'Wspólny', 'Stały', 'Na żywo'])
  const [seen, ...none] = (await other.call(endpoints.views)).body
  expect(none).toEqual([])
  expect(seen).toMatchObject({ name: 'Wspólny', owner: owner.username, isOwn: false, isDeletable: false })
  expect(await namesOf(live)).toEqual([])
  expect((await live.call(endpoints.readView, { params: { id: shared.id } })).status).toBe(404)
  expect(codesOf(await add(live))).toEqual(['page forbidden'])

  const params = { id: shared.id }
  const change = (user: Client, overrides: object) =>
    user.call(endpoints.changeView, { params, body: { ...archive, name: 'Wspólny', shared: true, ...overrides } })
  expect(codesOf(await change(other, {}))).toEqual(['null forbidden'])
  expect((await other.call(endpoints.removeView, { params })).status).toBe(403)
  expect((await change(owner, { version: 1, name: 'Nowy' })).body).toMatchObject({ name: 'Nowy', version: 2 })
  expect(codesOf(await change(owner, { version: 1, name: 'Spóźniony' }))).toEqual(['null changed-meanwhile'])

  // Of others' order nothing is seen; who no longer sees a view no longer opens it.
  expect((await other.call(endpoints.setStartView, { body: { id: own.id } })).status).toBe(404)
  await other.call(endpoints.setStartView, { body: { id: shared.id } })
  await owner.call(endpoints.orderViews, { body: { ids: [shared.id, 999_999, own.id] } })
  expect(await namesOf(owner)).toEqual(['Nowy', 'Ciężkie', 'Stały', 'Na żywo'])
  expect((await other.call(endpoints.views)).body).toMatchObject([{ isStart: true }])
  await change(owner, { shared: false })
  expect(await namesOf(other)).toEqual([])
  await change(owner, { shared: true })
  expect((await other.call(endpoints.views)).body).toMatchObject([{ isStart: false }])

  const administrator = await api.withPermissions(['ROLE_2', 'ROLE_7'])
  expect((await administrator.call(endpoints.removeView, { params })).status).toBe(204)
  expect((await administrator.call(endpoints.removeView, { params: { id: own.id } })).status).toBe(404)
  expect((await auditOf(api)).map(({ action, subject }) => [action, subject])).toEqual([
    ['shared-view-added', 'Wspólny'],
    ['shared-view-changed', 'Nowy'],
    ['shared-view-deleted', 'Nowy'],
    ['shared-view-added', 'Wspólny'],
    ['shared-view-deleted', 'Wspólny'],
  ])
})

test('a plate is in no shared view, in no list, and in nothing that anonymised users get', async () => {
  const api = await portal()
  const owner = await api.as('ArchiveMeasurements')
  const search = { ...archive.search, plateLpr: 'WGM4K281', orderByColumnName1: 'plateLpr' }
  expect(codesOf(await add(owner, { search, shared: true }))).toEqual(['shared plate-in-shared-view'])
  expect(codesOf(await add(owner, { search: { plates: 'WGM4K281' }, shared: true }))).toEqual([
    'shared plate-in-shared-view',
  ])
  const { id } = (await add(owner, { search })).body
  const body = { ...archive, search, shared: true }
  expect(codesOf(await owner.call(endpoints.changeView, { params: { id }, body }))).toEqual([
    'shared plate-in-shared-view',
  ])
  expect((await owner.call(endpoints.readView, { params: { id } })).body.search).toEqual(search)
  const listed = await owner.call(endpoints.views)
  expect(listed.body).toMatchObject([{ hasPlate: true, search: archive.search }])
  expect(listed.bytes.toString()).not.toContain('WGM')

  await add(owner, { name: 'Po tablicy', search: { orderByColumnName1: 'plateLpr' }, shared: true })
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  expect((await anonymised.call(endpoints.views)).body).toMatchObject([{ name: 'Po tablicy', search: {} }])
  for (const refused of [{ plateLpr: 'WGM4K281' }, { plates: 'WGM4K281' }, { orderByColumnName1: 'plateLpr' }])
    expect(codesOf(await add(anonymised, { search: refused }))[0]).toContain('plates-are-anonymised')
})

test('accepts only parameters of the page, leaves out stations that are gone, and has limits', async () => {
  const api = await portal()
  const user = await api.withPermissions(['ROLE_1', 'ROLE_2', 'ROLE_4'])
  for (const search of [{ colour: 'WGM4K281' }, { minSpeed: 'WGM4K281' }, { locations: 'x' }, { statName: 'traffic' }])
    expect(codesOf(await add(user, { search }))).toEqual(['search invalid-value'])
  const preset = { page: 'statistics', search: { preset: 'last7', statName: 'traffic', overload: 'true' } }
  expect((await add(user, preset)).status).toBe(200)
  expect(codesOf(await add(user, { name: 'x'.repeat(61) }))).toEqual(['name text-too-long'])
  expect(codesOf(await add(user, { name: ' ' }))).toEqual(['name required-parameter-missing'])
  expect(codesOf(await add(user, { search: { plates: 'W'.repeat(4_000) } }))).toEqual(['search text-too-long'])

  const gone = (await add(user, { search: { locations: `${STATION},8100` } })).body
  expect(gone).toMatchObject({ search: { locations: STATION }, missingStations: 1 })
  const all = (await add(user, { search: { locations: '8100', minSpeed: '90' } })).body
  expect(all).toMatchObject({ search: { minSpeed: '90' }, missingStations: 1 })

  await api.db.execute(sql`
    insert into saved_view (user_id, page, name, search, shared)
    select ${user.userId}, 'archive', 'Widok', '{}', n <= 10 from generate_series(1, 46) as n`)
  expect((await add(user)).status).toBe(200)
  expect(codesOf(await add(user))).toEqual(['null too-many-views'])
  expect(
    codesOf(await user.call(endpoints.changeView, { params: { id: gone.id }, body: { ...archive, shared: true } })),
  ).toEqual(['shared too-many-shared-views'])
})

test('a change keeps what it does not name: stations that are gone, plates and the range', async () => {
  const api = await portal()
  const owner = await api.as('ArchiveMeasurements')
  const search = { locations: `${STATION},8100`, plateLpr: 'WGM4K281' }
  const { id } = (await add(owner, { search, rangeMinutes: 1440 })).body
  const change = (body: object) => owner.call(endpoints.changeView, { params: { id }, body })
  expect((await change({ name: 'Nowa', version: 1 })).body).toMatchObject({ name: 'Nowa', missingStations: 1 })
  expect(codesOf(await change({ shared: true }))).toEqual(['shared plate-in-shared-view'])
  expect((await change({ search: { locations: STATION } })).body).toMatchObject({ name: 'Nowa', rangeMinutes: 1440 })
  expect((await change({ shared: true })).body).toMatchObject({ shared: true, search: { locations: STATION } })
  expect((await change({ rangeMinutes: null })).body).toMatchObject({ rangeMinutes: null, shared: true })
})

test('an order leaves out a view that is deleted meanwhile', async () => {
  const api = await portal()
  const [owner, other] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  const [gone, kept] = [(await add(owner, { shared: true })).body, (await add(other)).body]
  const order = await api.db.transaction(async (db) => {
    await db.execute(sql`delete from saved_view where id = ${gone.id}`)
    const ordering = other.call(endpoints.orderViews, { body: { ids: [gone.id, kept.id] } })
    await eventually(async () =>
      expect(
        await api.db.query(sql`
          select 1 from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`),
      ).toHaveLength(1),
    )
    return { ordering }
  })
  expect((await order.ordering).status).toBe(204)
  expect(await api.db.query(sql`select view_id as id from saved_view_place`)).toEqual([{ id: kept.id }])
})

test('a list has all own views, and of very many shared ones those with a place and the oldest', async () => {
  const api = await portal()
  const [owner, user] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  const [first, last] = [(await add(owner, { shared: true })).body, (await add(owner, { shared: true })).body]
  // As of many users, who may share ten each; between both.
  await api.db.execute(sql`
    insert into saved_view (user_id, page, name, search, shared)
    select user_id, page, 'Wspólny ' || n, search, true from saved_view, generate_series(1, 600) n where id = ${last.id}`)
  const [{ id: newest } = { id: 0 }] = await api.db.query<{ id: number }>(sql`select max(id) as id from saved_view`)
  const own = (await add(user, { name: 'Własny' })).body
  const listed = async () => (await user.call(endpoints.views)).body.map(({ id }) => id)
  const before = await listed()
  expect([before.length, before[0], before[1], before.includes(newest)]).toEqual([500, own.id, first.id, false])
  await user.call(endpoints.setStartView, { body: { id: newest } })
  expect((await user.call(endpoints.views)).body.find(({ isStart }) => isStart)?.id).toBe(newest)
  await user.call(endpoints.setStartView, { body: { id: null } })
  expect((await user.call(endpoints.orderViews, { body: { ids: [newest, own.id, 2 ** 40] } })).status).toBe(204)
  expect((await listed()).slice(0, 3)).toEqual([newest, own.id, first.id])
  expect((await listed()).length).toBe(500)
})

test('the views of a deleted user are gone, also for those who opened them at sign-in', async () => {
  const api = await portal()
  const [owner, other] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  const shared = (await add(owner, { shared: true })).body
  await other.call(endpoints.setStartView, { body: { id: shared.id } })
  await other.call(endpoints.orderViews, { body: { ids: [shared.id] } })
  await owner.call(endpoints.setStartView, { body: { id: shared.id } })

  const administrator = await api.withPermissions(['ROLE_2', 'ROLE_7', 'ROLE_20'])
  expect((await administrator.call(bulkDelete, { body: [owner.userId] })).status).toBe(204)
  expect(await namesOf(other)).toEqual([])
  const [left] = await api.db.query(sql`
    select (select count(*)::int from saved_view) as views, (select count(*)::int from saved_view_place) as places,
           (select count(*)::int from start_view) as starts`)
  expect(left).toEqual({ views: 0, places: 0, starts: 0 })
})

test('a view is not saved for a user who is being deleted', async () => {
  const api = await portal()
  const owner = await api.as('ArchiveMeasurements')
  const { adding } = await api.db.transaction(async (db) => {
    await db.execute(sql`update app_user set deleted_at = now(), enabled = false where id = ${owner.userId}`)
    const adding = add(owner)
    await eventually(async () =>
      expect(
        await api.db.query(sql`
          select 1 from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`),
      ).toHaveLength(1),
    )
    return { adding }
  })
  expect((await adding).status).toBe(401)
  expect(await api.db.query(sql`select id from saved_view`)).toEqual([])
})

test('an own view is deleted without the right of its page, one of others is not seen', async () => {
  const api = await portal()
  const [owner, other] = [await api.as('Stat'), await api.withPermissions(['ROLE_4', 'ROLE_7'])]
  const [row] = await api.db.query<{ id: number }>(sql`
    insert into saved_view (user_id, page, name, search, shared)
    values (${owner.userId}, 'archive', 'Widok', '{}', true) returning id`)
  const params = { id: row?.id as number }
  expect((await other.call(endpoints.removeView, { params })).status).toBe(404)
  expect((await owner.call(endpoints.removeView, { params })).status).toBe(204)
  expect(await api.db.query(sql`select id from saved_view`)).toEqual([])
})

test('a shared view does not show the plate of its former filter in its name', async () => {
  const api = await portal()
  const owner = await api.as('ArchiveMeasurements')
  const name = 'Sprawa wgm 4k-281'
  const { id } = (await add(owner, { name, search: { plateLpr: 'WGM4K281' } })).body
  const share = (body: object) =>
    owner.call(endpoints.changeView, { params: { id }, body: { search: archive.search, shared: true, ...body } })
  expect(codesOf(await share({}))).toEqual(['name plate-in-shared-view'])
  expect((await share({ name: 'Sprawa' })).status).toBe(200)

  await add(owner, { name: 'Stacja 7: WGM 4K281 i PO7XA93', shared: true })
  const anonymised = await api.as('ArchiveMeasurements', 'Anonymization')
  expect(await namesOf(anonymised)).toEqual(['Sprawa', 'Stacja 7: … i …'])
  const auditor = await api.as('UserManagement', 'Anonymization')
  const { content } = (await auditor.call(activity.audit, { query: { ...dayOf(api), action: 'shared-view-added' } }))
    .body
  expect(content.map(({ subject, after }) => [subject, after])).toContainEqual([
    'Stacja 7: … i …',
    expect.objectContaining({ name: 'Stacja 7: … i …' }),
  ])
})
