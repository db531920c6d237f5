import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { list } from '@rogatka/contract/alarms.ts'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { updateSelf } from '@rogatka/contract/preferences.ts'
import { setPurpose } from '@rogatka/contract/trail.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import canonicalize from 'canonicalize'
import { expect, test } from 'vitest'
import { auditAsSystem } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { LOCKS } from '../core/locks.ts'
import type { LineKey } from '../core/log-queue.ts'
import { raw, sql } from '../core/statement.ts'
import { dropExpiredTrail } from '../core/trail-partitions.ts'
import { car, send } from '../ingest/testing.ts'
import { eventually, PASSWORD, type TestApi, testApi } from '../testing/test-api.ts'
import { anchorChains } from './anchors.ts'
import { type Chain, chains } from './chains.ts'
import type { SealedLine } from './line-queries.ts'
import { sealPassages } from './passages.ts'
import { queueMissedLines, RECENT_IDS, sealLogs } from './sealing.ts'
import { verifyChain } from './verify-log.ts'
import { findLostVisit } from './verify-visits.ts'

const [audit, access, visits] = chains as [Chain, Chain, Chain]
/** `LOG_CHANGES=1000 npx vitest run api/src/evidence`: so many changes, each of which has to be found. */
const CHANGES = Number(process.env.LOG_CHANGES ?? 40)

type Row = {
  seq: number
  hash: string
  at: Date
  action: string
  subject: string
  userId: number | null
  ip: string | null
  before: unknown
  after: unknown
  ticketId: number | null
}

/** The seals of the audit log with their lines, in order. */
const sealed = ({ db }: { db: Database }) =>
  db.query<Row>(sql`
    select s.seq, encode(s.hash, 'hex') as hash, a.at, a.action, a.subject, a.user_id as "userId", a.ip, a.before,
           a.after, a.ticket_id as "ticketId"
    from log_seal s join audit a on a.id = s.source_id
    where s.chain = 'audit' order by s.seq`)

const counts = async ({ db }: { db: Database }) => {
  const [row] = await db.query<{ lines: number; seals: number; last: number | null; queued: number }>(sql`
    select (select count(*)::int from audit) as lines, count(*)::int as seals, max(seq)::int as last,
           (select count(*)::int from log_unsealed) as queued
    from log_seal where chain = 'audit'`)
  return row
}

const entry = (number: number, after: unknown = { firstName: `Anna ${number}`, isEnteredLate: true }) =>
  ({ action: 'user-changed', subject: `anna${number}`, before: { firstName: 'Ala "A"\n\u007fŻ' }, after }) as const

/** An audit log of these many lines, sealed. */
async function sealedLog(count: number): Promise<TestApi> {
  const api = await testApi()
  const { db, clock } = api
  for (let number = 1; number <= count; number++) {
    const now = new Date(clock.now.getTime() + number * 1_000)
    await auditAsSystem(db, now, { ...entry(number), ...(number % 3 === 0 && { ticketId: number }) })
  }
  await sealLogs(db)
  expect(await counts(api)).toEqual({ lines: count, seals: count, last: count, queued: 0 })
  return api
}

const run = (command: string, words: string[], input = '', settings: Record<string, string> = {}) =>
  new Promise<{ code: number; lines: string[] }>((resolve) => {
    const env = { ...process.env, LOG_LEVEL: 'silent', ...settings }
    const child = execFile(command, words, { env, maxBuffer: 2 ** 26 }, (error, output) =>
      resolve({ code: error ? Number(error.code) : 0, lines: output.trim().split('\n') }),
    )
    child.stdin?.end(input)
  })

const MANAGE = fileURLToPath(new URL('../manage.ts', import.meta.url))
const verifyLog = ({ url }: TestApi, ...words: string[]) =>
  run(process.execPath, [MANAGE, 'verify-log', ...words], '', { DATABASE_URL: url })

const SHELL = `prev=${'0'.repeat(64)}
while IFS= read -r line; do
  prev=$(printf '%s\\n%s\\n' "$prev" "$line" | sha256sum | cut -d ' ' -f 1)
  echo "$prev"
done`

