import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detail } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { login, ping, resetPassword } from '@rogatka/contract/session.ts'
import { deliveries } from '@rogatka/contract/webhooks.ts'
import { PROPOSAL_LENGTH } from '@rogatka/domain/session/password.ts'
import { expect, onTestFinished, test } from 'vitest'
import { currentState, updateDerived } from './archive/derived/maintenance.ts'
import { connect } from './core/database.ts'
import { raw, sql } from './core/statement.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { deriveDistributionDays, deriveTraffic } from './statistics/derive.ts'
import { databaseFolder } from './testing/database-folder.ts'
import { createDatabase, RELEASES, restoreRelease } from './testing/releases.ts'
import { eventually, PASSWORD, type TestApi, testApi } from './testing/test-api.ts'
import { findOrStorePassword, storeToken, validToken } from './tickets/account-queries.ts'
import { lorry, portalWith, subscribe } from './webhooks/testing-portal.ts'

const MANAGE = fileURLToPath(new URL('./manage.ts', import.meta.url))

/** Output and exit code of a command. */
const manage = (api: TestApi, ...words: string[]) => manageWith(api, {}, ...words)

const manageWith = async ({ url }: TestApi, settings: Record<string, string>, ...words: string[]) => {
  const { code, output } = await run({ DATABASE_URL: url, ...settings }, words)
  return { code, lines: output.trim().split('\n') }
}

const run = (settings: Record<string, string>, words: string[], input = '') =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    const env = { ...process.env, LOG_LEVEL: 'silent', ...settings }
    const child = execFile(process.execPath, [MANAGE, ...words], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
    // A command that does not read its input may end before.
    child.stdin?.on('error', () => {}).end(input)
  })

async function opened() {
  const api = await testApi()
  const station = await api.station()
  await send(station, [
    car(1, { createdAt: '2026-09-30T21:59:59Z' }),
    car(2, { createdAt: '2026-10-10T08:00:00Z' }),
    car(3, { createdAt: '2026-10-20T07:59:00Z' }),
  ])
  await deriveTraffic(api.db, api.clock.now)
  await deriveDistributionDays(api.db)
  await updateDerived(api.db)
  return { api, station }
}

test('verify checks roll-ups from hours to months, with late vehicles', async () => {
  const { api, station } = await opened()
  const sound = (vehicles: number) => ({
    code: 0,
    lines: [
      `${vehicles} vehicles in ${vehicles} rows of the roll-up: 0 differ`,
      'roll-up by day, over 2 months: 0 rows differ',
      'roll-up by month, over 2 months: 0 rows differ',
      '0 days of stations are counted wrongly for the archive',
      '0 partitions have other vehicles than a search of the archive counts',
      '0 figures of inspections differ',
      'repeat offenders: 0 days, the sums of 0 and the carriers of 0 vehicles differ, 0 plates belong to another vehicle than they are joined to, 0 vehicles were not read',
      'traffic by quarters of an hour: 0 rows differ',
      expect.stringMatching(/^distributions of \d days: 0 rows differ$/),
    ],
  })
  expect(await manage(api, 'verify')).toEqual(sound(3))

  await send(station, [car(4, { createdAt: '2026-10-10T09:30:00Z' })])
  await updateDerived(api.db)
  expect(await manage(api, 'verify')).toEqual(sound(4))
  await deriveTraffic(api.db, api.clock.now)
  await deriveDistributionDays(api.db)
  expect((await manage(api, 'offenders', 'count')).code).toBe(0)
  expect(await manage(api, 'verify')).toEqual(sound(4))
})

test.each([
  ['traffic_hour', /^3 vehicles in 3 rows of the roll-up: 1 differ$/],
  ['traffic_day', /^roll-up by day, over 2 months: 2 rows differ$/],
  ['traffic_month', /^roll-up by month, over 2 months: 2 rows differ$/],
  ['profile_day', /^distributions of \d days: 2 rows differ$/],
  ['vehicle_day', /^1 partitions have other vehicles than a search of the archive counts$/],
])('verify reports a wrong row of %s and exits with 1', async (table, line) => {
  const { api } = await opened()
  // Any open transaction of the cluster may hold back derivation; a search then counts by hours.
  const underived = async () => {
    await updateDerived(api.db)
    return (await currentState(api.db)).underived
  }
  await expect.poll(underived).toEqual([])
  const time = { traffic_hour: 'hour', traffic_month: 'month' }[table] ?? 'day'
  await api.db.query(
    raw(`update ${table} set vehicles = vehicles + 1 where ${time} = (select max(${time}) from ${table})`),
  )
  const { code, lines } = await manage(api, 'verify')
  expect(code).toBe(1)
  expect(lines).toContainEqual(expect.stringMatching(line))
})

