import { audit } from '@rogatka/contract/activity.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import type { EntryState } from '@rogatka/contract/options.ts'
import {
  addContact,
  addPlate,
  changeContact,
  changePlate,
  contact,
  contacts,
  countContacts,
  exportPlates,
  hits,
  markHit,
  plate,
  plates,
  removePlate,
  removePlates,
} from '@rogatka/contract/wanted.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { fetchReport } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'

const add = async (user: Client, plateLpr: string, more: Record<string, unknown> = {}) =>
  (await user.call(addPlate, { body: { plateLpr, typeOfList: 0, description: 'Kradzież', ...more } })).body
const change = (user: Client, id: number, more: Record<string, unknown> = {}) =>
  user.call(changePlate, { params: { id }, body: { plateLpr: 'WX 1', description: 'Kradzież', ...more } })
const codes = ({ status, errors }: { status: number; errors: { path: string | null; code: string }[] }) => [
  status,
  ...errors.map(({ path, code }) => `${path} ${code}`),
]

test('a changed entry keeps its hits and matches its new plate', async () => {
  const api = await testApi()
  const user = await api.as('WantedList', 'ArchiveMeasurements')
  const station = await api.station()
  const entry = await add(user, 'WX 1')
  await send(station, [car(1, { plateLpr: 'WX1' })])
  const expiresAt = '2026-11-20T22:59:00.000Z'
  const changed = await change(user, entry.id, {
    plateLpr: 'wx-2',
    description: 'Przemyt',
    expiresAt,
    allowMisread: true,
    version: entry.version,
  })
  expect(changed.body).toMatchObject({
    id: entry.id,
    plateLpr: 'WX2',
    description: 'Przemyt',
    expiresAt,
    allowMisread: true,
    typeOfList: 0,
    hits: 1,
    createdAt: entry.createdAt,
  })
  await send(station, [car(2, { plateLpr: 'WXZ' }), car(3, { plateLpr: 'WX1' })])
  const { content } = (await user.call(hits, { params: { id: entry.id } })).body
  expect(content.map(({ id }) => id).sort()).toEqual([vehicleId(7, 1), vehicleId(7, 2)])

  const { content: log } = (
    await (
      await api.as('UserManagement')
    ).call(audit, {
      query: { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' },
    })
  ).body
  expect(log.find(({ action }) => action === 'wanted-plate-changed')).toMatchObject({
    before: { plateLpr: 'WX1', description: 'Kradzież' },
    after: { plateLpr: 'WX2', description: 'Przemyt' },
  })
})

test('refuses the second of two concurrent changes of an entry or contact', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const entry = await add(user, 'WX 1')
  const both = await Promise.all(
    ['a', 'b'].map((description) => change(user, entry.id, { description, version: entry.version })),
  )
  expect(both.map(codes).sort()).toEqual([[200], [409, 'null changed-meanwhile']])
  const body = { contact: 'a@example.org', typeOfContact: 0 as const, description: 'x' }
  const contact = (await user.call(addContact, { body })).body
  const tried = await Promise.all(
    ['a', 'b'].map((description) =>
      user.call(changeContact, {
        params: { id: contact.id },
        body: { ...body, description, version: contact.version },
      }),
    ),
  )
  expect(tried.map(codes).sort()).toEqual([[200], [409, 'null changed-meanwhile']])
})

test('validates a change like an addition', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('WantedList'), await api.as('WantedList')]
  const entry = await add(user, 'WX 1', { expiresAt: '2026-10-20T08:05:00Z' })
  await add(user, 'WX 2')
  await add(user, 'WX 3', { typeOfList: 1 })
  expect(codes(await change(user, entry.id, { plateLpr: 'wx2' }))).toEqual([409, 'plateLpr plate-already-listed'])
  expect(codes(await change(user, entry.id, { plateLpr: 'WX*' }))).toEqual([400, 'plateLpr incorrect-plate'])
  expect(codes(await change(user, entry.id, { plateLpr: 'WX 3' }))).toEqual([200])
  const past = '2026-10-20T07:00:00Z'
  expect(codes(await change(user, entry.id, { expiresAt: past }))).toEqual([422, 'expiresAt expiry-in-the-past'])
  // An expired entry may be changed without extending it.
  const over = await add(user, 'WX 4', { expiresAt: '2026-10-20T08:02:00Z' })
  api.clock.now = new Date('2026-10-20T08:03:00Z')
  expect(codes(await change(user, over.id, { plateLpr: 'WX 4', expiresAt: '2026-10-20T08:02:00Z' }))).toEqual([200])
  expect(codes(await change(user, entry.id, { userId: other.userId }))).toEqual([403, 'userId forbidden'])
  expect(codes(await change(user, 999_999))).toEqual([404, 'null wanted-plate-not-found'])
})