test('lines of two processes are numbered without holes, with the hashes that sha256sum computes', async () => {
  const api = await testApi()
  const other = await testApi({}, { name: api.name, clock: api.clock })
  const user = await api.as('SelfPersonal')
  const self = {
    firstName: 'Ala',
    lastName: 'Zając',
    email: 'ala@example.org',
    phoneNumber: '600-100-200',
    password: PASSWORD,
  }
  expect((await user.call(updateSelf, { body: self })).status).toBe(204)
  // Transactions that overlap: ids become visible out of order, and one in five is rolled back.
  const { db } = api
  const pending = Array.from({ length: 60 }, (_, number) =>
    (number % 2 ? other : api).db
      .transaction(async (db) => {
        await auditAsSystem(db, api.clock.now, entry(number, { accuracyPercent: number / 8, axles: [number, null] }))
        await db.query(sql`select pg_sleep(${((number * 7) % 10) / 100})`)
        if (number % 5 === 0) throw new Error('rolled back')
      })
      .catch(() => {}),
  )
  const racing = async () => {
    for (let count = 0; count < 20; count++) await Promise.allSettled([sealLogs(api.db), sealLogs(other.db)])
  }
  await Promise.all([...pending, racing()])
  await sealLogs(db)
  const { lines = 0, seals, last, queued } = (await counts({ db })) ?? {}
  expect({ seals, last, queued }).toEqual({ seals: lines, last: lines, queued: 0 })

  const rows = await sealed(api)
  expect(rows.length).toBeGreaterThanOrEqual(49)
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
  const texts = rows.map(({ hash: _, ...line }) => {
    const withoutNulls = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))
    const fractions = (_key: string, value: unknown) =>
      typeof value === 'number' && !Number.isInteger(value) ? String(value) : value
    return canonicalize(JSON.parse(JSON.stringify(withoutNulls, fractions))) as string
  })
  const { lines: hashes } = await run('bash', ['-c', SHELL], `${texts.join('\n')}\n`)
  expect(rows.map(({ hash }) => hash)).toEqual(hashes)
})

test('lines from before the chain are sealed first, and unqueued ones within the reach of the sealer', async () => {
  const api = await testApi()
  await api.app.close()
  const { db } = api
  await db.execute(sql`
    insert into audit (at, action, subject)
    select timestamptz '2026-01-01 00:00Z' + make_interval(secs => n), 'user-added', 'jan' || n
    from generate_series(1, 30) n`)
  await db.execute(sql`insert into log_backfill (chain, done, until) values ('audit', 0, 25)`)
  await auditAsSystem(db, api.clock.now, entry(31))
  await sealLogs(db)
  expect(await counts(api)).toMatchObject({ lines: 31, seals: 26, last: 26, queued: 0 })
  await queueMissedLines(db)
  await sealLogs(db)
  expect(await counts(api)).toMatchObject({ lines: 31, seals: 31, last: 31, queued: 0 })

  const subjects = (await sealed(api)).map(({ subject }) => subject)
  expect(subjects.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, index) => `jan${index + 1}`))
  expect(subjects.slice(25)).toEqual(['anna31', 'jan26', 'jan27', 'jan28', 'jan29', 'jan30'])
  expect(await verifyChain(db, audit)).toMatchObject({ links: 31, broken: null, waiting: 0 })

  // Far above all others: a forged line between the old ones is found by nobody but the verification.
  await db.execute(sql`
    insert into audit (id, at, action, subject) overriding system value
    values (${RECENT_IDS + 1_000}, now(), 'user-added', 'far')`)
  await queueMissedLines(db)
  await sealLogs(db)
  expect(await counts(api)).toMatchObject({ seals: 32, queued: 0 })
  await db.execute(sql`
    insert into audit (id, at, action, subject) overriding system value
    values (500, '2026-01-01T00:00:07Z', 'user-added', 'forged')`)
  const at = new Date('2026-01-01T00:00:07Z')
  expect((await verifyChain(db, audit)).broken).toEqual({ id: 500, seq: null, at, fault: 'it has no seal' })
})

