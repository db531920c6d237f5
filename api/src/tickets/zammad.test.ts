import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { outbox } from '@rogatka/contract/activity.ts'
import * as endpoints from '@rogatka/contract/tickets.ts'
import { markerIn } from '@rogatka/domain/tickets/service.ts'
import { expect, test, vi } from 'vitest'
import type { Config } from '../config.ts'
import { openFiles } from '../core/open-files.ts'
import { decrypt } from '../core/secrets.ts'
import { sql } from '../core/statement.ts'
import { jpeg } from '../ingest/testing.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { tokenOf } from './account-queries.ts'
import { pushTicket } from './push.ts'
import type { Service } from './service.ts'
import { form } from './testing.ts'
import { createFakeZammad } from './testing-zammad.ts'
import { createZammadClient } from './zammad.ts'

const ORGANIZATION = 'Zarząd Dróg Testowych'
const MINUTE = 60_000

async function portalWithZammad(more: Partial<Config> = {}) {
  const clock = { now: new Date('2026-10-20T08:00:00Z') }
  const zammad = await createFakeZammad(clock)
  const secretKey = randomBytes(32)
  const api = await testApi({ zammad: zammad.settings, secretKey, organization: ORGANIZATION, ...more })
  const pass = (minutes: number) => {
    clock.now = new Date(clock.now.getTime() + minutes * MINUTE)
    api.clock.now = clock.now
  }
  pass(0)
  const recurring = (name: string) => api.app.jobs.recurring.find((one) => one.name === name)?.work()
  /** Runs a minute of jobs; delayed retries run now. */
  const minute = async () => {
    pass(1)
    await recurring('sync-tickets')
    await api.db.execute(sql`update graphile_worker._private_jobs set run_at = now()`)
    await api.runJobs()
  }
  const report = async (description: string, more = {}) => {
    const user = await api.as('Tickets')
    const body = { description, reporterName: 'Anna Nowak', reporterEmail: 'anna@example.org', ...more }
    return { user, ticket: (await user.call(endpoints.add, { body: body as never })).body }
  }
  const messages = async (kind: string) => {
    const admin = await api.as('UsersAdmin')
    return (await admin.call(outbox, { query: { limit: 100 } })).body.content.filter((one) => one.kind === kind)
  }
  const readAgain = async (id: number) =>
    (await (await api.as('Tickets')).call(endpoints.read, { params: { id } })).body
  return { api, zammad, secretKey, pass, minute, report, messages, readAgain }
}

test('sends a ticket with reporter, text and attachment, and every change of its status', async () => {
  const { api, zammad, minute, readAgain } = await portalWithZammad()
  const user = await api.as('Tickets')
  const picture = await jpeg()
  const fields = {
    title: 'Kamera',
    description: 'Brak obrazu',
    reporterName: 'Jan Żak',
    reporterEmail: 'jan@example.org',
  }
  const { body: ticket } = await user.call(endpoints.add, form(fields, { name: 'zdjęcie.jpg', bytes: picture }))
  await minute()

  expect(zammad.tickets).toHaveLength(1)
  const remote = zammad.tickets[0] as (typeof zammad.tickets)[number]
  expect(remote).toMatchObject({ state: 'new', group: 'Users', customer_id: 99, owner_id: 1, by: 'rogatka' })
  expect(remote.title).toMatch(/^Kamera \[WIM-[0-9a-f]{12}\]$/)
  expect(zammad.articles[0]?.body).toBe('Jan Żak\njan@example.org\nRogatka 1/2026\n\nBrak obrazu')
  expect(zammad.articles[0]?.attachments).toMatchObject([{ filename: 'zdjęcie.jpg', type: 'image/jpeg' }])
  expect(zammad.articles[0]?.attachments[0]?.bytes.equals(picture)).toBe(true)
  expect((await readAgain(ticket.id)).serviceNumber).toBe(remote.number)

  const to = async (status: endpoints.TicketStatus) => {
    const { title, description } = ticket
    await user.call(endpoints.change, { params: { id: ticket.id }, body: { title, description, status } })
    await minute()
  }
  await to('in_progress')
  expect(remote).toMatchObject({ state: 'open', owner_id: 2 })
  await to('closed')
  // The owner is kept.
  expect(remote).toMatchObject({ state: 'closed', owner_id: 2 })
  await to('open')
  expect(remote).toMatchObject({ state: 'open', owner_id: 1 })
  // Nothing is imported back as a change or second attachment.
  await minute()
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'open', version: 4, attachments: [{ number: 1 }] })
  expect(zammad.requests.filter((request) => request === 'POST /tickets')).toHaveLength(1)
})

