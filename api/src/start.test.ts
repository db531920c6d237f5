import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { expect, onTestFinished, test } from 'vitest'
import { eventually, PASSWORD, testApi } from './core/testing.ts'
import { freePort } from './core/testing-server.ts'

/*
 * The environment variables that only a process of its own can show, on a database of the tests. Starting one takes
 * a second, so each start shows several of them.
 */

/** Starts `main.ts` with these variables and waits for the address that it prints; it ends with the test. */
async function start(env: Record<string, string>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-start-'))
  const server = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ADMIN_PASSWORD: PASSWORD,
      ...env,
    },
  })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (data) => (output += data))
  const stop = () => ended(server)
  onTestFinished(async () => {
    await stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const address = await new Promise<string>((resolve, reject) => {
    server.stdout.on('data', () => {
      const [, printed] = /^Rogatka \S+: (http:\S+)$/m.exec(output) ?? []
      if (printed) resolve(printed)
    })
    server.once('close', (code) => reject(new Error(`The server has not started (${code}): ${output}`)))
  })
  const signIn = async (password: string) => {
    const answer = await fetch(`${address}${API_BASE}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password }),
    })
    return answer.status
  }
  return { address, dataDir, signIn, stop, output: () => output }
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = new Promise((resolve) => server.once('exit', resolve))
  server.kill('SIGTERM')
  await exit
}

test('DATABASE_URL names the database that is used, and nothing is embedded then', async () => {
  const { url, sql } = await testApi()
  const { dataDir, signIn, output } = await start({ DATABASE_URL: url })
  expect(await signIn(PASSWORD)).toBe(200)
  expect(await sql`select 1 from app_user where username = 'admin'`).toHaveLength(1)
  expect(await readdir(dataDir)).not.toContain('postgres')
  expect(output()).not.toContain(PASSWORD)
})

test('HOST and PORT are where the server listens', async () => {
  const { url } = await testApi()
  const port = await freePort()
  const { address } = await start({ DATABASE_URL: url, HOST: 'localhost', PORT: String(port) })
  expect(new URL(address).port).toBe(String(port))
  expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200)
  // Another loopback address, which Linux has without being asked.
  if (process.platform !== 'linux') return
  expect(await fetch(`http://127.0.0.2:${port}/healthz`).catch(() => 'refused')).toBe('refused')
  const everywhere = new URL((await start({ DATABASE_URL: url, HOST: '0.0.0.0' })).address)
  expect((await fetch(`http://127.0.0.2:${everywhere.port}/healthz`)).status).toBe(200)
})

test('PORT 0 takes a free one', async () => {
  const { url } = await testApi()
  const [one, other] = await Promise.all([start({ DATABASE_URL: url }), start({ DATABASE_URL: url })])
  expect(one.address).not.toBe(other.address)
  for (const { address } of [one, other]) expect((await fetch(`${address}/healthz`)).status).toBe(200)
})

test('ADMIN_PASSWORD is that of the first administrator at the first start, and changes nothing later', async () => {
  const { url } = await testApi()
  await expect(start({ DATABASE_URL: url, ADMIN_PASSWORD: '' })).rejects.toThrow(
    /^The server has not started.*ADMIN_PASSWORD/,
  )

  const first = await start({ DATABASE_URL: url })
  await eventually(() => expect(first.output()).toContain('Sign-in: admin / ADMIN_PASSWORD'))
  expect(await first.signIn(PASSWORD)).toBe(200)
  await first.stop()

  const later = await start({ DATABASE_URL: url, ADMIN_PASSWORD: `${PASSWORD}-2` })
  expect(await later.signIn(PASSWORD)).toBe(200)
  expect(await later.signIn(`${PASSWORD}-2`)).toBe(401)
})

test('DEMO adds stations whose traffic is simulated, and prints an administrator password once', async () => {
  const real = await testApi()
  await start({ DATABASE_URL: real.url })
  expect(await real.sql`select 1 from location`).toHaveLength(0)

  const { url, sql } = await testApi()
  const demo = await start({ DATABASE_URL: url, DEMO: 'true', DEMO_BACKFILL_DAYS: '0', ADMIN_PASSWORD: '' })
  const password = await eventually(() => {
    const [, printed] = /^Sign-in: admin \/ (\S+)$/m.exec(demo.output()) ?? []
    expect(printed).toBeDefined()
    return printed as string
  })
  expect(await demo.signIn(password)).toBe(200)
  expect(await sql`select 1 from location`).not.toHaveLength(0)
  await eventually(async () => expect(await sql`select 1 from vehicle limit 1`).toHaveLength(1))
})

test.each([0, 2])('DEMO_BACKFILL_DAYS %d sends so many days of history first', async (days) => {
  const { url, sql } = await testApi()
  await start({ DATABASE_URL: url, DEMO: 'true', DEMO_BACKFILL_DAYS: String(days) })
  const hoursBack = async () => {
    const [row] = await sql<{ hours: number | null }[]>`
      select extract(epoch from now() - min(created_at))::float8 / 3600 as hours from vehicle`
    return row?.hours ?? -1
  }
  await eventually(async () => expect(await hoursBack()).toBeGreaterThan(Math.max(0, days - 1) * 24))
  expect(await hoursBack()).toBeLessThan(days * 24 + 1)
})