test('lines without a seal are looked for page by page, however many there are', async () => {
  const { db } = await testApi()
  await db.execute(sql`
    insert into audit (at, action, subject) select '2026-01-01', 'user-added', n from generate_series(1, 25000) as n`)
  await db.execute(sql`
    insert into log_seal (chain, seq, source_id, source_at, hash)
    select 'audit', row_number() over (order by id), id, at, '\\x00' from audit where id <= 24999`)
  await db.execute(sql`insert into audit (at, action, subject) select '2026-01-01', 'user-added', 'recent'
    from generate_series(1, ${RECENT_IDS})`)
  const pages: number[] = []
  for (let after: LineKey | null = null; ; ) {
    const page: SealedLine[] = await audit.page(db, { after, until: 25_000, limit: 10_000 })
    pages.push(page.length)
    if (page.length === 0) break
    expect(page.filter(({ isSealed }) => !isSealed).map(({ id }) => id)).toEqual(pages.length === 3 ? [25_000] : [])
    after = page.at(-1) ?? null
  }
  expect(pages).toEqual([10_000, 10_000, 5_000, 0])
})

/** Single changes of a sealed line or its seal, each by a statement, with the values of another row where one is needed. */
const CHANGE_KINDS: Record<string, (seq: number, digit: number) => string> = {
  time: (seq, digit) => `update audit set at = at + interval '${digit + 1} ms' where id = ${seq}`,
  user: (seq, digit) => `update audit set user_id = ${digit + 1} where id = ${seq}`,
  address: (seq, digit) => `update audit set ip = '10.0.0.${digit}' where id = ${seq}`,
  action: (seq) => `update audit set action = 'user-added' where id = ${seq}`,
  subject: (seq, digit) =>
    `update audit set subject = overlay(subject placing '${digit}' from 2 for 1) where id = ${seq}`,
  before: (seq) => `update audit set before = null where id = ${seq}`,
  after: (seq, digit) => `update audit set after = jsonb_set(after, '{firstName}', '"Anna${digit}"') where id = ${seq}`,
  flag: (seq) => `update audit set after = jsonb_set(after, '{isEnteredLate}', 'false') where id = ${seq}`,
  ticket: (seq, digit) => `update audit set ticket_id = ${1_000 + digit} where id = ${seq}`,
  line: (seq) => `delete from audit where id = ${seq}`,
  hash: (seq, digit) =>
    `update log_seal set hash = set_byte(hash, ${digit * 3}, get_byte(hash, ${digit * 3}) # ${1 << (digit % 8)}) where seq = ${seq}`,
  'hash, and all later ones': (seq) => `update log_seal set hash = sha256(hash) where seq >= ${seq}`,
  'time of the seal': (seq) => `update log_seal set source_at = source_at - interval '1 ms' where seq = ${seq}`,
  'line of the seal': (seq) => `update log_seal set source_id = 1000000 where seq = ${seq}`,
  seal: (seq) => `delete from log_seal where seq = ${seq}`,
  'number of the seal': (seq) => `update log_seal set seq = 1000000 where seq = ${seq}`,
}

test('verify-log names the number of each single change of a line or a seal', async () => {
  const lines = 40
  const api = await sealedLog(lines)
  await api.app.close()
  const { db } = api
  await db.query(raw('drop rule audit_is_never_updated on audit; drop rule audit_is_never_deleted on audit'))
  await db.query(raw('create table kept_audit as table audit; create table kept_seal as table log_seal'))
  const restore = `
    delete from audit; delete from log_seal;
    insert into audit overriding system value select * from kept_audit;
    insert into log_seal select * from kept_seal`
  const random = seededRandom(1_113)
  const kinds = Object.keys(CHANGE_KINDS)
  for (let count = 0; count < CHANGES; count++) {
    const kind = kinds[count % kinds.length] as string
    // The last seal alone is made again, as its line is still there.
    const seq = 1 + random.below(lines - 1)
    await db.query(raw(CHANGE_KINDS[kind]?.(seq, random.below(10)) as string))
    const { broken, links } = await verifyChain(db, audit)
    expect({ kind, seq: broken?.seq, links }).toEqual({ kind, seq, links: seq - 1 })
    await db.query(raw(restore))
  }
  expect(await verifyChain(db, audit)).toMatchObject({ links: lines, broken: null })

  const last = (await sealed(api)).at(-1)?.hash
  expect(await verifyLog(api, '--chain', 'audit')).toEqual({
    code: 0,
    lines: [
      `audit: ${lines} links hold, 0 lines wait for their seal`,
      `audit: ends with link ${lines}, ${last}`,
      'anchors: all hold',
    ],
  })
  await db.query(raw(CHANGE_KINDS.subject?.(17, 3) as string))
  const message = 'audit: link 17, line 17 of 2026-10-20T08:00:17.000Z: its line or its seal was changed'
  expect(await verifyLog(api, '--chain', 'audit', '--from', '17')).toEqual({
    code: 1,
    lines: [message, 'anchors: all hold'],
  })
  const since = new Date('2026-10-20T08:00:18Z')
  expect(await verifyChain(db, audit, since)).toMatchObject({ links: 23, broken: null })
  expect(await verifyChain(db, audit, 1_000)).toMatchObject({ links: 0, broken: null })
})