test('pending settle keeps a restored portal from sending again what waited', async () => {
  const { api, by, subscription } = await portalWith(() => 500)
  const { id } = await subscribe(by, subscription)
  const station = await api.station()
  const waiting = () => by.call(deliveries, { params: { id } }).then(({ body }) => body.map(({ state }) => state))
  await send(station, [lorry(1)])
  await eventually(async () => expect(await waiting()).toEqual(['pending']))
  // What the portal would send when it starts.
  await api.app.close()
  for (const [recipient, kind, attempts] of [
    ['anna@example.org', 'webhook-inactive', 0],
    ['+48600100200', 'wanted-hit-sms', 3],
    ['Zammad', 'ticket-change', 0],
  ] as const)
    await api.db.execute(sql`
      insert into outbox (created_at, kind, recipient, language, attempts)
      values (${api.clock.now}::timestamptz, ${kind}, ${recipient}, 'pl', ${attempts})`)
  const unsent = async () =>
    (await api.db.query<{ to: string }>(sql`select recipient as to from outbox where sent_at is null`)).map(
      ({ to }) => to,
    )
  const events = sql`
    select (select count(*) from webhook_delivery where state = 'pending')::int as pending,
           (select count(*) from webhook_event where position is null)::int as new`
  await api.db.execute(sql`
    insert into webhook_event (created_at, type, location_id, data)
    values (${api.clock.now}::timestamptz, 'vehicle.overloaded', 7, '{}')`)
  expect(await api.db.query(events)).toEqual([{ pending: 1, new: 1 }])

  expect(await manage(api, 'pending', 'settle')).toEqual({
    code: 0,
    lines: ['2 messages and 2 events of webhooks will not be sent'],
  })
  expect(await unsent()).toEqual(['Zammad'])
  expect(await api.db.query(events)).toEqual([{ pending: 0, new: 0 }])
})

test('secret-key renew re-encrypts all secrets, and reports those that neither key decrypts', async () => {
  const api = await testApi()
  const [key, next, lost] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const [anna, jan, ewa] = await Promise.all([api.as('Tickets'), api.as('Tickets'), api.as('Tickets')])
  const { now } = api.clock
  await storeToken(api.db, key, { userId: anna.userId, email: 'anna@example.org', token: 'of-anna' }, now)
  await findOrStorePassword(api.db, key, { userId: jan.userId, email: 'jan@example.org' }, 'of-jan')
  await storeToken(api.db, lost, { userId: ewa.userId, email: 'ewa@example.org', token: 'of-ewa' }, now)
  await api.db.execute(sql`update session set id_token = '\\x01'`)
  const keys = { SECRET_KEY: key.toString('hex'), NEW_SECRET_KEY: next.toString('hex') }
  const renew = () => manageWith(api, keys, 'secret-key', 'renew')

  expect(await renew()).toEqual({ code: 1, lines: ['2 secrets encrypted with the new key; neither key decrypts 1'] })
  expect(await validToken(api.db, key, anna.userId, now)).toBeNull()
  expect(await validToken(api.db, next, anna.userId, now)).toBe('of-anna')
  expect(await findOrStorePassword(api.db, next, { userId: jan.userId, email: 'jan@example.org' }, 'new')).toBe(
    'of-jan',
  )
  expect(await validToken(api.db, lost, ewa.userId, now)).toBe('of-ewa')
  expect(await renew()).toEqual({ code: 1, lines: ['0 secrets encrypted with the new key; neither key decrypts 1'] })
  expect(await api.db.query(sql`select from session where id_token is not null`)).toEqual([])
  const alone = await manageWith(api, { SECRET_KEY: keys.SECRET_KEY }, 'secret-key', 'renew')
  expect(alone.code).toBe(1)
})