test('creates one remote ticket after a lost response', async () => {
  const { zammad, minute, report, messages, readAgain } = await portalWithZammad()
  const { ticket } = await report('Nie działa waga')
  zammad.mood.loseAnswerOf = /^POST \/tickets$/
  await minute()
  expect(zammad.tickets).toHaveLength(1)
  expect(await messages('ticket-push')).toMatchObject([
    { attempts: 1, sentAt: null, lastError: 'HTTP error! status: 500 (Lost)' },
  ])
  await minute()
  await minute()
  expect(zammad.tickets).toHaveLength(1)
  expect((await readAgain(ticket.id)).serviceNumber).toBe(zammad.tickets[0]?.number)
  expect(await messages('ticket-push')).toMatchObject([{ sentAt: expect.any(String), lastError: null }])
})

test('sends every ticket once, in its current state, after the service was unavailable', async () => {
  const { api, zammad, minute, report, messages } = await portalWithZammad()
  zammad.mood.down = true
  const first = await report('pierwsze')
  await report('drugie')
  await minute()
  const { title, description } = first.ticket
  const closed = { title, description, status: 'closed' as const }
  await first.user.call(endpoints.change, { params: { id: first.ticket.id }, body: closed })
  for (let round = 0; round < 3; round++) await minute()
  expect((await messages('ticket-push')).map(({ sentAt }) => sentAt)).toEqual([null, null])
  expect(await messages('ticket-pull')).toMatchObject([
    { recipient: 'Zammad', sentAt: null, lastError: 'fetch failed' },
  ])

  zammad.mood.down = false
  for (let round = 0; round < 3; round++) await minute()
  expect(zammad.tickets.map(({ state }) => state).sort()).toEqual(['closed', 'new'])
  expect((await messages('ticket-pull'))[0]?.sentAt).not.toBeNull()
  const waiting = await api.db.query(sql`select from outbox where sent_at is null`)
  expect(waiting).toHaveLength(0)
})

test('creates no second remote ticket after a timeout or under concurrency', async () => {
  const { api, zammad, secretKey, pass, report } = await portalWithZammad()
  const { ticket } = await report('powoli')
  const service: Service = {
    zammad: createZammadClient(zammad.settings, 300),
    files: openFiles(api.app.api.config),
    config: { organization: ORGANIZATION },
    key: secretKey,
  }
  const push = () => pushTicket(api.db, service, ticket.id, api.clock.now)
  await service.zammad.me()
  await service.zammad.stateName('new')
  zammad.mood.slowMs = 600
  await expect(push()).rejects.toThrow(/timeout/)
  // The ticket being created is not visible yet: no second one is created.
  const made = zammad.tickets.splice(0)
  zammad.mood.slowMs = 0
  await expect(push()).rejects.toThrow('The last attempt was not answered')
  expect(zammad.tickets).toHaveLength(0)
  zammad.tickets.push(...made)
  await push()
  await push()
  expect(zammad.tickets).toHaveLength(1)

  // Concurrently.
  const other = (await report('naraz')).ticket
  const both = await Promise.allSettled([1, 2].map(() => pushTicket(api.db, service, other.id, api.clock.now)))
  expect(both.map(({ status }) => status)).toContain('fulfilled')
  expect(zammad.tickets).toHaveLength(2)

  // A ticket that was not created is created once that is certain.
  const third = (await report('przepadło')).ticket
  zammad.mood.down = true
  await expect(pushTicket(api.db, service, third.id, api.clock.now)).rejects.toThrow()
  zammad.mood.down = false
  pass(2)
  await pushTicket(api.db, service, third.id, api.clock.now)
  expect(zammad.tickets).toHaveLength(3)
})