test('changing to the plate of an expired entry replaces it and keeps its hits', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  const station = await api.station()
  const expired = await add(user, 'WX 2', { expiresAt: '2026-10-20T08:01:00Z' })
  const entry = await add(user, 'WX 1')
  await send(station, [car(1, { plateLpr: 'WX2' }), car(2, { plateLpr: 'WX1' })])
  expect(codes(await change(user, entry.id, { plateLpr: 'WX2' }))).toEqual([409, 'plateLpr plate-already-listed'])
  api.clock.now = new Date('2026-10-20T08:01:00Z')
  expect((await change(user, entry.id, { plateLpr: 'WX2' })).body).toMatchObject({
    id: entry.id,
    plateLpr: 'WX2',
    hits: 2,
  })
  const { content } = (await user.call(plates)).body
  expect(content.map(({ id }) => id)).toEqual([entry.id])
  expect((await user.call(hits, { params: { id: expired.id } })).status).toBe(404)
  const log = await api.db.query(
    sql`select action, subject from audit where action like 'wanted-plate-%' order by id desc limit 2`,
  )
  expect(log.map(({ action }) => action).sort()).toEqual(['wanted-plate-changed', 'wanted-plate-deleted'])
})

test('only users of its list who see its owner can read, change, review or delete an entry', async () => {
  const api = await testApi()
  const station = await api.station()
  const manager = await api.as('BlackList', 'WhiteList', 'UserManagement')
  // They own it, but have only the right to the other list.
  const owner = await api.as('WhiteList')
  const entry = await add(manager, 'WX 1', { userId: owner.userId })
  await send(station, [car(1, { plateLpr: 'WX1' })])
  const hit = (await manager.call(hits, { params: { id: entry.id } })).body.content[0]
  const tries = async (user: Client) =>
    [
      await user.call(hits, { params: { id: entry.id } }),
      await user.call(markHit, {
        params: { id: entry.id, vehicleId: hit?.id ?? 0 },
        query: { createdAt: hit?.createdAt ?? '' },
        body: { falseHit: true },
      }),
      await change(user, entry.id),
      await user.call(removePlates, { body: { ids: [entry.id] } }),
      await user.call(removePlate, { params: { id: entry.id } }),
    ].map(({ status }) => status)
  // Another user, and a user manager without the right to this list.
  expect(await tries(await api.as('WantedList'))).toEqual([404, 404, 404, 404, 404])
  expect(await tries(await api.as('WhiteList', 'UserManagement'))).toEqual([404, 404, 404, 404, 404])
  expect(await tries(owner)).toEqual([404, 404, 404, 404, 404])

  const contact = { contact: 'a@example.org', typeOfContact: 0 as const, description: 'x' }
  const mine = (await (await api.as('Contacts')).call(addContact, { body: contact })).body
  const changed = (user: Client) => user.call(changeContact, { params: { id: mine.id }, body: contact })
  expect((await changed(await api.as('Contacts'))).status).toBe(404)
  expect((await changed(await api.as('Contacts', 'UserManagement'))).status).toBe(200)
  expect(await tries(manager)).toEqual([200, 204, 200, 200, 404])
})

