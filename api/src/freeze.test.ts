import { cpus } from 'node:os'
import { list } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import type { ApiError } from '@rogatka/contract/errors.ts'
import { post, vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { list as locations } from '@rogatka/contract/locations.ts'
import { login, ping } from '@rogatka/contract/session.ts'
import { expect, test } from 'vitest'
import { sql } from './core/statement.ts'
import { car } from './ingest/testing.ts'
import { addLocation, createStationKey } from './locations/queries.ts'
import { startServer, withDatabase } from './testing/server.ts'
import { testStation } from './testing/test-api.ts'

// Needs SIGSTOP and /proc.
const canFreeze = process.platform === 'linux'

/** Far longer than any request takes. */
const TIMEOUT_MS = 30_000

test.runIf(canFreeze)(
  'refuses requests in time while the database is frozen, and recovers without data loss',
  async () => {
    const server = await startServer({ LOG_LEVEL: 'warn' })
    const [key = '', otherKey = ''] = await withDatabase(server, async (db) => {
      await addLocation(db, testStation)
      // The second one is not cached before the freeze: it has to be read first, for at most 5 s.
      return [
        await createStationKey(db, testStation.id, new Date()),
        await createStationKey(db, testStation.id, new Date()),
      ]
    })
    const call = async ({ method, path }: { method: string; path: string }, token: string, body?: unknown) => {
      const answer = await fetch(server.url + API_BASE + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await answer.text()
      return { status: answer.status, body: text ? JSON.parse(text) : undefined, headers: answer.headers }
    }
    const readiness = async () =>
      (await fetch(`${server.url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) })).status
    const signIn = await call(login, '', { username: 'admin', password: 'Szlaban-2026-noc' })
    const { token } = signIn.body as { token: string }
    const shown = async () => {
      const { body } = await call(list, token)
      return (body as { content?: { id: number }[] }).content?.map(({ id }) => id).sort()
    }
    const passing = (sequence: number): WireMeasurement => car(sequence, { createdAt: new Date().toISOString() })
    const vehicles = [passing(1), passing(2)]
    expect((await call(post, key, vehicles)).body).toMatchObject({ accepted: 2 })
    await expect.poll(shown, { timeout: TIMEOUT_MS }).toEqual([vehicleId(7, 1), vehicleId(7, 2)])

    // As documented in operations.md: the pool, one each for LISTEN, /readyz and the trail, eight for jobs, two to manage.
    await Promise.all(Array.from({ length: 60 }, () => call(locations, token)))
    const [open] = await withDatabase(server, (db) =>
      db.query<{ connections: number }>(sql`
        select count(*)::int as connections from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`),
    )
    expect(open?.connections).toBeGreaterThanOrEqual(5)
    expect(open?.connections).toBeLessThanOrEqual(Math.max(10, 2 * cpus().length) + 13)

    const thaw = await server.freezeDatabase()
    const held = passing(3)
    const answered: string[] = []
    const noted = async <T>(what: string, answer: Promise<T>): Promise<T> => {
      const value = await answer
      answered.push(what)
      return value
    }
    const [unready, refused, unknown] = await Promise.all([
      noted('readiness', readiness()),
      noted('measurements', call(post, otherKey, [held])),
      noted('unknown session', call(ping, 'a-token-that-nobody-knows-yet-in-this-process')),
    ])
    expect(unready).toBe(503)
    // Its timeout is below the 5 s of authentication.
    expect(answered[0]).toBe('readiness')
    for (const { status, body, headers } of [refused, unknown]) {
      expect([status, (body as ApiError[]).map(({ path, code }) => [path, code])]).toEqual([
        503,
        [[null, 'unavailable']],
      ])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await call(ping, token)).status).toBe(204)
    // The process has noticed that LISTEN is disconnected.
    await expect.poll(server.log, { timeout: TIMEOUT_MS }).toContain('live window: connection lost')

    thaw()
    await expect.poll(readiness, { timeout: TIMEOUT_MS }).toBe(200)
    expect((await call(post, key, [...vehicles, held, passing(4)])).body).toMatchObject({ rejected: [] })
    await expect
      .poll(shown, { timeout: TIMEOUT_MS })
      .toEqual([1, 2, 3, 4].map((sequence) => vehicleId(testStation.id, sequence)))
    const rows = await withDatabase(server, (db) => db.query(sql`select from vehicle`))
    expect(rows).toHaveLength(4)
  },
  180_000,
)