test.each([307, 401, 403, 422])('shows a refusal with %i to administrators and retries it', async (status) => {
  const { zammad, minute, report, messages } = await portalWithZammad()
  zammad.mood.refuse = { match: /^POST \/tickets$/, status }
  await report('x')
  await minute()
  expect(await messages('ticket-push')).toMatchObject([
    { recipient: '1/2026', attempts: 1, sentAt: null, lastError: `HTTP error! status: ${status} (Refused)` },
  ])
  zammad.mood.refuse = null
  await minute()
  expect(zammad.tickets).toHaveLength(1)
})

test('applies remote ticket changes', async () => {
  const { api, zammad, minute, report, readAgain, pass } = await portalWithZammad()
  const { user, ticket } = await report('Brak zdjęć')
  await minute()
  const remote = zammad.tickets[0] as (typeof zammad.tickets)[number]
  const there = (change: Partial<typeof remote>) => {
    pass(1)
    Object.assign(remote, change, { updated_at: api.clock.now.toISOString() })
  }
  there({ state: 'open', owner_id: 2 })
  await minute()
  expect((await readAgain(ticket.id)).status).toBe('in_progress')

  const picture = await jpeg(40)
  zammad.articles.push({
    id: 999,
    ticket_id: remote.id,
    body: 'Naprawione',
    subject: '',
    from: 'serwis',
    attachments: [
      { id: 7_001, filename: 'po naprawie.jpg', size: picture.length, bytes: picture, type: 'image/jpeg' },
      { id: 7_002, filename: 'wirus.png', size: 20, bytes: Buffer.from('MZ this is a program'), type: 'image/png' },
    ],
  })
  const closedAt = api.clock.now.toISOString()
  there({ state: 'closed', close_at: closedAt })
  await minute()
  const closed = await readAgain(ticket.id)
  expect(closed).toMatchObject({ status: 'closed', isOpen: false, close_at: closedAt })
  expect(closed.attachments).toMatchObject([{ number: 1, name: 'po naprawie.jpg', type: 'image/jpeg' }])
  const file = await user.call(endpoints.attachment, { params: { id: ticket.id } })
  expect(file.bytes.equals(picture)).toBe(true)
  const log = await api.db.query(sql`select user_id from audit where action = 'ticket-changed-by-service'`)
  expect(log).toEqual([{ user_id: null }, { user_id: null }])

  // Reopened here while assigned there.
  const body = { title: closed.title, description: closed.description, status: 'open' as const }
  await user.call(endpoints.change, { params: { id: ticket.id }, body })
  there({ state: 'pending reminder' })
  await minute()
  await minute()
  expect((await readAgain(ticket.id)).status).toBe('open')
  expect(remote.state).toBe('open')
})

test('imports remote tickets of the own organization once, and none of others', async () => {
  const { api, zammad, minute, report } = await portalWithZammad()
  const customer = {
    id: 300,
    login: 'k',
    email: 'k@example.org',
    password: 'p',
    roles: [],
    group_ids: {},
    organization_id: 11,
  }
  zammad.users.push(customer, { ...customer, id: 301, email: 'o@example.org', organization_id: 12 })
  const article = {
    subject: 's',
    body: '<p>Wyłamana szafa</p><div>przy znaku &amp; wadze</div>',
    type: 'note',
    internal: false,
  }
  for (const customer_id of [300, 301])
    zammad.addTicket({ title: 'Szafa', group: 'Users', customer_id, state: 'new', article }, customer)
  await report('nasze')
  for (let round = 0; round < 3; round++) await minute()

  const { content } = (await (await api.as('Tickets')).call(endpoints.list)).body
  expect(content.map(({ title, description, userId }) => [title, description, userId === null])).toEqual([
    ['Zgłoszenie z systemu WIM', 'nasze', false],
    ['Szafa', 'Wyłamana szafa\nprzy znaku & wadze', true],
  ])
  expect(zammad.tickets).toHaveLength(3)
  expect(zammad.tickets.filter(({ title }) => markerIn(title))).toHaveLength(1)
})