test('image-key renew invalidates the addresses of images in a running server', async () => {
  const { api, station } = await opened()
  const vehicle = car(3, { createdAt: '2026-10-20T07:59:00Z' })
  expect((await sendImage(station, vehicle, 'front', await jpeg())).status).toBe(204)
  const user = await api.as('ArchiveMeasurements')
  const imageOf = async () => {
    const { body } = await user.call(detail, { params: { id: vehicleId(7, 3) }, query: { locationId: 7 } })
    return body.images?.[0]?.path
  }
  const status = async (path: string | undefined) => {
    const headers = { authorization: `Bearer ${user.token}` }
    return (await api.app.api.http.inject({ url: `${API_BASE}${path}/full`, headers })).statusCode
  }
  const path = await imageOf()
  expect(await status(path)).toBe(200)
  expect(await manage(api, 'image-key', 'renew')).toEqual({
    code: 0,
    lines: ['Addresses of images are signed with a new key'],
  })
  await eventually(async () => expect(await status(path)).toBe(404))
  expect(await status(await imageOf())).toBe(200)
})

test('user reset-password ends the sessions and the reset tokens of the user', async () => {
  const api = await testApi()
  const [user, other] = [await api.as('Stat'), await api.as('Stat')]
  for (const { userId, username } of [user, other]) {
    await api.db.execute(sql`update app_user set email = ${`${username}@example.org`} where id = ${userId}`)
    expect((await api.anyone.call(resetPassword, { body: { email: `${username}@example.org` } })).status).toBe(204)
  }
  await api.runJobs()
  const { code, lines } = await manage(api, 'user', 'reset-password', '--username', user.username)
  const [line = ''] = lines
  const password = line.split(' ').at(-1) ?? ''

  expect([code, lines]).toEqual([0, [`Password of ${user.username}, to be changed at the next sign-in: ${password}`]])
  expect(password).toHaveLength(PROPOSAL_LENGTH)
  expect(await api.db.query(sql`select user_id from reset_token`)).toMatchObject([{ user_id: other.userId }])
  expect((await user.call(ping)).status).toBe(401)
  expect((await other.call(ping)).status).toBe(204)
  expect((await api.anyone.call(login, { body: { username: user.username, password } })).status).toBe(200)
})

test('user reset-password reads a password from standard input, and takes none as an argument', async () => {
  const api = await testApi()
  const { username } = await api.as('Stat')
  const settings = { DATABASE_URL: api.url }
  const words = ['user', 'reset-password', '--username', username]
  const statusOf = async (password: string) => (await api.anyone.call(login, { body: { username, password } })).status

  expect((await run(settings, [...words, '--password', 'Zmien-mnie-2026'])).code).toBe(1)
  expect(await statusOf(PASSWORD)).toBe(200)
  // Nothing but the end of the line is removed.
  expect(await run(settings, [...words, '--password-stdin'], ' Zmień mnie \r\nnext line\n')).toEqual({
    code: 0,
    output: `${username} has a new password, to be changed at the next sign-in\n`,
    errors: '',
  })
  expect(await statusOf(' Zmień mnie ')).toBe(200)
  const empty = await run(settings, [...words, '--password-stdin'])
  expect([empty.code, empty.errors]).toEqual([1, '--password-stdin: standard input is empty\n'])
})

test('sign add reads the community from standard input', async () => {
  const { api } = await opened()
  expect((await manage(api, 'sign', 'group', '--station', '7', '--description', 'S8', '--variants', 'A')).code).toBe(0)
  expect((await manage(api, 'sign', 'content', '--description', 'Stop', '--lines', 'STOP')).code).toBe(0)
  const [[group], [content]] = [
    await api.db.query<{ id: number }>(sql`select id from vms_group`),
    await api.db.query<{ id: number }>(sql`select id from vms_content`),
  ]
  const address = ['--road', 'S8', '--chainage', '1+900', '--driver', 'simulated', '--host', '10.0.0.5']
  const sign = ['sign', 'add', '--group', String(group?.id), ...address, '--contents', String(content?.id)]
  expect((await run({ DATABASE_URL: api.url }, [...sign, '--community-stdin'], 'droga\n')).code).toBe(0)
  expect((await manage(api, ...sign)).code).toBe(0)
  expect(await api.db.query(sql`select community from vms_sign order by id`)).toEqual([
    { community: 'droga' },
    { community: 'public' },
  ])
})