/** The lines of a chain of the trail as they have to be sealed: all columns that are not null, under the names of the API. */
async function trailTexts({ db }: TestApi, chain: string, table: string): Promise<string[]> {
  const rows = await db.query<{ seq: number; line: Record<string, unknown> }>(sql`
    select s.seq, to_jsonb(t) as line from log_seal s join ${raw(table)} t on t.id = s.source_id and t.at = s.source_at
    where s.chain = ${chain} order by s.seq`)
  return rows.map(({ seq, line }) => {
    const members = Object.entries(line).filter(([, value]) => value !== null)
    const named = members.map(([column, value]) => {
      const name = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
      return [name, column.endsWith('at') ? new Date(String(value)).toISOString() : value]
    })
    const text = canonicalize({ seq, ...Object.fromEntries(named) }) as string
    // Bytes are written in hexadecimal digits.
    return text.replaceAll('\\\\x', '')
  })
}

const hashesOf = async ({ db }: TestApi, chain: string) =>
  (
    await db.query<{ hash: string }>(sql`
      select encode(hash, 'hex') as hash from log_seal where chain = ${chain} order by seq`)
  ).map(({ hash }) => hash)

/** A trail of three expired lines, an anchor, looks of a user and ends of visits, all sealed. */
async function sealedTrail() {
  const api = await testApi()
  const { db, clock } = api
  await db.query(sql`select create_trail_partition('access_trail', '2020-02-29')`)
  await db.execute(sql`
    with line as (
      insert into access_trail (at, user_name, session, call, kind, criteria, results, plates)
      select timestamptz '2020-02-05 00:00Z' + make_interval(days => n), 'jan', 'a', 'GET /arch-vehicles', 1, '{}', n, 0
      from generate_series(1, 3) n returning id, at
    )
    insert into log_unsealed (chain, source_id, source_at) select 'access', id, at from line`)
  await sealLogs(db)
  await anchorChains(db, clock.now, false)
  const measured = [1, 2].map((number) =>
    car(number, { plateLpr: `WX ${number}`, createdAt: '2026-10-20T07:59:50.000Z' }),
  )
  await send(await api.station(), measured)
  const user = await api.as('ArchiveMeasurements', 'CurrentMeasurements')
  await expect.poll(async () => (await user.call(current.list, { query: {} })).body.content.length).toBe(2)
  const body = { purpose: 'proceedings', reference: 'RSOW 118/2026', note: 'Żółty "bus"' } as const
  await user.call(setPurpose, { body })
  const range = { dateTimeStart: '2026-10-20T06:00:00Z', dateTimeEnd: '2026-10-20T09:00:00Z', locations: '7' }
  await user.call(archive.search, { query: { ...range, plateLpr: 'WX*', minSpeed: 1 } })
  await user.call(archive.search, { query: { ...range, plates: 'WX1,WX2' } })
  const key = { locationId: 7, createdAt: '2026-10-20T07:59:50.000Z' }
  for (const number of [1, 2]) await user.call(archive.detail, { params: { id: vehicleId(7, number) }, query: key })
  await user.call(current.list, { query: { minSpeed: 2 } })
  clock.now = new Date(clock.now.getTime() + 120_000)
  await api.app.jobs.recurring.find(({ name }) => name === 'close-access-visits')?.work()
  await api.app.close()
  await sealLogs(db)
  return api
}