test('does not fetch a refused or crashing remote file again', async () => {
  const { api, zammad, minute, report, readAgain, pass } = await portalWithZammad()
  const { ticket } = await report('Brak zdjęć')
  await minute()
  const remote = zammad.tickets[0] as (typeof zammad.tickets)[number]
  // Decompresses to 8 MB of brackets.
  const stream = deflateSync(Buffer.alloc(8 * 1024 * 1024, '9 0 [[[['))
  const dictionary = `<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length ${stream.length}>>`
  const bomb = Buffer.concat([
    Buffer.from(`%PDF-1.7\n1 0 obj\n${dictionary}\nstream\n`),
    stream,
    Buffer.from('\nendstream\nendobj\nstartxref\n9\n%%EOF\n'),
  ])
  const photo = await jpeg(40)
  const file = (id: number, filename: string, bytes: Buffer) => ({ id, filename, size: bytes.length, bytes, type: '' })
  zammad.articles.push({
    id: 999,
    ticket_id: remote.id,
    body: '<'.repeat(400_000),
    subject: '',
    from: 'serwis',
    attachments: [file(7_001, 'a.pdf', bomb), file(7_002, 'b.jpg', photo), file(7_003, 'c.jpg', await jpeg(48))],
  })
  // A process died twice while reading the third.
  await api.db.execute(sql`insert into ticket_service_file values (${ticket.id}, 7003, 2)`)
  for (let round = 0; round < 3; round++) {
    pass(1)
    remote.updated_at = api.clock.now.toISOString()
    await minute()
  }
  const fetched = (id: number) => zammad.requests.filter((request) => request.endsWith(`/999/${id}`)).length
  expect([7_001, 7_002, 7_003].map(fetched)).toEqual([1, 1, 0])
  expect((await readAgain(ticket.id)).attachments).toMatchObject([{ number: 1, name: 'b.jpg' }])
})

test('a refused addition is shown as refused and does not block others', async () => {
  const { api, zammad, minute, report, readAgain, messages, pass } = await portalWithZammad()
  const { user, ticket } = await report('Brak zdjęć')
  const add = async (name: string, size: number) => {
    pass(1)
    const file = { name, bytes: await jpeg(size) }
    await user.call(endpoints.addAttachments, { ...form({}, file), params: { id: ticket.id } })
  }
  const arrived = () => zammad.articles.slice(1).map(({ body }) => body)
  const refused = async () =>
    (await readAgain(ticket.id)).attachments.filter(({ isRefused }) => isRefused).map(({ name }) => name)
  await minute()
  await add('a.jpg', 40)
  await add('b.jpg', 48)
  zammad.mood.refuseText = 'a.jpg'
  await minute()
  expect(arrived()).toEqual(['Dodane pliki: b.jpg'])
  expect(await refused()).toEqual(['a.jpg'])
  expect(await messages('ticket-push')).toMatchObject([
    { sentAt: null, lastError: 'HTTP error! status: 422 (Unwanted)' },
    { lastError: null },
  ])
  // The retry of the first message may be hours away.
  await add('c.jpg', 56)
  pass(1)
  await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  await api.runJobs()
  expect(arrived()).toEqual(['Dodane pliki: b.jpg', 'Dodane pliki: c.jpg'])

  zammad.mood.refuseText = null
  await minute()
  expect(arrived().at(-1)).toBe('Dodane pliki: a.jpg')
  expect(await refused()).toEqual([])
  // After some days it is not retried.
  await add('d.jpg', 64)
  zammad.mood.refuseText = 'd.jpg'
  await minute()
  pass(4 * 1_440)
  zammad.requests.length = 0
  for (let round = 0; round < 2; round++) await minute()
  expect(zammad.requests.filter((request) => request.startsWith('PUT'))).toEqual([])
  expect(arrived()).toHaveLength(3)
})

