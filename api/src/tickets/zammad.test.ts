import * as endpoints from '@rogatka/contract/tickets.ts'
import { markerIn } from '@rogatka/domain/tickets/service.ts'
import { expect, test, vi } from 'vitest'
import { openFiles } from '../core/open-files.ts'
import { sql } from '../core/statement.ts'
import { jpeg } from '../ingest/testing.ts'
import { pullTickets } from './pull.ts'
import { pushTicket } from './push.ts'
import type { Service } from './service.ts'
import { form } from './testing.ts'
import { ORGANIZATION, portalWithZammad } from './testing-zammad.ts'
import { createZammadClient } from './zammad.ts'

test('sends a ticket with reporter, text and attachment, and every change of its status', async () => {
  const { api, zammad, minute, readAgain } = await portalWithZammad()
  const user = await api.as('Tickets')
  const image = await jpeg()
  const fields = {
    title: 'Kamera',
    description: 'Brak obrazu',
    reporterName: 'Jan Żak',
    reporterEmail: 'jan@example.org',
  }
  const { body: ticket } = await user.call(endpoints.add, form(fields, { name: 'zdjęcie.jpg', bytes: image }))
  await minute()

  expect(zammad.tickets).toHaveLength(1)
  const remote = zammad.tickets[0] as (typeof zammad.tickets)[number]
  expect(remote).toMatchObject({ state: 'new', group: 'Users', customer_id: 99, owner_id: 1, by: 'rogatka' })
  expect(remote.title).toMatch(/^Kamera \[WIM-[0-9a-f]{12}\]$/)
  expect(zammad.articles[0]?.body).toBe('Jan Żak\njan@example.org\nRogatka 1/2026\n\nBrak obrazu')
  expect(zammad.articles[0]?.attachments).toMatchObject([{ filename: 'zdjęcie.jpg', type: 'image/jpeg' }])
  expect(zammad.articles[0]?.attachments[0]?.bytes.equals(image)).toBe(true)
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

  const image = await jpeg(40)
  zammad.articles.push({
    id: 999,
    ticket_id: remote.id,
    body: 'Naprawione',
    subject: '',
    from: 'serwis',
    attachments: [
      { id: 7_001, filename: 'po naprawie.jpg', size: image.length, bytes: image, type: 'image/jpeg' },
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
  expect(file.bytes.equals(image)).toBe(true)
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

test('a list that the service answered before a change was sent does not undo the change', async () => {
  const { api, zammad, secretKey, minute, pass, ticket, remote, edit, readAgain } = await takenByTechnician()
  await edit({})
  await minute()
  const client = createZammadClient(zammad.settings)
  const config = { organization: ORGANIZATION }
  const service: Service = { zammad: client, files: openFiles(api.app.api.config), config, key: secretKey }
  const earlier = await client.ticketPage(1)
  pass(1)
  await edit({ status: 'closed' })
  await pushTicket(api.db, service, ticket.id, api.clock.now)
  expect(remote.state).toBe('closed')
  await pullTickets(api.db, { ...service, zammad: { ...client, ticketPage: async () => earlier } }, api.clock.now)
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'closed' })
  expect(await api.db.query(sql`select from audit where action = 'ticket-changed-by-service'`)).toEqual([])
  // A clock of the service that was set back hides no change.
  Object.assign(remote, { state: 'open', updated_at: new Date(api.clock.now.getTime() - 60_000).toISOString() })
  await minute()
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'in_progress' })
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

test('sends a text that was changed back after a lost response', async () => {
  const { zammad, minute, ticket, remote, edit } = await takenByTechnician()
  const texts = () => zammad.articles.filter(({ ticket_id }) => ticket_id === remote.id).map(({ body }) => body)
  zammad.mood.loseAnswerOf = /^PUT \/tickets\//
  await edit({ description: 'drugi opis', handleBy: 'Firma Waga' })
  await minute()
  expect(texts().at(-1)).toMatch(/\ndrugi opis$/)
  await edit({ description: ticket.description })
  zammad.mood.loseAnswerOf = null
  for (let round = 0; round < 3; round++) await minute()
  expect(texts().slice(2)).toEqual(['Zmiana w portalu Rogatka\n\nOdpowiedzialny: –\nOpis:\nBrak zdjęć'])
})

test('sends a status and a title that were changed back after a lost response', async () => {
  const { zammad, minute, ticket, remote, edit, readAgain } = await takenByTechnician()
  await edit({})
  await minute()
  const { title } = remote
  zammad.mood.loseAnswerOf = /^PUT \/tickets\//
  await edit({ status: 'closed', title: 'Brak obrazów' })
  await minute()
  expect(remote).toMatchObject({ state: 'closed', title: expect.stringMatching(/^Brak obrazów /) })
  await edit({})
  zammad.mood.loseAnswerOf = null
  for (let round = 0; round < 3; round++) await minute()
  expect(remote).toMatchObject({ state: 'open', title })
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'in_progress', title: ticket.title })
})

test('a change that is sent without an answer while others are read is sent again when it was changed back', async () => {
  const { api, zammad, secretKey, minute, pass, there, ticket, remote, edit, readAgain } = await takenByTechnician()
  await edit({})
  await minute()
  there({ title: `Kamera ${remote.title.slice(-18)}` })
  const client = createZammadClient(zammad.settings)
  const config = { organization: ORGANIZATION }
  const service: Service = { zammad: client, files: openFiles(api.app.api.config), config, key: secretKey }
  const articles = async (id: number) => {
    const found = await client.articles(id)
    zammad.mood.loseAnswerOf = /^PUT \/tickets\//
    await edit({ status: 'closed' })
    await expect(pushTicket(api.db, service, ticket.id, api.clock.now)).rejects.toThrow('Lost')
    return found
  }
  await pullTickets(api.db, { ...service, zammad: { ...client, articles } }, api.clock.now)
  expect(remote.state).toBe('closed')
  await edit({})
  zammad.mood.loseAnswerOf = null
  pass(1)
  for (let round = 0; round < 3; round++) await minute()
  expect(remote.state).toBe('open')
  expect(await readAgain(ticket.id)).toMatchObject({ status: 'in_progress' })
})

test('counts the time of an unanswered request from when it was sent', async () => {
  const { api, zammad, minute, report } = await portalWithZammad()
  const { ticket } = await report('powoli')
  zammad.mood.slowMs = 300
  zammad.mood.loseAnswerOf = /^POST \/tickets$/
  await minute()
  // The states and the own account of the service were read first.
  const [attempt] = await api.db.query<{ at: Date }>(
    sql`select attempted_at as at from ticket_service where ticket_id = ${ticket.id}`,
  )
  expect((attempt?.at.getTime() ?? 0) - api.clock.now.getTime()).toBeGreaterThanOrEqual(550)
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
