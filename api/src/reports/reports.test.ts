import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import type { ApiError } from '@rogatka/contract/errors.ts'
import { REPORT_LINK_MINUTES } from '@rogatka/contract/reports.ts'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createHttp } from '../core/http.ts'
import { hashToken } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { createReportLink } from './link-queries.ts'
import { type ReportContext, reportKind } from './report.ts'
import { reportRoutes } from './routes.ts'
import { createFileSender } from './send-file.ts'

const when = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})

const HERE = { ip: '127.0.0.1' }

const codeOf = async (answer: Response) => ((await answer.json()) as ApiError[])[0]?.code

/** Only the report routes, with a report kind of the test, on a real port. */
async function withKind(
  content: (given: ReportContext, at: Date) => AsyncIterable<Uint8Array> | Promise<AsyncIterable<Uint8Array>>,
  name = 'file.csv',
  limits: Parameters<typeof createFileSender>[0] = {},
) {
  const api = await testApi()
  const http = await createHttp(api.app.api.config)
  onTestFinished(() => http.close())
  const kind = reportKind({
    name: 'archive-list',
    access: ['Stat'],
    query: z.object({ dateTimeStart: when }),
    shows: () => null,
    create: async (given, { dateTimeStart }) => ({ name, content: await content(given, dateTimeStart) }),
  })
  reportRoutes({ ...api.app.api, http }, [kind], createFileSender(limits))
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  const user = await api.as('Stat')
  const order = (language: 'pl' | 'de' = 'pl', userId = user.userId) =>
    createReportLink({ db: api.db, session: { userId } as never, request: HERE, now: api.clock.now, language }, kind, {
      dateTimeStart: new Date('2026-10-20T08:00:00.123Z'),
    })
  const get = (link: string, token = user.token, init: RequestInit = {}) =>
    fetch(`${address}${API_BASE}${link}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  /** A reader that accepts no more than the socket buffers. */
  const read = (link: string, token = user.token) =>
    request(`${address}${API_BASE}${link}`, { agent: false, headers: { authorization: `Bearer ${token}` } })
      .on('error', () => {})
      .on('response', (answer) => answer.pause().on('error', () => {}))
      .end()
  return { api, user, order, get, read }
}

async function* short(given: ReportContext, at: Date) {
  yield Buffer.from(`${given.language} ${given.printedBy} `)
  yield Buffer.from(at.toISOString())
}

test('a link returns the file repeatedly, with name and type', async () => {
  const { order, get, user } = await withKind(short)
  const { link } = await order()
  for (let time = 0; time < 2; time++) {
    const answer = await get(link)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="file.csv"')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toBe(`pl Test Test (${user.username}) 2026-10-20T08:00:00.123Z`)
  }
})

test('a report that takes long to generate is sent, and a client that reads nothing is disconnected', async () => {
  const slow = await withKind(
    async function* () {
      await setTimeout(200)
      yield Buffer.from('late')
    },
    'file.csv',
    { stallTimeoutMs: 40 },
  )
  expect(await (await slow.get((await slow.order()).link)).text()).toBe('late')

  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const endless = await withKind(
    async function* () {
      try {
        for (;;) yield Buffer.alloc(65_536)
      } finally {
        end()
      }
    },
    'file.csv',
    { stallTimeoutMs: 40 },
  )
  endless.read((await endless.order()).link)
  await ended
})

test('uses the language of the request for the link', async () => {
  const { order, get } = await withKind(short)
  const { link } = await order('de')
  expect(await (await get(link, undefined, { headers: { 'accept-language': 'pl' } })).text()).toMatch(/^de /)
})

test('a link is invalid for other users, signed out, and after it expires', async () => {
  const { api, order, get } = await withKind(short)
  const { link } = await order()
  const other = await api.as('Stat')
  const statusOf = async (token?: string) => (await get(link, token)).status
  expect(await statusOf(other.token)).toBe(404)
  expect(await statusOf('nonsense')).toBe(401)
  expect((await get('/reports/nonsense')).status).toBe(404)
  const keep = async (minutes: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + minutes * 60_000)
    await api.db.execute(sql`update session set last_seen_at = ${api.clock.now}::timestamptz`)
    api.app.api.sessions.clearCache()
  }
  await keep(REPORT_LINK_MINUTES - 1)
  expect((await get(link)).status).toBe(200)
  await keep(1)
  expect((await get(link)).status).toBe(404)
  // The next link deletes expired ones.
  await order()
  expect(await api.db.query(sql`select from report_link`)).toHaveLength(1)
})

test('a link needs the right of its report at download', async () => {
  const { api, order, get } = await withKind(short)
  const without = await api.as('Vms')
  const { link } = await order('pl', without.userId)
  const answer = await get(link, without.token)
  expect([answer.status, await codeOf(answer)]).toEqual([403, 'forbidden'])
})

test('the token is not stored in the database', async () => {
  const { api, order } = await withKind(short)
  const token = (await order()).link.replace('/reports/', '')
  const [row] = await api.db.query(sql`select token_hash, report_link::text as all from report_link`)
  expect(row?.token_hash).toEqual(hashToken(token))
  expect(row?.all).not.toContain(token)
})

test.each(['file.csv', 'file.zip'])('an interrupted %s never looks complete', async (name) => {
  async function* broken() {
    for (let part = 0; part < 20; part++) yield Buffer.alloc(10_000, 'x')
    await setTimeout(20)
    throw new Error('the database went away')
  }
  const { order, get } = await withKind(broken, name)
  const { link } = await order()
  // With and without compression.
  for (const headers of [{}, { 'accept-encoding': 'identity' }]) {
    const answer = await get(link, undefined, { headers })
    expect(answer.status).toBe(200)
    await expect(answer.arrayBuffer()).rejects.toThrow()
  }
})

test('a report that fails before its first byte returns an error', async () => {
  const { order, get } = await withKind(() => {
    throw new Error('no')
  })
  const answer = await get((await order()).link)
  expect([answer.status, await codeOf(answer)]).toEqual([500, 'internal-error'])
})

test('cancels the report when the client disconnects', async () => {
  const open = { now: 0, most: 0, ended: 0 }
  async function* endless() {
    open.now++
    open.most = Math.max(open.most, open.now)
    try {
      while (true) yield Buffer.alloc(64 * 1024, 'x')
    } finally {
      open.now--
      open.ended++
    }
  }
  const { order, read } = await withKind(endless)
  const { link } = await order()
  const ask = () => read(link)
  const first = Array.from({ length: 2 }, ask)
  await eventually(() => expect(open.now).toBe(2))
  const waiting = Array.from({ length: 2 }, ask)
  first[0]?.destroy()
  first[1]?.destroy()
  await eventually(() => expect([open.ended, open.now]).toEqual([2, 2]))
  for (const one of [...first, ...waiting]) one.destroy()
  await eventually(() => expect(open.now).toBe(0))
  expect(open.most).toBe(2)
})

test('slow readers of one user do not block others, and a long wait is refused', async () => {
  let slow = 0
  let open = 0
  async function* content(given: ReportContext, at: Date) {
    if (given.session.userId !== slow) return yield* short(given, at)
    open++
    while (true) yield Buffer.alloc(256 * 1024, 'x')
  }
  const semaphoreLimits = { total: 4, perUser: 2, waitMs: 50, queue: 8, queuePerUser: 4 }
  const { api, user, order, get, read } = await withKind(content, 'file.csv', { semaphoreLimits })
  slow = user.userId
  const other = await api.as('Stat')
  const [link, othersLink] = [(await order()).link, (await order('pl', other.userId)).link]
  const readers = [read(link), read(link)]
  await eventually(() => expect(open).toBe(2))

  for (let time = 0; time < 2; time++) {
    const refused = await get(link)
    expect([refused.status, await codeOf(refused)]).toEqual([503, 'reports-busy'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await (await get(othersLink, other.token)).text()).toContain('2026-10-20')
  for (const reader of readers) reader.destroy()
})

test('four slow readers of one user do not block the report of another user', async () => {
  let slow = 0
  let open = 0
  async function* content(given: ReportContext, at: Date) {
    if (given.session.userId !== slow) return yield* short(given, at)
    open++
    while (true) yield Buffer.alloc(256 * 1024, 'x')
  }
  const { api, user, order, get, read } = await withKind(content)
  slow = user.userId
  const other = await api.as('Stat')
  const [link, othersLink] = [(await order()).link, (await order('pl', other.userId)).link]
  const readers = Array.from({ length: 4 }, () => read(link))
  await eventually(() => expect(open).toBeGreaterThan(1))
  expect(await (await get(othersLink, other.token)).text()).toContain('2026-10-20')
  expect(open).toBe(2)
  for (const reader of readers) reader.destroy()
})

test('disconnects a reader below the minimum rate and ends its report', async () => {
  const open = { now: 0, ended: 0 }
  async function* endless() {
    open.now++
    try {
      while (true) yield Buffer.alloc(256 * 1024, 'x')
    } finally {
      open.now--
      open.ended++
    }
  }
  const rate = { bytesPerSecond: 8 * 1024, windowMs: 200 }
  const { order, read } = await withKind(endless, 'file.csv', { rates: { always: rate, contended: rate } })
  const reader = read((await order()).link)
  await eventually(() => expect(open).toEqual({ now: 0, ended: 1 }))
  reader.destroy()
})

test('disconnects slow readers of two users only while a third user waits', async () => {
  let other = 0
  const open = { now: 0, ended: 0 }
  async function* content(given: ReportContext, at: Date) {
    if (given.session.userId === other) return yield* short(given, at)
    open.now++
    try {
      while (true) yield Buffer.alloc(256 * 1024, 'x')
    } finally {
      open.ended++
    }
  }
  const rates = {
    always: { bytesPerSecond: 1, windowMs: 60_000 },
    contended: { bytesPerSecond: 8 * 1024, windowMs: 200 },
  }
  const { api, user, order, get, read } = await withKind(content, 'file.csv', { rates })
  const [second, third] = [await api.as('Stat'), await api.as('Stat')]
  other = third.userId
  const links = [(await order()).link, (await order('pl', second.userId)).link]
  const readers = links.flatMap((link, i) => Array.from({ length: 2 }, () => read(link, i ? second.token : user.token)))
  await eventually(() => expect(open.now).toBe(4))
  await setTimeout(500)
  expect(open.ended).toBe(0)

  const { link } = await order('pl', third.userId)
  expect(await (await get(link, third.token)).text()).toContain('2026-10-20')
  for (const reader of readers) reader.destroy()
})

test('does not mistake a slow report for a slow reader', async () => {
  async function* late(given: ReportContext, at: Date) {
    await setTimeout(150)
    yield* short(given, at)
  }
  const rate = { bytesPerSecond: 1e9, windowMs: 60 }
  const { order, get } = await withKind(late, 'file.csv', { rates: { always: rate, contended: rate } })
  expect(await (await get((await order()).link)).text()).toContain('2026-10-20')
})

test('a cancelled download frees its slot when its generator ends, or at once if queued', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let started = 0
  const { api, order, get } = await withKind(async (given, at) => {
    started++
    if (started <= 2) await released
    return short(given, at)
  })
  const { link } = await order()
  const other = await api.as('Stat')
  const othersLink = (await order('pl', other.userId)).link
  const leaving = new AbortController()
  const gone: Promise<unknown>[] = []
  const leaver = () => gone.push(get(link, undefined, { signal: leaving.signal }).catch(() => 'gone'))
  for (let time = 0; time < 2; time++) leaver()
  await eventually(() => expect(started).toBe(2))
  leaver()
  const next = get(link)
  leaving.abort()
  expect(await Promise.all(gone)).toEqual(Array(3).fill('gone'))
  // Generators of cancelled downloads may still hold their connections.
  expect(await (await get(othersLink, other.token)).text()).toContain('2026-10-20')
  expect(started).toBe(3)
  release()
  expect((await next).status).toBe(200)
  // Their files are discarded, and release no slot twice.
  expect(await (await get(link)).text()).toContain('2026-10-20')
  expect(started).toBe(5)
})