/** A ticket owned by a technician of the service. */
async function takenByTechnician() {
  const portal = await portalWithZammad()
  const { zammad, minute, report, pass, api } = portal
  zammad.users.push({
    id: 3,
    login: 'serwis@example.org',
    email: 'serwis@example.org',
    password: 'p',
    roles: ['Agent'],
    group_ids: {},
    firstname: 'Piotr',
    lastname: 'Serwisant',
  })
  const { user, ticket } = await report('Brak zdjęć')
  await minute()
  const remote = zammad.tickets[0] as (typeof zammad.tickets)[number]
  const there = (change: Partial<typeof remote>) => {
    pass(1)
    Object.assign(remote, change, { updated_at: api.clock.now.toISOString() })
  }
  const edit = (change: object) =>
    user.call(endpoints.change, {
      params: { id: ticket.id },
      body: { title: ticket.title, description: ticket.description, status: 'in_progress', ...change },
    })
  return { ...portal, user, ticket, remote, there, edit }
}

test('an edit keeps the remote owner, pending state and title, and sends changed texts as one article', async () => {
  const { zammad, minute, ticket, remote, there, edit, readAgain } = await takenByTechnician()
  there({ state: 'pending reminder', owner_id: 3, title: `Kamera 2 ${remote.title.slice(-18)}` })
  await minute()
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'in_progress', serviceOwner: 'Piotr Serwisant' })
  await edit({ description: 'Brak zdjęć na pasie 2', handleBy: 'Firma Waga' })
  await minute()
  expect(remote).toMatchObject({ state: 'pending reminder', owner_id: 3 })
  expect(remote.title).toMatch(/^Kamera 2 /)
  const texts = () => zammad.articles.filter(({ ticket_id }) => ticket_id === remote.id).map(({ body }) => body)
  expect(texts().slice(1)).toEqual([
    'Zmiana w portalu Rogatka\n\nOdpowiedzialny: Firma Waga\nOpis:\nBrak zdjęć na pasie 2',
  ])
  await edit({ title: 'Kamera 3', description: 'Brak zdjęć na pasie 2', handleBy: 'Firma Waga' })
  await minute()
  expect(remote.title).toMatch(/^Kamera 3 \[WIM-/)
  expect(texts()).toHaveLength(2)
  // Closed here: the technician stays its owner.
  await edit({ title: 'Kamera 3', description: 'Brak zdjęć na pasie 2', handleBy: 'Firma Waga', status: 'closed' })
  await minute()
  expect(remote).toMatchObject({ state: 'closed', owner_id: 3 })
  await edit({ title: 'Kamera 3', description: 'Brak zdjęć na pasie 2', handleBy: 'Firma Waga' })
  await minute()
  expect(remote).toMatchObject({ state: 'open', owner_id: 3 })
})

test('keeps both an edit and a concurrent remote assignment', async () => {
  const { minute, ticket, remote, there, edit, readAgain } = await takenByTechnician()
  there({ state: 'open', owner_id: 3 })
  await edit({ description: 'inaczej', status: 'open' })
  await minute()
  await minute()
  expect(remote).toMatchObject({ state: 'open', owner_id: 3 })
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'in_progress', description: 'inaczej' })

  // Started in the portal on a ticket that was assigned there meanwhile.
  const second = await takenByTechnician()
  second.there({ state: 'pending reminder', owner_id: 3 })
  await second.edit({})
  await second.minute()
  expect(second.remote).toMatchObject({ state: 'pending reminder', owner_id: 3 })
})