test('searches entries by plate, description, owner and state, and sorts them', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  await add(user, 'WX 111', { description: 'Przemyt 50%', expiresAt: '2026-12-01T00:00:00Z' })
  api.clock.now = new Date('2026-10-20T08:00:01Z')
  await add(user, 'AB 222', { description: 'kradzież', expiresAt: '2026-11-01T00:00:00Z' })
  api.clock.now = new Date('2026-10-20T08:00:02Z')
  await add(user, 'MN 333', { description: 'Awaria_wagi' })
  await send(await api.station(), [car(1, { plateLpr: 'AB222' })])
  const found = async (query: object) =>
    (await user.call(plates, { query: query as never })).body.content.map(({ plateLpr }) => plateLpr)
  expect(await found({ search: 'x-1' })).toEqual(['WX111'])
  expect(await found({ search: 'KRADZIEŻ' })).toEqual(['AB222'])
  expect(await found({ search: '%' })).toEqual(['WX111'])
  expect(await found({ search: '_' })).toEqual(['MN333'])
  expect(await found({ orderBy: 'plateLpr', orderDirection: 'asc' })).toEqual(['AB222', 'MN333', 'WX111'])
  expect(await found({ orderBy: 'description', orderDirection: 'asc' })).toEqual(['MN333', 'AB222', 'WX111'])
  expect(await found({ orderBy: 'expiresAt', orderDirection: 'asc' })).toEqual(['AB222', 'WX111', 'MN333'])
  expect((await found({ orderBy: 'hits' }))[0]).toBe('AB222')
  expect(await found({ orderBy: 'createdAt', orderDirection: 'asc' })).toEqual(['WX111', 'AB222', 'MN333'])
  const manager = await api.as('WantedList', 'UserManagement')
  await add(manager, 'KR 444')
  const byOwner = (who: Client) =>
    who.call(plates, { query: { search: user.username.toUpperCase(), orderBy: 'plateLpr', orderDirection: 'asc' } })
  expect((await byOwner(manager)).body.content.map(({ plateLpr }) => plateLpr)).toEqual(['AB222', 'MN333', 'WX111'])
  // Among one's own entries it would match all of them.
  expect((await byOwner(user)).body.totalCount).toBe(0)
})

test('counts and lists entries that are valid, end within seven days, or have ended', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  // Now is 2026-10-20T08:00:00Z.
  const ends = {
    WX1: null,
    WX2: '2026-10-27T08:00:06Z',
    WX3: '2026-10-27T08:00:05Z',
    WX4: '2026-10-20T08:00:10Z',
    WX5: '2026-10-20T08:00:05Z',
  }
  for (const [plate, expiresAt] of Object.entries(ends)) await add(user, plate, { expiresAt })
  await add(user, 'AB1', { expiresAt: '2026-10-20T08:00:05Z' })
  api.clock.now = new Date('2026-10-20T08:00:05Z')
  const found = async (state?: EntryState) => {
    const { body } = await user.call(plates, {
      query: { search: 'WX', orderBy: 'plateLpr', orderDirection: 'asc', ...(state && { state }) },
    })
    expect(body.states).toEqual({ all: 5, valid: 4, expiring: 2, expired: 1 })
    expect(body.totalCount).toBe(body.content.length)
    return body.content.map(({ plateLpr }) => plateLpr)
  }
  expect(await found()).toHaveLength(5)
  expect(await found('valid')).toEqual(['WX1', 'WX2', 'WX3', 'WX4'])
  expect(await found('expiring')).toEqual(['WX3', 'WX4'])
  expect(await found('expired')).toEqual(['WX5'])
  const body = { found: { typeOfList: 0 as const, search: 'WX', state: 'expired' as const, count: 1 } }
  expect((await user.call(removePlates, { body })).body).toEqual({ deleted: 1 })
  expect((await user.call(plates)).body.states).toEqual({ all: 5, valid: 4, expiring: 2, expired: 1 })
})