/** A value that a column of the trail does not have. */
const OTHER_VALUES: Record<string, string> = {
  boolean: 'not COLUMN',
  bytea: "'\\x00'",
  'bytea[]': "array['\\x00'::bytea]",
  integer: 'coalesce(COLUMN, 0) + 1',
  smallint: 'coalesce(COLUMN, 0) + 1',
  bigint: 'COLUMN + 1000',
  jsonb: `'{"minSpeed":3}'`,
  text: "coalesce(COLUMN, '') || ' '",
  'timestamp(3) with time zone': "COLUMN + interval '1 ms'",
}

test('lines of the access trail and ends of its visits are chained, and verify-log names each changed column', async () => {
  const api = await sealedTrail()
  const { db } = api
  for (const [chain, table] of [
    ['access', 'access_trail'],
    ['visits', 'access_visit_end'],
  ] as const) {
    const texts = await trailTexts(api, chain, table)
    expect(texts.length).toBe(chain === 'access' ? 9 : 2)
    const { lines } = await run('bash', ['-c', SHELL], `${texts.join('\n')}\n`)
    expect(await hashesOf(api, chain), table).toEqual(lines)
  }
  expect(await verifyChain(db, access)).toMatchObject({ links: 9, expired: 0, broken: null, waiting: 0 })
  expect(await verifyChain(db, visits)).toMatchObject({ links: 2, broken: null, waiting: 0 })

  /** The first broken link after statements, which are rolled back. */
  const brokenBy = async (chain: Chain, ...statements: string[]) => {
    let found: Awaited<ReturnType<typeof verifyChain>> | undefined
    const done = db.transaction(async (db) => {
      for (const statement of statements) await db.query(raw(statement))
      found = await verifyChain(db, chain)
      throw new Error('rolled back')
    })
    await expect(done).rejects.toThrow('rolled back')
    return found?.broken
  }

  // Each column of each table, and the line as a whole; rules of the table do not hold for its partitions.
  for (const [chain, table, seq] of [
    [access, 'access_trail', 6],
    [visits, 'access_visit_end', 2],
  ] as const) {
    const columns = await db.query<{ name: string; type: string }>(sql`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`)
    const at = `where id = (select source_id from log_seal where chain = '${chain.name}' and seq = ${seq})`
    for (const { name, type } of columns) {
      const value = OTHER_VALUES[type]?.replaceAll('COLUMN', name)
      const broken = await brokenBy(chain, `update ${table}_2026_10 set ${name} = ${value} ${at}`)
      expect({ name, seq: broken?.seq }).toEqual({ name, seq })
    }
    expect(await brokenBy(chain, `delete from ${table}_2026_10 ${at}`)).toMatchObject({
      seq,
      fault: 'its line is missing',
    })
  }
  const forged = `insert into access_trail (at, user_name, session, call, kind, criteria, results, plates)
    values ('2026-10-20T08:00:00Z', 'jan', 'a', 'GET /arch-vehicles', 1, '{}', 1, 1)`
  expect(await brokenBy(access, forged)).toMatchObject({ seq: null, fault: 'it has no seal' })

  // After their retention lines may be missing; the chain goes on from the last hash of them.
  await dropExpiredTrail(db, new Date())
  expect(await verifyChain(db, access)).toMatchObject({ links: 9, expired: 3, broken: null })
  expect(await verifyLog(api, '--chain', 'access')).toEqual({
    code: 0,
    lines: [
      'access: 9 links hold, 0 lines wait for their seal',
      'access: 3 of them without their lines, whose retention has ended',
      `access: ends with link 9, ${(await hashesOf(api, 'access')).at(-1)}`,
      'anchors: all hold',
    ],
  })
  const seal = (seq: number) => `where chain = 'access' and seq = ${seq}`
  expect(await brokenBy(access, `update log_seal set hash = sha256(hash) ${seal(3)}`)).toMatchObject({ seq: 4 })
  expect(await brokenBy(access, `delete from log_seal ${seal(2)}`)).toMatchObject({ seq: 2 })
  // A younger line is not made to look expired.
  for (const seq of [4, 9])
    expect(
      await brokenBy(
        access,
        `delete from access_trail_2026_10 where id = (select source_id from log_seal ${seal(seq)})`,
        `update log_seal set source_at = '2020-02-09' ${seal(seq)}`,
      ),
    ).toMatchObject({ seq, fault: 'its line is missing' })
})