test('writes an article once after a lost response, and again when its texts recur', async () => {
  const { api, zammad, minute, remote, edit } = await takenByTechnician()
  const articles = () => zammad.articles.filter(({ ticket_id }) => ticket_id === remote.id).length - 1
  zammad.mood.loseAnswerOf = /^PUT \/tickets\//
  await edit({ description: 'drugi opis', status: 'open' })
  await minute()
  expect(articles()).toBe(1)
  zammad.mood.loseAnswerOf = null
  await minute()
  await minute()
  expect(articles()).toBe(1)
  expect(await api.db.query(sql`select from outbox where sent_at is null`)).toHaveLength(0)
  for (const description of ['Brak zdjęć', 'drugi opis']) {
    await edit({ description, status: 'open' })
    await minute()
  }
  expect(articles()).toBe(3)
})

test('clamps remote closing times between the report and now', async () => {
  const { api, zammad, minute, ticket, remote, there, readAgain } = await takenByTechnician()
  there({ state: 'closed', owner_id: 3, close_at: new Date(api.clock.now.getTime() + 3_600_000).toISOString() })
  await minute()
  const closed = await readAgain(ticket.id)
  expect(closed.status).toBe('closed')
  expect(closed.close_at).toBe(api.clock.now.toISOString())

  // Clock behind: not before its report here.
  there({ state: 'open' })
  await minute()
  there({ state: 'closed', close_at: new Date(Date.parse(ticket.created_at) - 3_600_000).toISOString() })
  await minute()
  expect((await readAgain(ticket.id)).close_at).toBe(ticket.created_at)

  zammad.mood.aheadMs = 3_600_000
  const customer = {
    id: 300,
    login: 'k',
    email: 'k@example.org',
    password: 'p',
    roles: [],
    group_ids: {},
    organization_id: 11,
  }
  zammad.users.push(customer)
  const article = { subject: 's', body: 'x', type: 'note', internal: false }
  zammad.addTicket({ title: 'Szafa', group: 'Users', customer_id: 300, state: 'closed', article }, customer)
  await minute()
  const { content } = (await (await api.as('Tickets')).call(endpoints.list)).body
  const imported = content.find(({ title }) => title === 'Szafa')
  expect([imported?.created_at, imported?.close_at]).toEqual([api.clock.now.toISOString(), api.clock.now.toISOString()])
  expect(remote.state).toBe('closed')
})

test('holds no advisory lock during remote requests, and the lease of a dead process expires', async () => {
  const { api, zammad, secretKey, report } = await portalWithZammad()
  const { ticket } = await report('powoli')
  const service: Service = {
    zammad: createZammadClient(zammad.settings, 400),
    files: openFiles(api.app.api.config),
    config: { organization: ORGANIZATION },
    key: secretKey,
  }
  const locks = () =>
    api.db.query(sql`
      select count(*)::int as n from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and d.datname = current_database()`)
  const before = await locks()
  zammad.mood.slowMs = 2_000
  const pushing = expect(pushTicket(api.db, service, ticket.id, api.clock.now)).rejects.toThrow(/timeout/)
  await vi.waitFor(() => expect(zammad.requests).not.toHaveLength(0))
  expect(await locks()).toEqual(before)
  await pushing
  zammad.mood.slowMs = 0
  expect(await api.db.query(sql`select from ticket_lease`)).toHaveLength(0)

  const push = () => pushTicket(api.db, service, ticket.id, api.clock.now)
  await api.db.execute(sql`
    insert into ticket_lease values (${`push ticket ${ticket.id}`}, 'dead', now() + interval '20 seconds')`)
  await expect(push()).rejects.toThrow('The ticket is being sent already')
  await api.db.execute(sql`update ticket_lease set expires_at = now() - interval '1 second'`)
  await push()
  expect(zammad.tickets).toHaveLength(1)
})

