import { audit as auditLog } from '@rogatka/contract/activity.ts'
import * as endpoints from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { seedDemoTickets } from './demo.ts'
import { insertTicket } from './queries.ts'

const ORGANIZATION = 'Zarząd Dróg Testowych'

/** A ticket as reported at a given time. */
export const reported = (api: TestApi, at: string, closed: string | null = null, organization: string | null = null) =>
  insertTicket(api.db, organization, {
    title: 'Brak zdjęć',
    description: 'Kamera nie odpowiada',
    status: closed ? 'closed' : 'open',
    createdAt: new Date(at),
    closedAt: closed === null ? null : new Date(closed),
    handleBy: null,
    userId: null,
    reporterName: null,
    reporterEmail: null,
    about: null,
  })

test('a JSON report gets defaults, the next number of the year and its author', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const first = await user.call(endpoints.add, { body: { description: ' Nie działa waga ' } as never })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    number: '1/2026',
    title: 'Zgłoszenie z systemu WIM',
    description: 'Nie działa waga',
    status: 'open',
    isOpen: true,
    handleBy: null,
    created_at: api.clock.now.toISOString(),
    close_at: null,
    userId: user.userId,
    reporterName: 'Test Test',
    attachments: [],
  })
  const second = await user.call(endpoints.add, {
    body: {
      title: 'Kamera',
      description: 'Brak obrazu',
      userId: user.userId,
      reporterName: 'Anna Nowak',
      reporterEmail: 'anna@example.org',
    } as never,
  })
  expect(second.body).toMatchObject({
    number: '2/2026',
    reporterName: 'Anna Nowak',
    reporterEmail: 'anna@example.org',
  })
  expect((await user.call(endpoints.read, { params: { id: second.body.id } })).body).toEqual(second.body)
})

test('concurrent reports get consecutive unique numbers', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const all = await Promise.all(
    Array.from({ length: 12 }, () => user.call(endpoints.add, { body: { description: 'x' } as never })),
  )
  const numbers = all.map(({ body }) => Number(body.number.split('/')[0])).sort((a, b) => a - b)
  expect(numbers).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
})

test('names every invalid field of a report', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const wrong = { description: ' ', status: 'lost', reporterEmail: 'nobody', closedAt: 'soon' }
  const { status, errors } = await user.call(endpoints.add, { body: wrong as never })
  expect(status).toBe(400)
  expect(errors.map(({ path, code }) => [path, code])).toEqual([
    ['description', 'required-parameter-missing'],
    ['status', 'unknown-option'],
    ['closedAt', 'invalid-date'],
    ['reporterEmail', 'incorrect-email-address'],
  ])
  const broken = { payload: '{"description":', headers: { 'content-type': 'application/json' } }
  expect((await user.call(endpoints.add, broken)).errors).toMatchObject([{ code: 'bad-request' }])
  expect((await user.call(endpoints.add)).status).toBe(400)
})

test('refuses a report on behalf of another user', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const answer = await user.call(endpoints.add, { body: { description: 'x', userId: user.userId + 1 } as never })
  expect([answer.status, answer.errors[0]?.path]).toEqual([403, 'userId'])
})

test('closing sets the removal time, reopening clears it, and every change is audited', async () => {
  const api = await testApi()
  const user = await api.withPermissions(['ROLE_38', 'ROLE_20'])
  const { body: ticket } = await user.call(endpoints.add, { body: { description: 'Brak zdjęć' } as never })
  const { title, description } = ticket
  const to = async (status: endpoints.TicketStatus, more = {}) => {
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    return user.call(endpoints.change, { params: { id: ticket.id }, body: { title, description, status, ...more } })
  }
  expect((await to('in_progress', { handleBy: 'Serwis' })).body).toMatchObject({
    status: 'in_progress',
    isOpen: true,
    handleBy: 'Serwis',
    close_at: null,
  })
  const closed = await to('closed', { handleBy: 'Serwis' })
  const closedAt = api.clock.now.toISOString()
  expect(closed.body).toMatchObject({ status: 'closed', isOpen: false, close_at: closedAt })
  expect((await to('closed', { title: 'Inny' })).body).toMatchObject({ title: 'Inny', close_at: closedAt })
  const earlier = new Date(api.clock.now.getTime() - 120_000).toISOString()
  expect((await to('closed', { closedAt: earlier })).body.close_at).toBe(earlier)
  expect((await to('open')).body).toMatchObject({ status: 'open', isOpen: true, close_at: null })

  const query = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z' }
  const { body: log } = await user.call(auditLog, { query: { ...query, orderDirection: 'asc' } })
  expect(log.content.map(({ action }) => action)).toEqual(['ticket-added', ...Array(5).fill('ticket-changed')])
  expect(log.content[2]).toMatchObject({
    subject: '1/2026',
    user: { username: user.username },
    before: { status: 'in_progress', close_at: null },
    after: { status: 'closed', close_at: closedAt },
  })
})

