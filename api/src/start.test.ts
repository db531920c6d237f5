import { readdir } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { freePort } from './core/free-port.ts'
import { sql } from './core/statement.ts'
import { otherOwnAddress } from './testing/own-address.ts'
import { startProcess, workersOf } from './testing/start-process.ts'
import { eventually, PASSWORD, testApi } from './testing/test-api.ts'
import { processVariables } from './testing/variables/effects.ts'

/*
 * The environment variables that need a separate process, on a test database. A start takes two seconds of processor time,
 * so each covers several.
 */

test('ADMIN_PASSWORD sets the password of the first administrator at the first start only', async () => {
  const { url } = await testApi()
  await expect(startProcess({ DATABASE_URL: url, ADMIN_PASSWORD: '' })).rejects.toThrow(
    /^The server has not started.*ADMIN_PASSWORD/,
  )

  const first = await startProcess({ DATABASE_URL: url })
  await eventually(() => expect(first.output()).toContain('Sign-in: admin / ADMIN_PASSWORD'))
  expect(await first.signIn(PASSWORD)).toBe(200)

  const later = await startProcess({ DATABASE_URL: url, ADMIN_PASSWORD: `${PASSWORD}-2` })
  expect(await later.signIn(PASSWORD)).toBe(200)
  expect(await later.signIn(`${PASSWORD}-2`)).toBe(401)
  // Both with PORT=0.
  expect(later.address).not.toBe(first.address)
})

test('a second factor of administrators, the default, needs SECRET_KEY', async () => {
  const { url } = await testApi()
  await expect(startProcess({ DATABASE_URL: url, SECOND_FACTOR: '' })).rejects.toThrow(
    'Configuration: SECOND_FACTOR=admins needs SECRET_KEY',
  )
  const { signIn } = await startProcess({ DATABASE_URL: url, SECOND_FACTOR: '', SECRET_KEY: '5a'.repeat(32) })
  expect(await signIn(PASSWORD)).toBe(200)
})

/** The heap limit of a server in MB, to the hundred below: it includes the young generation, whose size V8 chooses. */
async function heapLimitOf(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const bytes = Number(/^rogatka_memory_bytes\{part="heap_limit"\} (\d+)/m.exec(metrics)?.[1])
  return Math.floor(bytes / 2 ** 20 / 100) * 100
}

test('NODE_OPTIONS have precedence over HEAP_MB', async () => {
  const { url } = await testApi()
  const NODE_OPTIONS = '--max-old-space-size=200'
  const { address } = await startProcess({ DATABASE_URL: url, HEAP_MB: '300', NODE_OPTIONS })
  expect(await heapLimitOf(address)).toBe(200)
})

/** Starts that differ in several variables: no two of these change in the same starts. */
const STARTS = [
  {
    DATABASE_URL: '{one}',
    ADMIN_PASSWORD: 'Szlaban-pierwszy',
    HOST: 'localhost',
    PORT: '{free}',
    HEAP_MB: '',
    WORKERS: '1',
  },
  {
    DATABASE_URL: '{other}',
    ADMIN_PASSWORD: 'Szlaban-pierwszy',
    HOST: '0.0.0.0',
    PORT: '0',
    HEAP_MB: '',
    WORKERS: '1',
  },
  {
    DATABASE_URL: '{other}',
    ADMIN_PASSWORD: 'Szlaban-drugi-24',
    HOST: 'localhost',
    PORT: '0',
    HEAP_MB: '300',
    WORKERS: '1',
  },
  {
    DATABASE_URL: '{other}',
    ADMIN_PASSWORD: 'Szlaban-drugi-24',
    HOST: '0.0.0.0',
    PORT: '{free}',
    HEAP_MB: '',
    WORKERS: '3',
  },
]