async function flagged(api: TestApi, email: string) {
  const user = await api.as('Tickets')
  await api.db.execute(sql`update app_user set ticket = true, email = ${email} where id = ${user.userId}`)
  return user
}

test.each(['token', 'name'] as const)(
  'creates an account and a token for a user with the ticket flag, returned by %s',
  async (answer) => {
    const { api, zammad, secretKey, minute, readAgain } = await portalWithZammad()
    zammad.mood.tokenAnswer = answer
    const user = await flagged(api, 'ewa@example.org')
    await minute()
    expect(zammad.users.at(-1)).toMatchObject({
      login: 'ewa@example.org',
      firstname: 'Test',
      roles: ['Agent', 'Customer'],
      group_ids: { 1: ['full'] },
      organization_id: 11,
    })
    const { body } = await user.call(endpoints.readToken)
    expect(body).toMatchObject({
      stored: true,
      email: 'ewa@example.org',
      expiresAt: expect.stringMatching(/^2028-10-20/),
    })
    const [row] = await api.db.query<{ token: Buffer; password: Buffer | null }>(sql`
    select token_secret as token, password_secret as password from ticket_account where user_id = ${user.userId}`)
    expect(row?.password).toBeNull()
    expect(row?.token.includes('token-of')).toBe(false)
    expect(decrypt(secretKey, row?.token as Buffer, `ticket token of user ${user.userId}`)).toBe(
      'token-of-ewa@example.org',
    )

    // Tickets are then created in their name, and in the portal's once the token is revoked.
    const add = async () => (await user.call(endpoints.add, { body: { description: 'x' } as never })).body
    await add()
    await minute()
    expect(zammad.tickets.at(-1)).toMatchObject({ by: 'ewa@example.org', organization: ORGANIZATION })
    zammad.tokens.delete('token-of-ewa@example.org')
    const second = await add()
    await minute()
    expect(zammad.tickets.at(-1)).toMatchObject({ by: 'rogatka' })
    expect((await readAgain(second.id)).serviceNumber).not.toBeNull()
  },
)

test('adopts an account after a lost response', async () => {
  const { api, zammad, minute, messages, pass } = await portalWithZammad()
  const user = await flagged(api, 'ewa@example.org')
  zammad.mood.loseAnswerOf = /^POST \/users$/
  await minute()
  expect(await messages('ticket-account')).toMatchObject([
    { recipient: 'ewa@example.org', lastError: 'HTTP error! status: 500 (Lost)', sentAt: null },
  ])
  zammad.mood.loseAnswerOf = null
  zammad.mood.tokenAnswer = 'none'
  await minute()
  expect((await messages('ticket-account'))[0]?.lastError).toBe('Token is missing in the response')
  zammad.mood.tokenAnswer = 'token'
  pass(1_440)
  await minute()
  expect(zammad.users.filter(({ email }) => email === 'ewa@example.org')).toHaveLength(1)
  // Their session has expired meanwhile.
  expect(await tokenOf(api.db, user.userId)).toMatchObject({ stored: true, email: 'ewa@example.org' })

  const other = await flagged(api, 'ola@example.org')
  zammad.mood.tokenAnswer = 'none'
  for (let round = 0; round < 3; round++) await minute()
  expect((await messages('ticket-account'))[0]?.lastError).toBe('Token is missing in the response')
  expect((await other.call(endpoints.readToken)).body).toEqual({ stored: false, email: null, expiresAt: null })
  // Each attempt creates a remote token: once a day, revoking the previous one.
  const left = () => [...zammad.tokens.keys()].filter((token) => token.includes('ola@'))
  expect(left()).toHaveLength(1)
  pass(1_441)
  await minute()
  expect(zammad.requests.filter((request) => request === 'POST /user_access_token')).toHaveLength(4)
  expect(left()).toHaveLength(1)
})

