import { readdir } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { freePort } from './core/free-port.ts'
import { sql } from './core/statement.ts'
import { otherOwnAddress } from './testing/own-address.ts'
import { startProcess, workersOf } from './testing/start-process.ts'
import { eventually, PASSWORD, testApi } from './testing/test-api.ts'
import { processVariables, testVariables, type VariableEffect } from './testing/variables/effects.ts'

/*
 * The environment variables that need a separate process, on a test database. A start takes a second, so each covers
 * several.
 */

test('PORT=0 uses a free port', async () => {
  const { url } = await testApi()
  const [one, other] = await Promise.all([startProcess({ DATABASE_URL: url }), startProcess({ DATABASE_URL: url })])
  expect(one.address).not.toBe(other.address)
  for (const { address } of [one, other]) expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('ADMIN_PASSWORD sets the password of the first administrator at the first start only', async () => {
  const { url } = await testApi()
  await expect(startProcess({ DATABASE_URL: url, ADMIN_PASSWORD: '' })).rejects.toThrow(
    /^The server has not started.*ADMIN_PASSWORD/,
  )

  const first = await startProcess({ DATABASE_URL: url })
  await eventually(() => expect(first.output()).toContain('Sign-in: admin / ADMIN_PASSWORD'))
  expect(await first.signIn(PASSWORD)).toBe(200)
  await first.stop()

  const later = await startProcess({ DATABASE_URL: url, ADMIN_PASSWORD: `${PASSWORD}-2` })
  expect(await later.signIn(PASSWORD)).toBe(200)
  expect(await later.signIn(`${PASSWORD}-2`)).toBe(401)
})

test('a second factor of administrators, the default, needs SECRET_KEY', async () => {
  const { url } = await testApi()
  await expect(startProcess({ DATABASE_URL: url, SECOND_FACTOR: '' })).rejects.toThrow(
    'Configuration: SECOND_FACTOR=admins needs SECRET_KEY',
  )
  const { signIn } = await startProcess({ DATABASE_URL: url, SECOND_FACTOR: '', SECRET_KEY: '5a'.repeat(32) })
  expect(await signIn(PASSWORD)).toBe(200)
})

test('DEMO adds stations with simulated traffic and prints an administrator password', async () => {
  const { url, db } = await testApi()
  const demo = await startProcess({ DATABASE_URL: url, DEMO: 'true', DEMO_BACKFILL_DAYS: '0', ADMIN_PASSWORD: '' })
  const password = await eventually(() => {
    const [, printed] = /^Sign-in: admin \/ (\S+)$/m.exec(demo.output()) ?? []
    expect(printed).toBeDefined()
    return printed as string
  })
  expect(await demo.signIn(password)).toBe(200)
  expect(await db.query(sql`select 1 from location`)).not.toHaveLength(0)
  await eventually(async () => expect(await db.query(sql`select 1 from vehicle limit 1`)).toHaveLength(1))
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

/** For each process variable: values and their observable effects. */
const differences: Record<string, VariableEffect> = {
  ADMIN_PASSWORD: {
    title: 'sets the password of the first administrator',
    cases: [
      ['Szlaban-pierwszy', [200, 401]],
      ['Szlaban-drugi-24', [401, 200]],
    ],
    observe: async (env) => {
      const { signIn } = await startProcess({ DATABASE_URL: (await testApi()).url, ...env })
      return [await signIn('Szlaban-pierwszy'), await signIn('Szlaban-drugi-24')]
    },
  },
  DATABASE_URL: {
    title: 'sets the database instead of the embedded one',
    cases: [
      ['{one}', [200, [1, 0], false]],
      ['{other}', [200, [0, 1], false]],
    ],
    observe: async ({ DATABASE_URL = '' }) => {
      const databases = [await testApi(), await testApi()]
      const chosen = databases[DATABASE_URL === '{one}' ? 0 : 1]
      const { dataDir, signIn, output } = await startProcess({ DATABASE_URL: chosen?.url ?? '' })
      const status = await signIn(PASSWORD)
      const found: number[] = []
      for (const { db } of databases)
        found.push((await db.query(sql`select 1 from app_user where username = 'admin'`)).length)
      expect(output()).not.toContain(PASSWORD)
      return [status, found, (await readdir(dataDir)).includes('postgres')]
    },
  },
  DEMO: {
    title: 'adds stations; if absent, none to a given database',
    cases: [
      [undefined, false],
      ['true', true],
    ],
    observe: async (env) => {
      const { url, db } = await testApi()
      await startProcess({ DATABASE_URL: url, DEMO_BACKFILL_DAYS: '0', ...env })
      const stations = async () => (await db.query(sql`select 1 from location`)).length > 0
      if (env.DEMO) await expect.poll(stations, { timeout: 20_000 }).toBe(true)
      return stations()
    },
  },
  DEMO_BACKFILL_DAYS: {
    title: 'backfills that many days, with inspections',
    cases: [
      ['0', 0],
      ['2', 2],
    ],
    observe: async (env) => {
      const days = Number(env.DEMO_BACKFILL_DAYS)
      const { url, db } = await testApi()
      // Without a history the usual traffic is needed, of which a hundredth may be none for minutes.
      const traffic = days === 0 ? '100' : '1'
      await startProcess({ DATABASE_URL: url, DEMO: 'true', DEMO_TRAFFIC_PERCENT: traffic, ...env })
      const hoursBack = async () => {
        const [row] = await db.query<{ hours: number | null }>(sql`
          select extract(epoch from now() - min(created_at))::float8 / 3600 as hours from vehicle`)
        return row?.hours ?? -1
      }
      // Days end at midnight in Warsaw: shortly after it, the day before begins little more than 24 hours back.
      const isBack = async () => expect(await hoursBack()).toBeGreaterThan(days === 0 ? 0 : (days - 1) * 24 + 1)
      await vi.waitFor(isBack, { timeout: 100_000, interval: 200 })
      // Its officers have inspected some of these vehicles; without a history there are none.
      const inspections = async () => (await db.query(sql`select 1 from inspection where state = 'closed'`)).length
      const officers = await db.query(sql`select 1 from app_user where username like 'inspektor.%'`)
      expect(officers).toHaveLength(days === 0 ? 0 : 3)
      if (days > 0)
        await vi.waitFor(async () => expect(await inspections()).toBeGreaterThan(0), {
          timeout: 100_000,
          interval: 200,
        })
      // The last day may not be complete.
      return Math.ceil(Math.max(0, (await hoursBack()) - 1) / 24)
    },
  },
  DEMO_TRAFFIC_PERCENT: {
    title: 'sets the share of the usual traffic, of about 20,000 vehicles a day',
    cases: [
      ['5', true],
      ['1', false],
    ],
    observe: async (env) => {
      const { url, db } = await testApi()
      const demo = { DATABASE_URL: url, DEMO: 'true', DEMO_BACKFILL_DAYS: '1', LOG_LEVEL: 'debug' }
      const { output } = await startProcess({ ...demo, ...env })
      await vi.waitFor(() => expect(output()).toMatch(/days\W+(\d+)\W+of\W+\1,/), { timeout: 100_000, interval: 200 })
      const [{ vehicles } = { vehicles: 0 }] = await db.query<{ vehicles: number }>(sql`
        select count(*)::int as vehicles from vehicle`)
      expect(vehicles).toBeGreaterThan(50)
      return vehicles > 500
    },
  },
  HEAP_MB: {
    title: 'limits the heap',
    cases: [
      [undefined, 1_100],
      ['300', 300],
    ],
    observe: async (env) => {
      const { address } = await startProcess({ DATABASE_URL: (await testApi()).url, ...env })
      return heapLimitOf(address)
    },
  },
  HOST: {
    title: 'sets the interfaces on which the server listens',
    cases: [
      ['localhost', 'refused'],
      ['0.0.0.0', 200],
    ],
    observe: async (env) => {
      const { port } = new URL((await startProcess({ DATABASE_URL: (await testApi()).url, ...env })).address)
      expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
      const answer = await fetch(`http://${otherOwnAddress()}:${port}/healthz`).catch(() => null)
      return answer?.status ?? 'refused'
    },
  },
  WORKERS: {
    title: 'sets the number of processes that serve, of which one alone has no others',
    cases: [
      ['1', 0],
      ['3', 3],
    ],
    observe: async (env) => {
      const { pid } = await startProcess({ DATABASE_URL: (await testApi()).url, ...env })
      return workersOf(pid).length
    },
  },
  PORT: {
    title: 'sets the port on which the server listens, and 0 any free one',
    cases: [
      ['{free}', true],
      ['0', false],
    ],
    observe: async ({ PORT = '' }) => {
      const free = String(await freePort())
      const { address } = await startProcess({
        DATABASE_URL: (await testApi()).url,
        PORT: PORT.replace('{free}', free),
      })
      expect((await fetch(`${address}/healthz`)).status).toBe(200)
      return new URL(address).port === free
    },
  },
}

testVariables(differences, { timeout: 120_000 })

test('every process variable has a test of its effect', () => {
  expect(Object.keys(differences).sort()).toEqual([...processVariables].sort())
})
