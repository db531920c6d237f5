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
 * Kills the server three times while it imports a file with every kind of bad row. With a larger file:
 * IMPORT_ROWS=1000000 npx vitest run api/src/imports/crash.test.ts
 */
const ROWS = Number(process.env.IMPORT_ROWS ?? 6_000)
const KILLS = 3
const BAD = [
  (line: string) => line.slice(0, 40),
  (line: string) => line.replace('"laneNumber":1', '"laneNumber":9'),
  (line: string) => line.replace('"speed":90', '"speed":999'),
  (line: string) => line.replace(/"createdAt":"\d{4}/, '"createdAt":"1999'),
  (line: string) => `${line}\0`,
]

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
  const begin = Date.now() - 3 * 86_400_000
  const lines = Array.from({ length: ROWS }, (_, at) => {
    const createdAt = new Date(begin + at * 100).toISOString()
    const line = JSON.stringify({ locationId: testStation.id, ...car(at + 1, { createdAt }) })
    const damage = at % 50 === 49 ? BAD[Math.floor(at / 50) % BAD.length] : undefined
    return damage ? damage(line) : line
  })
  const { id } = await call('POST', '/imports?fileName=crash.jsonl', lines.join('\n'))
  const { trial } = await until(id, ({ state }) => state === 'checked')
  expect(trial).toMatchObject({ rows: ROWS, new: ROWS - ROWS / 50, refused: ROWS / 50 })
  expect(trial?.reasons).toHaveLength(BAD.length)

  const start = () => call('POST', `/imports/${id}/run?revision=1`)
  const doneOf = ({ written, duplicates, refused }: WireImportDetail) => written + duplicates + refused
  await start()
  for (let kill = 1; kill <= KILLS; kill++) {
    const from = doneOf(await until(id, (it) => doneOf(it) >= (kill * ROWS) / (KILLS + 2)))
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
  expect(done).toMatchObject({ written: trial?.new, duplicates: 0, refused: trial?.refused })
  await withDatabase(server, async (db) => {
    const [count] = await db.query(sql`select count(*)::int as vehicles, count(distinct id)::int as ids from vehicle`)
    expect(count).toEqual({ vehicles: trial?.new, ids: trial?.new })
  })
  await commands(server)
  const verified = await server.manage('verify')
  expect(verified.code, verified.output).toBe(0)
}, 1_800_000)

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