test('deletes selected entries, or all found ones if their count is unchanged', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('WantedList'), await api.as('WantedList')]
  await api.db.execute(sql`
    insert into wanted_plate (created_at, user_id, type_of_list, plate, misread, description)
    select now(), ${user.userId}, 0, 'WX' || n, 'WX' || n, 'Opis ' || n from generate_series(1, 10000) n`)
  const theirs = await add(other, 'WX 5')
  const of = (body: object) => user.call(removePlates, { body: body as never })
  const ids = (await user.call(plates, { query: { limit: 100 } })).body.content.map(({ id }) => id)
  expect(codes(await of({ ids: [...ids, theirs.id] }))).toEqual([404, 'null wanted-plate-not-found'])
  expect((await of({ ids })).body).toEqual({ deleted: 100 })
  const all = (count: number, search: string) => of({ found: { typeOfList: 0, count, search } })
  const { totalCount } = (await user.call(plates, { query: { search: 'WX1' } })).body
  expect(codes(await all(totalCount + 1, 'WX1'))).toEqual([409, 'null changed-meanwhile'])
  expect((await all(totalCount, 'WX1')).body).toEqual({ deleted: totalCount })
  expect((await all(9_900 - totalCount, '')).body).toEqual({ deleted: 9_900 - totalCount })
  expect((await user.call(plates)).body.totalCount).toBe(0)
  expect((await other.call(plates)).body.totalCount).toBe(1)
  const [log] = await api.db.query(sql`select count(*)::int as n from audit where action = 'wanted-plate-deleted'`)
  expect(log).toEqual({ n: 10_000 })

  // The audit entry is equal for single and bulk deletion.
  await other.call(removePlate, { params: { id: theirs.id } })
  const again = await add(other, 'WX 5')
  expect((await other.call(removePlates, { body: { ids: [again.id] } })).body).toEqual({ deleted: 1 })
  const [one, many] = await api.db.query(sql`
    select before from audit where action = 'wanted-plate-deleted' and user_id = ${other.userId}`)
  expect(one).toMatchObject({ before: { plateLpr: 'WX5', owner: other.username } })
  expect(many).toEqual(one)
})

const fileOf = async (user: Client, query: object = {}) => {
  const { body } = await user.call(exportPlates, { query: query as never })
  return (await fetchReport(user, body)).bytes.toString()
}

test('exports the found entries as a file that can be imported', async () => {
  const api = await testApi()
  const user = await api.as('WantedList')
  await add(user, 'WX 1', { description: 'Kradzież; KPP "Wyszków"', expiresAt: '2026-12-31T22:59:59Z' })
  await add(user, 'AB 2', { description: '=1+1', allowMisread: true })
  await add(user, 'AB 3', { typeOfList: 1 })
  expect(await fileOf(user, { typesOfLists: [0] })).toBe(
    [
      '\ufefftablica;opis;ważny do;mylone znaki',
      "AB2;'=1+1;;tak",
      'WX1;"Kradzież; KPP ""Wyszków""";2026-12-31 23:59:59;nie',
      '',
    ].join('\r\n'),
  )
  expect(await fileOf(user, { search: 'ab3' })).toMatch(/^[^\n]+\nAB3;Kradzież;;nie\r\n$/)
  const stranger = await api.as('BlackList')
  expect((await stranger.call(exportPlates, { query: { typesOfLists: [1] } })).status).toBe(403)
  expect((await stranger.call(exportPlates, { query: { userId: user.userId } })).status).toBe(403)
})

test('anonymised roles learn no plates by search, order, change or file', async () => {
  const api = await testApi()
  const manager = await api.as('WantedList', 'UserManagement')
  const masked = await api.as('WantedList', 'Anonymization')
  const entry = await add(manager, 'WPR 8K47M', { userId: masked.userId, description: 'Kradzież WPR8K47M' })
  const ask = async (query: object) => codes(await masked.call(plates, { query: query as never }))
  expect(await ask({ search: 'WPR8' })).toEqual([403, 'search plates-are-anonymised'])
  expect(await ask({ orderBy: 'plateLpr' })).toEqual([403, 'orderBy plates-are-anonymised'])
  expect(await ask({ orderBy: 'description' })).toEqual([403, 'orderBy plates-are-anonymised'])
  expect(await ask({ orderBy: 'hits' })).toEqual([200])
  expect(codes(await change(masked, entry.id))).toEqual([403, 'plateLpr plates-are-anonymised'])
  expect(codes(await masked.call(exportPlates, { query: { search: 'W' } }))).toEqual([
    403,
    'search plates-are-anonymised',
  ])
  const bulk = { found: { typeOfList: 0 as const, search: 'WPR8', count: 1 } }
  expect((await masked.call(removePlates, { body: bulk })).status).toBe(403)
  const file = await fileOf(masked)
  expect(file).toContain('WP******;Kradzież WP******')
  expect(file).not.toMatch(/8k47/i)
  // The order of the file would reveal which plate is smaller.
  api.clock.now = new Date('2026-10-20T08:00:01Z')
  await add(manager, 'WPR 1A11A', { userId: masked.userId, description: 'druga' })
  const lines = (await fileOf(masked)).split('\r\n').slice(1, 3)
  expect(lines.map((line) => line.split(';')[1])).toEqual(['Kradzież WP******', 'druga'])

  // Search texts of others are in the audit log.
  await manager.call(exportPlates, { query: { search: 'WPR8K4' } })
  const reader = await api.as('UserManagement', 'Anonymization')
  const range = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
  const log = JSON.stringify((await reader.call(audit, { query: range })).body)
  expect(log).toContain('wanted-plates')
  expect(log).not.toContain('8K4')
})