test('stores a user’s token encrypted and never returns it', async () => {
  const { api, secretKey } = await portalWithZammad()
  const user = await api.as('Tickets')
  const body = { token: 'moj-tajny-token', email: 'ja@example.org' }
  const saved = await user.call(endpoints.saveToken, { body })
  expect(saved.body).toEqual({ stored: true, email: 'ja@example.org', expiresAt: '2028-10-20T08:00:00.000Z' })
  expect((await user.call(endpoints.readToken)).body).toEqual(saved.body)
  const [row] = await api.db.query<{ token: Buffer }>(sql`select token_secret as token from ticket_account`)
  expect(decrypt(secretKey, row?.token as Buffer, `ticket token of user ${user.userId}`)).toBe('moj-tajny-token')
  const everything = await api.db.query(sql`select after::text from audit`)
  expect(JSON.stringify(everything)).not.toContain('moj-tajny-token')
  const faults = (await user.call(endpoints.saveToken, { body: { token: ' ', email: '' } })).errors
  expect(faults.map(({ path, code }) => [path, code])).toEqual([
    ['token', 'service-token-required'],
    ['email', 'user-email-required'],
  ])
})

test('queues nothing without a ticket service, and stores no token without a key', async () => {
  const api = await testApi()
  const user = await flagged(api, 'ewa@example.org')
  await user.call(endpoints.add, { body: { description: 'x' } as never })
  await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  expect(await api.db.query(sql`select from outbox`)).toHaveLength(0)
  const refused = await user.call(endpoints.saveToken, { body: { token: 'x', email: 'ja@example.org' } })
  expect(refused.errors).toMatchObject([{ code: 'tokens-cannot-be-kept' }])
})

test('sends each addition of files once, as one article, despite lost responses', async () => {
  const { api, zammad, minute, report, readAgain } = await portalWithZammad()
  const { user, ticket } = await report('Brak zdjęć')
  const add = async (...names: [string, number][]) => {
    const files = await Promise.all(names.map(async ([name, size]) => ({ name, bytes: await jpeg(size) })))
    const { status } = await user.call(endpoints.addAttachments, { ...form({}, ...files), params: { id: ticket.id } })
    expect(status).toBe(200)
  }
  const arrived = () => zammad.articles.map(({ body, attachments }) => [body.split('\n').at(-1), attachments.length])
  // Before the ticket itself has arrived.
  await add(['a.jpg', 40])
  await minute()
  expect(arrived()).toEqual([
    ['Brak zdjęć', 0],
    ['Dodane pliki: a.jpg', 1],
  ])
  const size = zammad.articles[1]?.attachments[0]?.bytes.length
  expect(size).toBe((await readAgain(ticket.id)).attachments[0]?.size)

  await add(['b.jpg', 48], ['c.jpg', 56])
  zammad.mood.loseAnswerOf = /^PUT /
  await minute()
  // After the one with a lost response.
  await add(['d.jpg', 64])
  for (let round = 0; round < 2; round++) await minute()
  zammad.mood.loseAnswerOf = null
  for (let round = 0; round < 4; round++) await minute()
  expect(arrived().slice(2)).toEqual([
    ['Dodane pliki: b.jpg, c.jpg', 2],
    ['Dodane pliki: d.jpg', 1],
  ])

  await add(['e.jpg', 72])
  zammad.mood.refuse = { match: /^PUT /, status: 422 }
  await minute()
  expect(arrived()).toHaveLength(4)
  zammad.mood.refuse = null
  for (let round = 0; round < 2; round++) await minute()
  expect(arrived().slice(4)).toEqual([['Dodane pliki: e.jpg', 1]])
  // Nothing is imported back as a second file, and concurrent edits do not conflict.
  expect(await readAgain(ticket.id)).toMatchObject({
    version: ticket.version,
    attachments: ['a', 'b', 'c', 'd', 'e'].map((name, at) => ({ number: at + 1, name: `${name}.jpg` })),
  })
  const waiting = await api.db.query(sql`select from outbox where sent_at is null`)
  expect(waiting).toHaveLength(0)
})
