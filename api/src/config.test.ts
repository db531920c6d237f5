import { globSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { detail } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { build, login, resetPassword } from '@rogatka/contract/session.ts'
import * as tickets from '@rogatka/contract/tickets.ts'
import { updatePassword } from '@rogatka/contract/users.ts'
import { addContact, addPlate } from '@rogatka/contract/wanted.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig, variables } from './config.ts'
import { fetchReport, pagesOf } from './core/reports/testing.ts'
import { PASSWORD, type TestApi, testApi } from './core/testing.ts'
import { startMailServer, startService } from './core/testing-services.ts'
import { car, jpeg, send, sendPicture } from './ingest/testing.ts'
import { zammadStandIn } from './tickets/testing-zammad.ts'

/*
 * Every environment variable, by what it changes for those who use the portal. Those that only a process of its own
 * can show are in start.test.ts.
 */

const REPORT = { description: 'Nie działa waga', reporterName: 'Anna Nowak', reporterEmail: 'anna@example.org' }
const JSON_TYPE = { 'content-type': 'application/json' }

const root = join(import.meta.dirname, '../..')

/** The server with these environment variables, and no others. */
const configured = (env: Record<string, string>, share?: Parameters<typeof testApi>[1]) =>
  testApi({ ...readConfig({ LOG_LEVEL: 'silent', ...env }), demo: false }, share)

const createFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-config-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Asks for a reset mail for a user with this address. */
async function requestReset(api: TestApi) {
  const user = await api.as('Stat')
  await api.sql`update app_user set email = 'anna@example.org' where id = ${user.userId}`
  expect((await api.anyone.call(resetPassword, { body: { email: 'anna@example.org' } })).status).toBe(204)
  await api.runJobs()
}

test('every environment variable is documented once and has a test whose title names it', async () => {
  const documented = (await readFile(join(root, 'docs/operations.md'), 'utf8')).matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)
  expect(Array.from(documented, ([, name]) => name).sort()).toEqual([...variables].sort())

  const sources = await Promise.all(
    globSync('{api,e2e}/**/*.{test,spec}.ts', { cwd: root, exclude: ['**/node_modules/**'] }).map((path) =>
      readFile(join(root, path), 'utf8'),
    ),
  )
  const titles = sources.flatMap((source) =>
    Array.from(source.matchAll(/^(?:test\b.*?|\]\))\(\s*(['"`])(.+?)\1, /gm), ([, , title]) => title as string),
  )
  const tested = titles.flatMap((title) => title.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])
  expect(variables.filter((variable) => !tested.includes(variable))).toEqual([])
})

test('an empty variable is an absent one, and every wrong one is named in one line', () => {
  expect(readConfig({ PORT: '', LEGACY_URL: '' })).toEqual(readConfig({}))
  const wrong = { PORT: '65536', DEMO: 'yes', DATABASE_URL: 'mysql://x/y', PARTITIONS: 'day', SECRET_KEY: 'ab' }
  expect(() => readConfig(wrong)).toThrow(
    /^Configuration: PORT: .*; DATABASE_URL: .*; DEMO: .*; SECRET_KEY: .*; PARTITIONS: [^\n]*$/,
  )
})

test('DATA_DIR holds the images', async () => {
  const folder = await createFolder()
  const station = await (await configured({ DATA_DIR: folder, DISK_RESERVE_MB: '0' })).station()
  await send(station, [car(1)])
  expect((await sendPicture(station, car(1), 'front', await jpeg())).status).toBe(204)
  const [image] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jpg'))
  expect(await readFile(join(folder, image ?? ''))).toEqual(await jpeg())
})

test('S3_URL stores the images in its bucket and region instead', async () => {
  const folder = await createFolder()
  const store = await startService()
  const S3_URL = `http://key:secret@${store.address}/bucket-7?region=eu-test-7`
  const station = await (await configured({ DATA_DIR: folder, S3_URL })).station()
  await send(station, [car(1)])
  expect((await sendPicture(station, car(1), 'front', await jpeg())).status).toBe(204)
  expect(await readdir(folder)).toEqual([])
  const [put] = store.requests.filter(({ method }) => method === 'PUT')
  expect(put?.path).toMatch(/^\/bucket-7\/images\/2026-10/)
  expect(put?.headers.authorization).toMatch(/Credential=key\/\d{8}\/eu-test-7\/s3\//)
  expect(put?.bytes.includes(await jpeg())).toBe(true)
})

test('DISK_RESERVE_MB refuses images once less of the disk is free, and 0 takes all of it', async () => {
  const folder = await createFolder()
  const { bavail, bsize } = await statfs(folder)
  const free = Math.floor((bavail * bsize) / 1024 ** 2)
  const answer = async (reserve: number) => {
    const station = await (await configured({ DATA_DIR: folder, DISK_RESERVE_MB: String(reserve) })).station()
    const measured = await send(station, [car(1)])
    return [measured.status, (await sendPicture(station, car(1), 'front', await jpeg())).status]
  }
  // Without DATABASE_URL the embedded database is on the same disk, so measurements are refused, too.
  expect(await answer(free * 2)).toEqual([503, 503])
  expect(await answer(Math.floor(free / 2))).toEqual([200, 204])
  expect(await answer(0)).toEqual([200, 204])
})

test('BUILD_CODE names the variant, OWNER_COMPANY the owner, LEGACY_URL the old system, to everybody', async () => {
  const shown = async (env: Record<string, string>) => (await (await configured(env)).anyone.call(build)).body
  expect(await shown({})).toMatchObject({
    buildCode: 'ZG201025',
    ownerCompany: 'Zarząd Dróg (przykład)',
    legacyUrl: null,
  })
  const env = { BUILD_CODE: 'SG010126', OWNER_COMPANY: 'Zarząd Dróg w Łomży', LEGACY_URL: 'https://old.example/wim' }
  expect(await shown(env)).toMatchObject({
    buildCode: 'SG010126',
    ownerCompany: 'Zarząd Dróg w Łomży',
    legacyUrl: 'https://old.example/wim',
  })
})

test('OWNER_COMPANY issues the reports', async () => {
  for (const owner of ['Zarząd Dróg w Łomży', 'GDDKiA']) {
    const user = await (await configured({ OWNER_COMPANY: owner })).as('Tickets')
    await user.call(tickets.add, { payload: JSON.stringify(REPORT), headers: JSON_TYPE })
    const ordered = await user.call(tickets.report, { query: { year: 2026, month: 10 } })
    const pages = await pagesOf((await fetchReport(user, ordered.body)).bytes)
    expect(pages.join(' ')).toContain(owner)
  }
})

test('LEGACY_URL must be a web address', () => {
  expect(() => readConfig({ LEGACY_URL: 'javascript:alert(1)' })).toThrow(/^Configuration: LEGACY_URL: /)
})

test('SMTP_URL takes the mails', async () => {
  const server = await startMailServer()
  await requestReset(await configured({ SMTP_URL: `smtp://${server.address}` }))
  expect(server.lines).toContain('RCPT TO:<anna@example.org>')
})

test.each([
  [{}, 'rogatka@localhost', 'From: Rogatka <rogatka@localhost>'],
  [{ MAIL_FROM: 'Waga <wim@road.example>' }, 'wim@road.example', 'From: Waga <wim@road.example>'],
])('MAIL_FROM sends the mails: %j', async (env, address, header) => {
  const server = await startMailServer()
  await requestReset(await configured({ SMTP_URL: `smtp://${server.address}`, ...env }))
  expect(server.lines.filter((line) => line.startsWith('MAIL FROM'))).toEqual([`MAIL FROM:<${address}>`])
  expect(server.lines).toContain(header)
})

test('SMS_WEBHOOK_URL takes the text messages with its user and password, absent they wait in the outbox', async () => {
  const gateway = await startService()
  const waiting = async (env: Record<string, string>) => {
    const api = await configured(env)
    const owner = await api.as('WantedList')
    await owner.call(addPlate, { body: { plateLpr: 'WPR 8K47M', typeOfList: 0, description: 'x' } })
    await owner.call(addContact, { body: { contact: '600100200', typeOfContact: 1, description: 'x' } })
    await send(await api.station(), [car(1, { plateLpr: 'WPR 8K47M' })])
    await api.runJobs()
    return (await api.sql`select id from outbox where sent_at is null`).length
  }
  expect(await waiting({})).toBe(1)
  expect(gateway.requests).toEqual([])
  expect(await waiting({ SMS_WEBHOOK_URL: `http://user:p%40ss@${gateway.address}/sms?to=all` })).toBe(0)
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
  expect(gateway.requests).toMatchObject([{ method: 'POST', path: '/sms?to=all', headers: { authorization } }])
  expect(JSON.parse(gateway.requests[0]?.body ?? '')).toMatchObject({ to: '+48600100200' })
})

test.each([
  [{}, 'http://127.0.0.1:8080/'],
  [{ HOST: '10.0.0.5', PORT: '80' }, 'http://10.0.0.5:80/'],
  [{ PUBLIC_URL: 'https://wim.example/portal/' }, 'https://wim.example/portal/'],
])('PUBLIC_URL begins the links in mails: %j', async (env, beginning) => {
  const api = await configured(env)
  await requestReset(api)
  expect(api.sent[0]?.text).toContain(`\n${beginning}`)
  expect(api.sent[0]?.text).not.toContain(`${beginning}/`)
})

test('ORGANIZATION shows its own tickets alone, absent those of all', async () => {
  const one = await configured({ ORGANIZATION: 'Zarząd Dróg A' })
  const user = await one.as('Tickets')
  await user.call(tickets.add, { payload: JSON.stringify(REPORT), headers: JSON_TYPE })
  const listed = async (env: Record<string, string>) => {
    const other = await configured(env, one)
    return (await other.client(user.token).call(tickets.list, { query: { year: 2026, month: 10 } })).body.content
  }
  expect(await listed({ ORGANIZATION: 'Zarząd Dróg A' })).toHaveLength(1)
  expect(await listed({ ORGANIZATION: 'Zarząd Dróg B' })).toHaveLength(0)
  expect(await listed({})).toHaveLength(1)
})

const SECRET_KEY = '0f'.repeat(32)

/** What the portal sends first to a ticket service with these variables. */
async function firstRequest(env: Record<string, string>) {
  const service = await startService((response) => response.setHeader('content-type', 'application/json').end('[]'))
  const api = await configured({ ZAMMAD_URL: `http://${service.address}/`, ZAMMAD_TOKEN: 'a:b', SECRET_KEY, ...env })
  const user = await api.as('Tickets')
  await user.call(tickets.add, { payload: JSON.stringify(REPORT), headers: JSON_TYPE })
  await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  return service.requests[0]
}

test('ZAMMAD_URL sends the tickets there, absent they stay', async () => {
  expect((await firstRequest({}))?.path).toMatch(/^\/api\/v1\//)
  expect(await firstRequest({ ZAMMAD_URL: '' })).toBeUndefined()
  expect(() => readConfig({ ZAMMAD_URL: 'https://tickets.example' })).toThrow(
    'Configuration: ZAMMAD_URL needs ZAMMAD_TOKEN and SECRET_KEY too',
  )
})

test.each([
  [{}, 'Token token=a:b'],
  [{ ZAMMAD_AUTH: 'bearer' }, 'Bearer a:b'],
  [{ ZAMMAD_AUTH: 'basic' }, `Basic ${Buffer.from('a:b').toString('base64')}`],
  [{ ZAMMAD_TOKEN: 'c', ZAMMAD_AUTH: 'bearer' }, 'Bearer c'],
])('ZAMMAD_TOKEN is sent as ZAMMAD_AUTH says: %j', async (env, authorization) => {
  expect((await firstRequest(env))?.headers.authorization).toBe(authorization)
})

test.each(['Users', 'Drogi'])('ZAMMAD_GROUP %s receives the tickets', async (group) => {
  const clock = { now: new Date('2026-10-20T08:00:00Z') }
  const zammad = await zammadStandIn(clock)
  const { url, token } = zammad.settings
  const env = { ZAMMAD_URL: url, ZAMMAD_TOKEN: token, ZAMMAD_GROUP: group, SECRET_KEY }
  const api = await configured(env)
  await (await api.as('Tickets')).call(tickets.add, { payload: JSON.stringify(REPORT), headers: JSON_TYPE })
  await api.app.jobs.recurring.find(({ name }) => name === 'sync-tickets')?.work()
  await api.runJobs()
  // The service knows one group alone, and refuses tickets for any other.
  expect(zammad.tickets.map((ticket) => ticket.group)).toEqual(group === 'Users' ? ['Users'] : [])
})

test('SECRET_KEY encrypts the tokens of the ticket service, absent none is stored', async () => {
  const body = { token: 'token-of-anna', email: 'anna@example.org' }
  const saved = async (env: Record<string, string>) => {
    const api = await configured(env)
    const { errors } = await (await api.as('Tickets')).call(tickets.saveToken, { body })
    const rows = await api.sql`select * from ticket_account`
    expect(JSON.stringify(rows)).not.toContain(body.token)
    return [errors[0]?.code, rows.length]
  }
  expect(await saved({})).toEqual(['tokens-cannot-be-kept', 0])
  expect(await saved({ SECRET_KEY })).toEqual([undefined, 1])
})

// 51.00 t of 40 t on a lane of class B+(7): 51,000 / 1.07 = 47,664 kg is certain, which is 19.2 % over; measured 27.5 %.
test.each([
  [{}, 19.2],
  [{ OVERLOAD_BASIS: 'minimum' }, 19.2],
  [{ OVERLOAD_BASIS: 'measured' }, 27.5],
])('OVERLOAD_BASIS decides what is compared with the limit: %j', async (env, overload) => {
  const api = await configured(env)
  const axle = (weight: number, gap: number) => ({ leftWeight: weight / 2, rightWeight: weight / 2, gap })
  const axles = [axle(7_000, 0), axle(11_000, 374), axle(11_000, 562), axle(11_000, 131), axle(11_000, 131)]
  await send(await api.station(), [car(1, { ctg8p1: 9, axles })])
  const user = await api.as('ArchiveMeasurements')
  const { body } = await user.call(detail, {
    params: { id: vehicleId(7, 1) },
    query: { locationId: 7, createdAt: car(1).createdAt },
  })
  expect(body.overloadTL).toBe(overload)
})

/** The time range of the partition that holds the vehicles of a moment, as the database's catalogue has it. */
const boundsOf = async (api: TestApi) => {
  const [row] = await api.sql<{ bounds: string }[]>`
    select pg_get_expr(relpartbound, oid) as bounds from pg_class
    where oid = (select tableoid from vehicle order by created_at limit 1)`
  return Array.from(row?.bounds.matchAll(/\d{4}-\d\d-\d\d/g) ?? [], ([day]) => day)
}

test.each([
  [{}, ['2026-10-01', '2026-11-01']],
  [{ PARTITIONS: 'month' }, ['2026-10-01', '2026-11-01']],
  [{ PARTITIONS: 'week' }, ['2026-10-19', '2026-10-26']],
])('PARTITIONS sets how much time a new partition holds: %j', async (env, bounds) => {
  const api = await configured(env)
  await send(await api.station(), [car(1)])
  expect(await boundsOf(api)).toEqual(bounds)
})

test.each([
  [{}, 730],
  [{ RETENTION_DAYS: '30' }, 30],
])('RETENTION_DAYS bounds how old a vehicle may be that is sent: %j', async (env, days) => {
  const station = await (await configured(env)).station()
  const daysAgo = (count: number) => new Date(Date.parse('2026-10-20T08:00:00Z') - count * 86_400_000).toISOString()
  const { body } = await send(station, [
    car(1, { createdAt: daysAgo(days - 1) }),
    car(2, { createdAt: daysAgo(days + 1) }),
  ])
  expect([body.accepted, body.rejected.map(({ index }) => index)]).toEqual([1, [1]])
})

test.each([
  [{}, 90],
  [{ IMAGE_RETENTION_DAYS: '10' }, 10],
  [{ RETENTION_DAYS: '5' }, 5],
])('IMAGE_RETENTION_DAYS bounds how old an image may be, and never more than its vehicle: %j', async (env, days) => {
  const api = await configured({ DATA_DIR: await createFolder(), DISK_RESERVE_MB: '0', ...env })
  const station = await api.station()
  const daysAgo = (count: number) => new Date(Date.parse('2026-10-20T08:00:00Z') - count * 86_400_000).toISOString()
  const put = async (createdAt: string) =>
    (await sendPicture(station, car(1, { createdAt }), 'front', await jpeg())).status
  expect([await put(daysAgo(days - 1)), await put(daysAgo(days + 1))]).toEqual([204, 422])
  expect((await api.anyone.call(build)).body.imageRetentionDays).toBe(days)
})

test.each([
  [{}, 730],
  [{ ACTIVITY_RETENTION_DAYS: '40' }, 40],
])('ACTIVITY_RETENTION_DAYS bounds how long the history keeps what has ended: %j', async (env, days) => {
  const api = await configured(env)
  const at = (daysAgo: number) => new Date(api.clock.now.getTime() - daysAgo * 86_400_000)
  for (const [began, ended] of [
    [days + 2, days + 1],
    [days + 1, days - 1],
    [days + 1, null],
  ] as const)
    await api.sql`insert into activity (user_id, event_type, created_at, login_at, logout_at)
                  values (1, 1, ${at(began)}, ${at(began)}, ${ended === null ? null : at(ended)})`
  await api.app.jobs.recurring.find(({ name }) => name === 'delete-old-history')?.work()
  const kept = await api.sql<{ ended: Date | null }[]>`select logout_at as ended from activity order by id`
  expect(kept.map(({ ended }) => ended)).toEqual([at(days - 1), null])
})

test.each([
  [{}, 6],
  [{ PASSWORD_MIN_LENGTH: '10' }, 10],
])('PASSWORD_MIN_LENGTH sets how many characters a new password needs: %j', async (env, length) => {
  const api = await configured(env)
  const user = await api.as('PasswordChange')
  const change = (characters: number) =>
    user.call(updatePassword, { body: { password: PASSWORD, newPassword: 'Kx7-mP2_qR9-vT'.slice(0, characters) } })
  expect((await api.anyone.call(build)).body.passwordMinLength).toBe(length)
  expect((await change(length - 1)).errors[0]?.path).toBe('newPassword')
  expect((await change(length)).status).toBe(204)
})

test.each([
  [{}, '127.0.0.1'],
  [{ TRUST_PROXY: 'true' }, '203.0.113.9'],
  [{ TRUST_PROXY: '192.0.2.7, 127.0.0.0/8' }, '203.0.113.9'],
  [{ TRUST_PROXY: '192.0.2.7' }, '127.0.0.1'],
])('TRUST_PROXY decides which address a call counts for: %j', async (env, address) => {
  const api = await configured(env)
  const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' }
  expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' }, headers })).status).toBe(401)
  expect((await api.sql<{ ip: string }[]>`select ip from login_failure`).map(({ ip }) => ip)).toEqual([address])
})

test('LOG_LEVEL sets what is logged: requests from debug on, refusals from info on', async () => {
  const logged = async (level: string) => {
    const api = await configured({ LOG_LEVEL: level })
    expect((await api.anyone.call(login, { body: { username: 'a', password: 'b' } })).status).toBe(401)
    await api.anyone.call(build)
    const lines = api.logged.map((line) => JSON.parse(line) as { msg: string; url?: string; req?: { url: string } })
    return {
      refused: lines.some(({ msg }) => msg === 'refused'),
      requests: lines.some(({ url, req }) => (url ?? req?.url)?.endsWith('/build')),
    }
  }
  expect(await logged('silent')).toEqual({ refused: false, requests: false })
  expect(await logged('error')).toEqual({ refused: false, requests: false })
  expect(await logged('info')).toEqual({ refused: true, requests: false })
  expect(await logged('debug')).toEqual({ refused: true, requests: true })
})
