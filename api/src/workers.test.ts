import { setTimeout as sleep } from 'node:timers/promises'
import { list, stream } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { login, logout, ping } from '@rogatka/contract/session.ts'
import { expect, test } from 'vitest'
import { sql } from './core/statement.ts'
import { car } from './ingest/testing.ts'
import { addLocation, createStationKey } from './locations/queries.ts'
import { readEventStream } from './testing/event-stream.ts'
import { startServer, withDatabase } from './testing/server.ts'
import { startProcess, workersOf } from './testing/start-process.ts'
import { eventually, PASSWORD, testApi, testStation } from './testing/test-api.ts'

/** A portal with two server processes; each request has a connection of its own, which any of them may get. */
async function startTwo(env: Record<string, string> = {}) {
  const api = await testApi()
  const portal = await startProcess({ DATABASE_URL: api.url, WORKERS: '2', ...env })
  const request = (path: string, token: string | undefined, init: RequestInit = {}) =>
    fetch(portal.address + API_BASE + path, {
      ...init,
      headers: { authorization: `Bearer ${token}`, connection: 'close', 'content-type': 'application/json' },
    })
  const signedIn = await fetch(portal.address + API_BASE + login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  return { api, portal, request, token }
}

// A start of three processes takes a while on a busy machine.
test('several processes behind a port that no other gets share sessions, vehicles, streams and metrics, and end together', async () => {
  const { api, portal, request, token } = await startTwo()
  const station = await api.station()
  const workers = workersOf(portal.pid)
  expect(workers).toHaveLength(2)
  const streams = await Promise.all(
    Array.from({ length: 4 }, () => readEventStream(portal.address, token, `${API_BASE}${stream.path}?`)),
  )
  for (const { next } of streams) await next('list')
  const now = new Date().toISOString()
  for (let sequence = 1; sequence <= 6; sequence++) {
    const sent = await request(post.path, station.token, {
      method: 'POST',
      body: JSON.stringify([{ ...car(sequence), createdAt: now }]),
    })
    expect(sent.status).toBe(200)
  }
  for (const { events } of streams)
    await eventually(() => {
      const added = events.flatMap(({ data }) => (data as { added?: unknown[] }).added ?? [])
      expect(added).toHaveLength(6)
    })
  for (let time = 0; time < 4; time++)
    await eventually(async () => {
      const { content } = (await (await request(list.path, token)).json()) as { content: unknown[] }
      expect(content).toHaveLength(6)
    })
  const [failed] = await api.db.query<{ id: number }>(sql`
    select id::int from graphile_worker.add_job('nothing-takes-this')`)
  await api.db.query(sql`select graphile_worker.permanently_fail_jobs(array[${failed?.id}]::bigint[], 'x')`)
  const metrics = await (await fetch(`${portal.address}/metrics`)).text()
  const posts = /http_request_duration_seconds_count\{method="POST",route="[^"]*measurements",status="200"\} (\d+)/
  expect(posts.exec(metrics)?.[1]).toBe('6')
  expect(metrics).toMatch(/^rogatka_ready 1$/m)
  expect(metrics).toMatch(/^rogatka_vehicles_total\{result="accepted"\} 6$/m)
  // Both processes have read the same job.
  expect(metrics).toMatch(/^rogatka_jobs_failed 1$/m)
  expect(Number(/^rogatka_start_time_seconds (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(Date.now() / 1_000 - 600)

  await request(logout.path, token, { method: 'DELETE' })
  await eventually(async () => {
    for (let time = 0; time < 4; time++) expect((await request(ping.path, token)).status).toBe(401)
  })

  const { port } = new URL(portal.address)
  for (const WORKERS of ['1', '2'])
    await expect(startProcess({ DATABASE_URL: api.url, PORT: port, WORKERS })).rejects.toThrow(/EADDRINUSE/)
  await portal.stop()
  for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
})

test('limits count the requests of all server processes together', async () => {
  const { request, token } = await startTwo({ REQUESTS_PER_MINUTE: '100' })
  // Within one minute of the clock.
  const left = 60_000 - (Date.now() % 60_000)
  if (left < 20_000) await sleep(left)
  let accepted = 0
  for (let time = 0; time < 160; time++) {
    if ((await request(ping.path, token)).status !== 429) accepted += 1
    await sleep(10)
  }
  // The first request of each process counts for the address, and each reports every tenth.
  expect(accepted).toBeGreaterThanOrEqual(100)
  expect(accepted).toBeLessThanOrEqual(122)
})

test('replaces a server process that was killed, and none outlives a first process that was killed', async () => {
  const { portal, request, token } = await startTwo()
  const [killed = 0] = workersOf(portal.pid)
  process.kill(killed, 'SIGKILL')
  await eventually(async () => expect((await request(ping.path, token)).status).toBe(204))
  const workers = await eventually(() => {
    const present = workersOf(portal.pid)
    expect(present).toHaveLength(2)
    expect(present).not.toContain(killed)
    return present
  })
  await eventually(async () => {
    for (let time = 0; time < 4; time++) expect((await request(ping.path, token)).status).toBe(204)
  })
  process.kill(portal.pid, 'SIGKILL')
  await eventually(() => {
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
  })
})

test('server processes of the embedded database refuse measurements before its disk is full', async () => {
  const server = await startServer({ WORKERS: '2', DISK_RESERVE_MB: '900000000' })
  const key = await withDatabase(server, async (db) => {
    await addLocation(db, testStation)
    return createStationKey(db, testStation.id, new Date())
  })
  const refused = await fetch(server.url + API_BASE + post.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ ...car(1), createdAt: new Date().toISOString() }]),
  })
  expect([refused.status, await refused.json()]).toMatchObject([503, [{ code: 'storage-unavailable' }]])
})