test('a visit of the access trail that was deleted while it was open is reported after a day', async () => {
  const api = await sealedTrail()
  const { db, clock } = api
  const findLost = () => findLostVisit(db, null, new Date(clock.now.getTime() + 86_400_000))
  expect(await findLost()).toBeNull()
  const [visit] = await db.query<{ id: number; at: Date }>(sql`
    insert into access_trail (at, user_name, session, call, kind, criteria, results, plates, is_visit)
    values (${clock.now}::timestamptz - interval '1 hour', 'jan', 'a', 'GET /current-vehicles', 1, '{}', 1, 1, true)
    returning id::int, at`)
  await db.query(sql`
    insert into access_visit (key, id, at, kind, session, seen_at)
    values ('\\x01', ${visit?.id as number}::bigint, ${visit?.at as Date}::timestamptz, 1, '\\x02', now())`)
  expect(await findLost()).toBeNull()
  await db.query(raw(`delete from access_visit where id = ${visit?.id}`))
  expect(await findLost()).toEqual({ ...visit, seq: null, fault: 'the visit has no end' })
  expect(await findLostVisit(db, null, clock.now)).toBeNull()
  expect(await findLostVisit(db, new Date(clock.now.getTime() - 1_000), new Date(+clock.now + 86_400_000))).toBeNull()
})

test('metrics, an alarm and verify-log report that sealing is stalled, but not of a stopped portal', async () => {
  const api = await testApi()
  const { db, clock } = api
  const station = await api.station()
  await send(station, [car(1)])
  clock.now = new Date(clock.now.getTime() + 4 * 60_000)
  const figures = async () => {
    clock.now = new Date(clock.now.getTime() + 15_000)
    const { body } = await api.app.api.http.inject('/metrics')
    return ['sealing', 'anchor'].map((name) =>
      Number(new RegExp(`^rogatka_${name}_seconds (.*)$`, 'm').exec(body)?.[1]),
    )
  }
  /** The cause has to last: each call is five minutes later. */
  const raised = async () => {
    clock.now = new Date(clock.now.getTime() + 300_000)
    await db.query(sql`select pg_notify('alarms', 'observe')`)
    const administrator = await api.as('UsersAdmin')
    return (await administrator.call(list)).body.content.some(({ kind }) => kind === 'sealing-late')
  }
  /** As if jobs were scheduled last at that time. */
  const scheduled = async () => {
    await db.query(sql`
      insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
      values ('test', ${clock.now}::timestamptz, ${clock.now}::timestamptz)
      on conflict (identifier) do update set last_execution = excluded.last_execution`)
    return verifyLog(api)
  }
  await sealPassages(db, clock.now)
  await sealLogs(db)
  await anchorChains(db, clock.now, false)
  const [sealing = 0, anchor = 0] = await figures()
  expect(sealing).toBeLessThan(300)
  expect(anchor).toBe(15)

  await db.transaction(async (holder) => {
    await holder.query(sql`select pg_advisory_xact_lock(${LOCKS.sealing})`)
    await auditAsSystem(db, clock.now, entry(1))
    clock.now = new Date(clock.now.getTime() + 11 * 60_000)
    await Promise.all([sealLogs(db), sealPassages(db, clock.now)])
    expect((await figures())[0]).toBeGreaterThan(660)
    expect((await verifyLog(api)).code).toBe(0)
    expect(await scheduled()).toMatchObject({
      code: 1,
      lines: expect.arrayContaining([expect.stringMatching(/^sealing: nothing has been sealed for \d\d minutes$/)]),
    })
  })
  await eventually(async () => expect(await raised()).toBe(true))

  await sealLogs(db)
  await sealPassages(db, clock.now)
  expect((await figures())[0]).toBeLessThan(300)
  clock.now = new Date(clock.now.getTime() + 25 * 3_600_000)
  await sealPassages(db, clock.now)
  expect((await scheduled()).lines.at(-1)).toMatch(/^sealing: no anchor has been made for \d+ hours$/)
})