test('a failed command prints the reason as text, and the cause if the database is unavailable', async () => {
  const { url } = await testApi()
  const failed = async (DATABASE_URL: string, ...words: string[]) => {
    const { code, errors } = await run({ DATABASE_URL }, words)
    return [code, errors]
  }
  const [rule, value, unreachable] = await Promise.all([
    failed(url, 'sign', 'remove', '--sign', '99'),
    failed(url, 'sign', 'content', '--description', 'leer'),
    failed('postgres://a:b@127.0.0.1:1/x', 'station', 'list'),
  ])
  expect(rule).toEqual([1, 'Sign not found.\n'])
  expect(value[0]).toBe(1)
  expect(value[1]).toContain('Select a pictogram, enter lines, or both.')
  expect(unreachable).toEqual([1, 'connect ECONNREFUSED 127.0.0.1:1\n'])
})

test('role restore-administrator restores the rights of the role, and grants it to an account on request', async () => {
  const api = await testApi()
  const anna = await api.as('Stat')
  const [seeded] = await api.db.query<{ permissions: string[] }>(sql`select permissions from role where id = 8`)
  await api.db.execute(sql`update role set permissions = '{ROLE_7,ROLE_37}', requires_factor = true,
                             required_factor = 'provider' where id = 8`)
  await api.db.execute(sql`update app_user set enabled = false where id = ${anna.userId}`)

  const alone = await manage(api, 'role', 'restore-administrator')
  expect(alone.code).toBe(1)
  expect(alone.lines.at(-1)).toContain('--username')
  expect((await api.db.query(sql`select permissions from role where id = 8`))[0]).toEqual(seeded)

  expect((await manage(api, 'role', 'restore-administrator', '--username', anna.username)).code).toBe(0)
  // Nor does it require a provider any more.
  const { body } = await api.anyone.call(login, { body: { username: anna.username, password: PASSWORD } })
  const self = (await api.client(body.token).call(readSelf)).body
  expect([self.roles[0]?.id, self.permissions, self.mustChangePassword]).toEqual([8, seeded?.permissions, true])
  expect((await anna.call(ping)).status).toBe(401)
})

test('a command without a database names where it looked, and creates none', async () => {
  const parent = await databaseFolder('rogatka-manage-')
  onTestFinished(() => rm(parent, { recursive: true }))
  const dataDir = join(parent, 'data')
  const { code, output, errors } = await run({ DATABASE_URL: '', DATA_DIR: dataDir }, ['station', 'list'])
  expect([code, output]).toEqual([1, ''])
  expect(errors).toMatch(/^DATABASE_URL .*DATA_DIR .*\n$/)
  expect(errors).toContain(join(dataDir, 'postgres'))
  expect(await readdir(parent)).toEqual([])
})

test.each([
  [
    'an older version',
    /^The database lacks the migration 0069-\S+: start this version \(npm start\), which migrates it\n$/,
  ],
  ['no version', /^DATABASE_URL: the database has no tables .*: start the portal \(npm start\), which creates them\n$/],
])('a command refuses the schema of %s, and does not migrate it', async (version, reason) => {
  const database =
    version === 'no version' ? await createDatabase() : await restoreRelease(RELEASES.at(-1) as (typeof RELEASES)[0])
  onTestFinished(database.drop)
  const db = connect(database.url, 1)
  const tables = () =>
    db.query(sql`select relname from pg_class where relnamespace = 'public'::regnamespace order by 1`)
  const before = await tables()
  const { code, output, errors } = await run({ DATABASE_URL: database.url }, ['station', 'list'])
  expect([code, output]).toEqual([1, ''])
  expect(errors).toMatch(reason)
  expect(await tables()).toEqual(before)
  await db.end()
})

test('a command exits without an error when its output pipe is closed', async () => {
  const { url } = await testApi()
  const env = { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [MANAGE, 'partitions'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.destroy()
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const [code] = await once(child, 'close')
  expect([code, errors]).toEqual([0, ''])
})
