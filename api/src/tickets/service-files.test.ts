import { deflateSync } from 'node:zlib'
import * as endpoints from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { jpeg } from '../ingest/testing.ts'
import { form } from './testing.ts'
import { portalWithZammad } from './testing-zammad.ts'

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