test('reports whether the owner of an entry has a contact', async () => {
  const api = await testApi()
  const user = await api.as('BlackList', 'WhiteList', 'Contacts')
  const manager = await api.as('WantedList', 'UserManagement')
  expect((await add(user, 'WX 1')).notified).toBe(false)
  expect((await add(user, 'WX 2', { typeOfList: 1 })).notified).toBe(true)
  const count = async (who: Client, userId?: number) =>
    (await who.call(countContacts, { query: userId === undefined ? {} : { userId } })).body
  expect(await count(user)).toEqual({ count: 0 })
  await user.call(addContact, { body: { contact: 'a@example.org', typeOfContact: 0, description: 'x' } })
  expect(await count(user)).toEqual({ count: 1 })
  expect(await count(manager, user.userId)).toEqual({ count: 1 })
  expect(await count(manager)).toEqual({ count: 0 })
  expect((await user.call(countContacts, { query: { userId: manager.userId } })).status).toBe(403)
  expect((await user.call(plates)).body.content.every(({ notified }) => notified)).toBe(true)
  expect((await user.call(contacts)).body.content[0]?.lastMessage).toBeNull()
})

test('reads one entry with its version, only for its owner', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('WantedList'), await api.as('WantedList')]
  const entry = await add(user, 'WX 1')
  expect((await user.call(plate, { params: { id: entry.id } })).body).toEqual(entry)
  expect(codes(await other.call(plate, { params: { id: entry.id } }))).toEqual([404, 'null wanted-plate-not-found'])
  const body = { contact: 'straz@example.com', typeOfContact: 0 as const, description: 'Straż' }
  const added = (await user.call(addContact, { body })).body
  expect((await user.call(contact, { params: { id: added.id } })).body).toEqual(added)
  expect(codes(await other.call(contact, { params: { id: added.id } }))).toEqual([404, 'null contact-not-found'])
})

test('entries are deleted with their hits 90 days after their expiry, and this is audited', async () => {
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('WantedList')
  await add(user, 'WX 1', { expiresAt: '2026-10-20T08:05:00Z' })
  await add(user, 'WX 2')
  await send(station, [car(1, { plateLpr: 'WX1' })])
  const clean = api.app.jobs.recurring.find(({ name }) => name === 'delete-expired-plates')
  const listed = async (manager: Client) => (await manager.call(plates)).body.content.map(({ plateLpr }) => plateLpr)
  api.clock.now = new Date('2027-01-18T08:05:00Z')
  await clean?.work()
  expect(await listed(await api.as('WantedList', 'UserManagement'))).toEqual(['WX2', 'WX1'])
  api.clock.now = new Date('2027-01-18T08:05:00.001Z')
  await clean?.work()
  const manager = await api.as('WantedList', 'UserManagement')
  expect(await listed(manager)).toEqual(['WX2'])
  expect(await api.db.query(sql`select from wanted_hit`)).toHaveLength(0)
  const log = await manager.call(audit, {
    query: {
      dateTimeStart: '2027-01-18T00:00:00Z',
      dateTimeEnd: '2027-01-19T00:00:00Z',
      action: 'wanted-plate-deleted',
    },
  })
  expect(log.body.content).toMatchObject([{ subject: 'WX1', user: null, before: { owner: user.username } }])
})