test.each(STARTS)(
  'starts with database $DATABASE_URL, password $ADMIN_PASSWORD, $HOST:$PORT, a heap of "$HEAP_MB" MB, $WORKERS processes',
  async ({ DATABASE_URL, ADMIN_PASSWORD, HOST, PORT, HEAP_MB, WORKERS }) => {
    const [one, other] = [await testApi(), await testApi()]
    const [used, unused] = DATABASE_URL === '{one}' ? [one, other] : [other, one]
    const free = String(await freePort())
    const { address, dataDir, output, pid, signIn } = await startProcess({
      DATABASE_URL: used.url,
      ADMIN_PASSWORD,
      HOST,
      PORT: PORT.replace('{free}', free),
      HEAP_MB,
      WORKERS,
    })

    for (const password of ['Szlaban-pierwszy', 'Szlaban-drugi-24'])
      expect(await signIn(password)).toBe(password === ADMIN_PASSWORD ? 200 : 401)
    expect(output()).not.toContain(ADMIN_PASSWORD)

    for (const { db } of [used, unused]) {
      const administrators = await db.query(sql`select 1 from app_user where username = 'admin'`)
      expect(administrators).toHaveLength(db === used.db ? 1 : 0)
    }
    expect(await readdir(dataDir)).not.toContain('postgres')
    // There is no demo in a given database unless DEMO is set.
    expect(await used.db.query(sql`select 1 from location`)).toEqual([])

    const { port } = new URL(address)
    expect(port === free).toBe(PORT === '{free}')
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
    const elsewhere = await fetch(`http://${otherOwnAddress()}:${port}/healthz`).catch(() => null)
    expect(elsewhere?.status).toBe(HOST === '0.0.0.0' ? 200 : undefined)

    expect(workersOf(pid)).toHaveLength(WORKERS === '3' ? 3 : 0)
    expect(await heapLimitOf(address)).toBe(HEAP_MB === '300' ? 300 : 1_100)
  },
)

/** Without a history the usual traffic is needed, of which a hundredth may be none for minutes. */
const DEMOS = [
  { DEMO: 'true', DEMO_BACKFILL_DAYS: '0', DEMO_TRAFFIC_PERCENT: '100' },
  { DEMO: 'true', DEMO_BACKFILL_DAYS: '1', DEMO_TRAFFIC_PERCENT: '5' },
  { DEMO: 'true', DEMO_BACKFILL_DAYS: '2', DEMO_TRAFFIC_PERCENT: '1' },
]

test.each(DEMOS)(
  'DEMO prints a password and adds stations with $DEMO_BACKFILL_DAYS days of $DEMO_TRAFFIC_PERCENT % of the usual traffic',
  async (env) => {
    const { url, db } = await testApi()
    const { signIn, output } = await startProcess({
      DATABASE_URL: url,
      ADMIN_PASSWORD: '',
      LOG_LEVEL: 'debug',
      ...env,
    })
    const password = await eventually(() => {
      const [, printed] = /^Sign-in: admin \/ (\S+)$/m.exec(output()) ?? []
      expect(printed).toBeDefined()
      return printed as string
    })
    expect(await signIn(password)).toBe(200)
    expect(await db.query(sql`select 1 from location`)).not.toEqual([])
    await eventually(async () => expect(await db.query(sql`select 1 from vehicle limit 1`)).toHaveLength(1))

    const days = Number(env.DEMO_BACKFILL_DAYS)
    const officers = await db.query(sql`select 1 from app_user where username like 'inspektor.%'`)
    expect(officers).toHaveLength(days === 0 ? 0 : 3)
    if (days > 0) {
      await waitLong(() => expect(output()).toMatch(/days\W+(\d+)\W+of\W+\1,/))
      // Its officers have inspected some of these vehicles.
      const closed = sql`select 1 from inspection where state = 'closed' limit 1`
      await waitLong(async () => expect(await db.query(closed)).toHaveLength(1))
    }
    const [{ hours, vehicles } = { hours: 0, vehicles: 0 }] = await db.query<{ hours: number; vehicles: number }>(sql`
      select extract(epoch from now() - min(created_at))::float8 / 3600 as hours, count(*)::int as vehicles from vehicle`)
    // Days end at midnight in Warsaw: shortly after it, the day before begins little more than 24 hours back.
    expect(Math.ceil(Math.max(0, hours - 1) / 24)).toBe(days)
    // The usual traffic has about 20,000 vehicles a day.
    if (days > 0) {
      expect(vehicles / days).toBeGreaterThan(50)
      expect(vehicles / days > 500).toBe(env.DEMO_TRAFFIC_PERCENT === '5')
    }
  },
)

const waitLong = (check: () => unknown) => vi.waitFor(check, { timeout: 100_000, interval: 200 })

test('every process variable has a test of its effect', () => {
  const tested = [...STARTS, ...DEMOS].flatMap((env) => Object.keys(env))
  expect([...new Set(tested)].sort()).toEqual([...processVariables].sort())
})
