import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import type { WireImportDetail } from '@rogatka/contract/imports.ts'
import { expect, test } from 'vitest'
import { insertSession } from '../core/session-queries.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { sql } from '../core/statement.ts'
import { car } from '../ingest/testing.ts'
import { addLocation } from '../locations/queries.ts'
import { type Server, startServer, withDatabase } from '../testing/server.ts'
import { testStation } from '../testing/test-api.ts'

/*
 * Kills the server three times while it imports a file with every kind of bad row, the third time while it counts the days
 * of rows older than the retention. With a larger file:
 * IMPORT_ROWS=1000000 npx vitest run api/src/imports/crash.test.ts
 */
const ROWS = Number(process.env.IMPORT_ROWS ?? 6_000)
const KILLS = 3
const DAY_MS = 86_400_000
const BAD: Record<string, (line: string, before: string) => string> = {
  'invalid-value': (line) => line.slice(0, 40),
  'lane-not-assigned': (line) => line.replace('"laneNumber":1', '"laneNumber":9'),
  'value-too-large': (line) => line.replace('"speed":90', '"speed":999'),
  'measurement-too-old': (line) => line.replace(/"createdAt":"\d{4}/, '"createdAt":"1979'),
  'measurement-in-the-future': (line) => line.replace(/"createdAt":"\d{4}/, '"createdAt":"2999'),
  'unreadable-characters': (line) => `${line}\0`,
  'invalid-date': (line) => line.replace(/(T[\d:.]+)Z/, '$1'),
  'too-many-axles': (line) => line.replace('{', `{"axles":[${Array(25).fill('{}').join()}],`),
  'sequence-reused': (_, before) => before.replace('"speed":90', '"speed":91'),
  duplicate: (_, before) => before,
}
/** Every tenth row is older than the retention of 730 days, of one of so many days. */
const OLD_DAYS = 60

test('an import is complete and counts as its trial said, though the server is killed three times', async () => {
  const server = await startServer()
  const token = newToken()
  await withDatabase(server, async (db) => {
    await addLocation(db, testStation)
    const [admin] = await db.query<{ id: number }>(sql`update app_user set must_change_password = false returning id`)
    const session = { tokenHash: hashToken(token), userId: admin?.id as number, ip: '127.0.0.1', userAgent: null }
    await insertSession(db, session, new Date())
  })
  const call = async (method: string, path: string, body?: string) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/octet-stream' }) }
    const answer = await fetch(`${server.url}${API_BASE}${path}`, { method, headers, ...(body && { body }) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as WireImportDetail
  }
  const until = async (id: number, isReached: (it: WireImportDetail) => boolean): Promise<WireImportDetail> => {
    for (;;) {
      const found = await call('GET', `/imports/${id}`)
      if (isReached(found)) return found
      await pause(50)
    }
  }
  const begin = Date.now() - 3 * DAY_MS
  const oldBegin = Date.parse('2020-02-01T05:00:00Z')
  const timeOf = (at: number) =>
    at % 10 === 5
      ? oldBegin + (Math.floor(at / 10) % OLD_DAYS) * DAY_MS + ((at * 100) % (DAY_MS / 2))
      : begin + at * 100
  const lineOf = (at: number) => {
    const createdAt = new Date(timeOf(at)).toISOString()
    const { axles: _, ...vehicle } = car(at + 1, { createdAt })
    return JSON.stringify({ locationId: testStation.id, ...vehicle })
  }
  const kinds = Object.entries(BAD)
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const damage = at % 50 === 49 ? kinds[Math.floor(at / 50) % kinds.length]?.[1] : undefined
    return damage ? damage(lineOf(at), lineOf(at - 1)) : lineOf(at)
  })
  const { id } = await call('POST', '/imports?fileName=crash.jsonl', lines.join('\n'))
  const { trial } = await until(id, ({ state }) => state === 'checked')
  const [bad, old] = [ROWS / 50, ROWS / 10]
  const duplicates = bad / kinds.length
  expect(trial).toMatchObject({ rows: ROWS, new: ROWS - bad, duplicates, refused: bad - duplicates })
  expect(trial).toMatchObject({ figuresOnly: old, figureDays: OLD_DAYS, replacedDays: 0 })
  expect(trial?.reasons.map(({ code, rows }) => [code, rows]).sort()).toEqual(
    kinds
      .map(([code]) => [code, duplicates])
      .filter(([code]) => code !== 'duplicate')
      .sort(),
  )

  const start = () => call('POST', `/imports/${id}/run?revision=1`)
  const doneOf = ({ written, duplicates, refused, collected }: WireImportDetail) =>
    written + duplicates + refused + collected
  await start()
  for (let kill = 1; kill <= KILLS; kill++) {
    const isReached = (it: WireImportDetail) =>
      kill < KILLS ? doneOf(it) >= (kill * ROWS) / (KILLS + 2) : it.figures > 0
    const from = doneOf(await until(id, isReached))
    await server.crash()
    await server.ready()
    const after = await call('GET', `/imports/${id}`)
    expect(after.state).toBe('running')
    expect(doneOf(after)).toBeGreaterThanOrEqual(from)
    // As if the lease of the dead process had expired.
    await withDatabase(server, (db) => db.execute(sql`update import set lease_until = now()`))
    await start()
  }
  const done = await until(id, ({ state }) => state === 'done')
  expect(done).toMatchObject({ written: trial?.new, figures: old, duplicates, refused: trial?.refused })
  await withDatabase(server, async (db) => {
    const [count] = await db.query(sql`select count(*)::int as vehicles, count(distinct id)::int as ids from vehicle`)
    expect(count).toEqual({ vehicles: ROWS - bad - old, ids: ROWS - bad - old })
    const figures = await db.query(sql`
      select count(distinct (hour at time zone 'Europe/Warsaw')::date)::int as days, sum(vehicles)::int as vehicles
      from figure_hour`)
    expect(figures).toEqual([{ days: OLD_DAYS, vehicles: old }])
  })
  await commands(server)
  const verified = await server.manage('verify')
  expect(verified.code, verified.output).toBe(0)
}, 14_400_000)

/** Imports by command while the server runs, which may work on it, too. */
async function commands(server: Server) {
  const run = async (...args: string[]) => {
    const { code, output } = await server.manage(...args)
    return [code, output] as const
  }
  const path = join(server.dataDir, 'own.jsonl')
  const createdAt = new Date(Date.now() - 4 * 86_400_000).toISOString()
  await writeFile(path, JSON.stringify({ locationId: testStation.id, ...car(1, { createdAt }) }))
  const tried = await run('import', '--file', path, '--accuracy', 'none')
  expect(tried).toEqual([0, expect.stringMatching(/1 rows: 1 to write.*nothing written.*import run --id 2/s)])
  expect(await run('import', 'list')).toEqual([0, expect.stringMatching(/^2\tchecked.*own\.jsonl.*\n1\tdone/)])
  expect(await run('import', 'run', '--id', '2')).toEqual([0, expect.stringMatching(/done: 1 written/)])
  const again = await run('import', '--file', path, '--run', 'yes')
  expect(again).toEqual([0, expect.stringMatching(/done: 0 written, 1 already stored/)])
  const unknown = await run('import', '--file', path, '--mapping', 'S8')
  expect(unknown).toEqual([1, expect.stringMatching(/Mapping S8 not found/)])
  await writeFile(path, 'Dear Sir')
  expect(await run('import', '--file', path)).toEqual([1, expect.stringMatching(/supported formats/)])
  expect(await run('import', 'cancel', '--id', '2')).toEqual([1, expect.stringMatching(/current state/)])
}
