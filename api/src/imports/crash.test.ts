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
 * Kills the server three times while it imports a file with every kind of bad row of its format, the third time while it
 * counts the days of rows older than the retention. Two kinds depend on what else the portal has: vehicle-still-live
 * (imports.test.ts) and day-measured (figures.test.ts). With a larger file, of another format:
 * IMPORT_ROWS=1000000 IMPORT_FORMAT=csv npx vitest run api/src/imports/crash.test.ts
 */
const ROWS = Number(process.env.IMPORT_ROWS ?? 6_000)
const KILLS = 3
const DAY_MS = 86_400_000
/** Every tenth row is older than the retention of 730 days, of one of so many days. */
const OLD_DAYS = 60
/** No two of a million are equal: equal ones far apart count as one without a number of the station. */
const OLD_STEP_MS = 40

/** How the row of a time is written, and what makes it a bad one, by its reason. */
type RowFormat = {
  headings: string[]
  rowOf: (at: number, time: string) => string
  bad: Record<string, (row: string, before: string) => string>
}
const TOO_LONG = 'x'.repeat(64 * 1024)
const unreadable = (row: string) => `${row}\0`
const digitsOf = (time: string) => time.replace(/\D/g, '')
const cut = (row: string) => row.slice(0, 40)

const FORMATS: Record<string, RowFormat> = {
  jsonl: {
    headings: [],
    rowOf: (at, createdAt) => {
      const { axles: _, ...vehicle } = car(at + 1, { createdAt })
      return JSON.stringify({ locationId: testStation.id, ...vehicle })
    },
    bad: {
      'invalid-value': cut,
      'lane-not-assigned': (row) => row.replace('"laneNumber":1', '"laneNumber":9'),
      'value-too-large': (row) => row.replace('"speed":90', '"speed":999'),
      'measurement-too-old': (row) => row.replace(/"createdAt":"\d{4}/, '"createdAt":"1979'),
      'measurement-in-the-future': (row) => row.replace(/"createdAt":"\d{4}/, '"createdAt":"2999'),
      'unreadable-characters': unreadable,
      'invalid-date': (row) => row.replace(/(T[\d:.]+)Z/, '$1'),
      'too-many-axles': (row) => row.replace('{', `{"axles":[${Array(25).fill('{}').join()}],`),
      'line-too-long': (row) => row.replace('{', `{"remark":"${TOO_LONG}",`),
      'sequence-reused': (_, before) => before.replace('"speed":90', '"speed":91'),
      duplicate: (_, before) => before,
    },
  },
  // Every second row has a number of its station; those of the others are derived.
  csv: {
    headings: ['ZST;JJJJMMTT;HHMMSS;FZG_NR;FS;SPEED;GW_TOT;AX;AWT01;AWT02;W1_2'],
    rowOf: (at, time) => {
      const digits = digitsOf(time)
      const [date, clock] = [digits.slice(0, 8), digits.slice(8, 16)]
      return `${testStation.id};${date};${clock};${at % 2 ? '' : at + 1};1;90;18000;2;7000;11000;374`
    },
    bad: {
      'wrong-column-count': cut,
      'lane-not-assigned': (row) => row.replace(';1;90;', ';9;90;'),
      'value-too-large': (row) => row.replace(';90;', ';999;'),
      'measurement-too-old': (row) => row.replace(/^(\d+);\d{4}/, '$1;1979'),
      'measurement-in-the-future': (row) => row.replace(/^(\d+);\d{4}/, '$1;2999'),
      'unreadable-characters': unreadable,
      'invalid-date': (row) => row.replace(/^(\d+;\d{4})\d{4}/, '$11340'),
      'time-does-not-exist': (row) => row.replace(/^(\d+);\d{8};\d{2}/, '$1;20260329;02'),
      'invalid-number': (row) => row.replace(';90;', ';9O;'),
      'axles-differ': (row) => row.replace(';2;7000', ';3;7000'),
      'axle-too-heavy': (row) => row.replace(';11000;', ';30001;'),
      'gross-differs': (row) => row.replace(';18000;', ';18182;'),
      'line-too-long': (row) => row + TOO_LONG,
      'sequence-reused': (_, before) => before.replace(';90;', ';91;'),
      duplicate: (_, before) => before,
    },
  },
  w2013: {
    headings: [],
    rowOf: (_, time) =>
      `W00${String(testStation.id).padStart(6, '0')}11${digitsOf(time).slice(0, 10)}09   0867080515366012323766018415829004315873004315873`,
    bad: {
      'line-incomplete': cut,
      'lane-not-assigned': (row) => `${row.slice(0, 10)}9${row.slice(11)}`,
      'measurement-in-the-future': (row) => `${row.slice(0, 11)}2999${row.slice(15)}`,
      'measurement-too-old': (row) => `${row.slice(0, 11)}1979${row.slice(15)}`,
      'unreadable-characters': unreadable,
      'invalid-date': (row) => `${row.slice(0, 15)}1340${row.slice(19)}`,
      'time-does-not-exist': (row) => `${row.slice(0, 11)}2026032902${row.slice(21)}`,
      'invalid-number': (row) => row.replace('086708', '08670x'),
      'axle-count-invalid': (row) => row.replace('08670805', '08670814'),
      'axle-too-heavy': (row) => row.replace('0867080515366', '0867080566140'),
      'gross-differs': (row) => row.replace('086708', '087143'),
      'not-a-vehicle': (row) => row.replace(/09 {3}/, 'm    '),
      'line-too-long': (row) => row + TOO_LONG,
    },
  },
}
const { IMPORT_FORMAT = 'jsonl' } = process.env
const FORMAT = FORMATS[IMPORT_FORMAT] as RowFormat

test('an import completes with the counts of its trial although the server is killed three times', async () => {
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
  // The clocks of no zone change within these days.
  const now = new Date()
  const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 10)
  const oldBegin = Date.parse('2020-02-01T05:00:00Z')
  const timeOf = (at: number) =>
    at % 10 === 5
      ? oldBegin + (Math.floor(at / 10) % OLD_DAYS) * DAY_MS + ((at * OLD_STEP_MS) % (DAY_MS / 2))
      : begin + at * 100
  const { headings, rowOf, bad: kinds } = FORMAT
  const rowAt = (at: number) => rowOf(at, new Date(timeOf(at)).toISOString())
  const bad: Record<string, number> = {}
  const rows = Array.from({ length: ROWS }, (_, at) => {
    if (at % 50 !== 49) return rowAt(at)
    const codes = Object.keys(kinds)
    const code = codes[Math.floor(at / 50) % codes.length] as string
    bad[code] = (bad[code] ?? 0) + 1
    return kinds[code]?.(rowAt(at), rowAt(at - 1)) as string
  })
  expect(Object.keys(bad)).toEqual(Object.keys(kinds))
  const { id } = await call('POST', '/imports?fileName=crash.txt', [...headings, ...rows].join('\n'))
  const { trial, options } = await until(id, ({ state }) => state === 'checked')
  expect(options.format).toBe(IMPORT_FORMAT)
  const { duplicate: duplicates = 0, ...refused } = bad
  const [refusals, old] = [ROWS / 50 - duplicates, ROWS / 10]
  const added = ROWS - refusals - duplicates
  expect(Object.fromEntries(trial?.reasons.map(({ code, rows }) => [code, rows]) ?? [])).toEqual(refused)
  expect(trial).toMatchObject({ rows: ROWS, new: added, duplicates, refused: refusals })
  expect(trial).toMatchObject({ figuresOnly: old, figureDays: OLD_DAYS, replacedDays: 0 })

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
    expect(count).toEqual({ vehicles: added - old, ids: added - old })
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