test('refuses a removal time before the report or in the future', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const { body: ticket } = await user.call(endpoints.add, { body: { description: 'x' } as never })
  const close = (closedAt: string) =>
    user.call(endpoints.change, {
      params: { id: ticket.id },
      body: { title: 'x', description: 'x', status: 'closed', closedAt },
    })
  expect((await close('2026-10-20T07:59:59Z')).errors).toMatchObject([
    { path: 'closedAt', code: 'removed-before-reported' },
  ])
  expect((await close('2026-10-20T09:00:00Z')).errors).toMatchObject([{ path: 'closedAt', code: 'time-in-the-future' }])
})

test('refuses an outdated version of a ticket', async () => {
  const api = await testApi()
  const [one, two] = [await api.as('Tickets'), await api.as('Tickets')]
  const { body: ticket } = await one.call(endpoints.add, { body: { description: 'x' } as never })
  const change = { params: { id: ticket.id }, body: { ...ticket, title: 'A', version: ticket.version } }
  expect((await one.call(endpoints.change, change)).body.version).toBe(ticket.version + 1)
  const late = await two.call(endpoints.change, { ...change, body: { ...change.body, title: 'B' } })
  expect([late.status, late.errors[0]?.code]).toEqual([409, 'changed-meanwhile'])
  const gone = await two.call(endpoints.change, { ...change, params: { id: 999_999 } })
  expect([gone.status, gone.errors[0]?.code]).toEqual([404, 'ticket-not-found'])
})

test('shows the month of the newest report, with durations, running total and available months', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-10-20T08:00:00Z')
  const user = await api.as('Tickets')
  expect((await user.call(endpoints.list)).body).toMatchObject({ year: 2026, month: 10, content: [], months: [] })

  // In Warsaw: 31 July 22:00 to 1 August 02:00; 5 October 10:00 to 12:00; 11:00 to 13:30; open since 20 October 09:00.
  await reported(api, '2026-07-31T20:00Z', '2026-08-01T00:00Z')
  await reported(api, '2026-10-05T08:00Z', '2026-10-05T10:00Z')
  await reported(api, '2026-10-05T09:00Z', '2026-10-05T11:30Z')
  await reported(api, '2026-10-20T07:00Z')
  const { body } = await user.call(endpoints.list)
  expect([body.year, body.month, body.totalDurationMinutes]).toEqual([2026, 10, 270])
  expect(
    body.content.map(({ number, durationMinutes, totalDurationMinutes }) => [
      number,
      durationMinutes,
      totalDurationMinutes,
    ]),
  ).toEqual([
    ['2/2026', 120, 120],
    ['3/2026', 150, 210],
    ['4/2026', 60, 270],
  ])
  expect(body.months).toEqual([
    { year: 2026, month: 7, tickets: 1 },
    { year: 2026, month: 8, tickets: 1 },
    { year: 2026, month: 10, tickets: 3 },
  ])
  const august = (await user.call(endpoints.list, { query: { year: 2026, month: 8 } })).body
  expect(august.content).toMatchObject([{ number: '1/2026', durationMinutes: 240, totalDurationMinutes: 120 }])
  // A month needs both of its parameters.
  for (const query of [{ year: 2025 }, { month: 8 }])
    expect((await user.call(endpoints.list, { query })).body).toMatchObject({ year: 2026, month: 10 })
})

test('a failure removed at midnight is not in the next month, and an open one lasts until now', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  await reported(api, '2026-06-10T00:00Z', '2026-06-30T22:00Z')
  await reported(api, '2026-08-31T22:00Z')
  const { months } = (await user.call(endpoints.list)).body
  expect(months.map(({ month }) => month)).toEqual([6, 9, 10])
  const july = (await user.call(endpoints.list, { query: { year: 2026, month: 7 } })).body
  expect(july).toMatchObject({ content: [], totalDurationMinutes: 0 })
})

test('shows, changes, prints and numbers only tickets of the configured organization', async () => {
  const api = await testApi({ organization: ORGANIZATION })
  const user = await api.as('Tickets')
  const other = await reported(api, '2026-10-19T08:00Z', null, 'Inny zarząd')
  const { body: own } = await user.call(endpoints.add, { body: { description: 'nasze' } as never })
  expect(own.number).toBe('1/2026')
  expect((await user.call(endpoints.list)).body.content.map(({ id }) => id)).toEqual([own.id])
  expect((await user.call(endpoints.read, { params: { id: other } })).status).toBe(404)
  const change = { title: 'x', description: 'x', status: 'closed' as const }
  expect((await user.call(endpoints.change, { params: { id: other }, body: change })).status).toBe(404)
  expect((await user.call(endpoints.attachment, { params: { id: other } })).status).toBe(404)
  const september = await user.call(endpoints.report, { query: { year: 2026, month: 9 } })
  expect(september.errors).toMatchObject([{ code: 'no-tickets-in-month' }])
})

test('seeds demo tickets of several months once, some of them open', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  for (let start = 0; start < 2; start++) await seedDemoTickets(api.db, null, user.userId, api.clock.now)
  const { months } = (await user.call(endpoints.list)).body
  expect(months.length).toBeGreaterThanOrEqual(4)
  const all = await api.db.query<{ status: string; tickets: number }>(sql`
    select status, count(*)::int as tickets from ticket group by status order by status`)
  expect(all).toEqual([
    { status: 'closed', tickets: 11 },
    { status: 'in_progress', tickets: 2 },
    { status: 'open', tickets: 1 },
  ])
})

test('the history of a ticket excludes a ticket of another organization with its number', async () => {
  const first = await testApi({ organization: 'Zarząd A' })
  const second = await testApi({ organization: 'Zarząd B' }, first)
  const added = async (api: typeof first) => {
    const user = await api.as('Tickets')
    const { body } = await user.call(endpoints.add, { body: { description: 'x' } as never })
    const change = { title: user.username, description: 'x', status: 'closed' as const }
    await user.call(endpoints.change, { params: { id: body.id }, body: change })
    const history = async () => (await user.call(endpoints.history, { params: { id: body.id } })).body
    return { user, ticket: body, history }
  }
  const [one, other] = [await added(first), await added(second)]
  expect([one.ticket.number, other.ticket.number]).toEqual(['1/2026', '1/2026'])
  for (const { user, history } of [one, other])
    expect((await history()).map(({ by, isNew }) => [by, isNew])).toEqual([
      [user.username, true],
      [user.username, false],
    ])
})

test('finds tickets across months by state and station, and lists the history of one', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('Tickets')
  const add = async (description: string) =>
    (await user.call(endpoints.add, { body: { title: description, description } as never })).body
  const [first, second] = [await add('pierwsza'), await add('druga')]
  await api.db.execute(
    sql`update ticket set created_at = '2026-07-01T08:00:00Z', location_id = 7 where id = ${first.id}`,
  )
  const change = { title: 'druga', description: 'druga', status: 'closed' as const, handleBy: 'Serwis' }
  api.clock.now = new Date('2026-10-20T08:01:00Z')
  await user.call(endpoints.change, { params: { id: second.id }, body: change })
  const found = async (query: object) =>
    (await user.call(endpoints.find, { query: query as never })).body.content.map(({ id }) => id)
  expect(await found({})).toEqual([second.id, first.id])
  expect(await found({ open: true })).toEqual([first.id])
  expect(await found({ locationId: 7 })).toEqual([first.id])
  expect(await found({ locationId: 8 })).toEqual([])
  expect(await found({ page: 2, limit: 1 })).toEqual([first.id])

  const { body } = await user.call(endpoints.history, { params: { id: second.id } })
  expect(body).toEqual([
    { at: '2026-10-20T08:00:00.000Z', by: user.username, kind: 'portal', isNew: true, changes: [], addedFiles: [] },
    {
      at: '2026-10-20T08:01:00.000Z',
      by: user.username,
      kind: 'portal',
      isNew: false,
      addedFiles: [],
      changes: [
        { field: 'status', before: 'open', after: 'closed' },
        { field: 'handleBy', before: null, after: 'Serwis' },
      ],
    },
  ])
  expect((await user.call(endpoints.history, { params: { id: 999 } })).status).toBe(404)
})
