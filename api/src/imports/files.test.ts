import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import * as endpoints from '@rogatka/contract/imports.ts'
import { MAX_IMPORT_BYTES } from '@rogatka/contract/imports.ts'
import { stepUp } from '@rogatka/contract/session-factors.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { eventually, PASSWORD, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { readLines } from './lines.ts'
import {
  compressed,
  detailOf,
  reasonsOf,
  runImport,
  startRun,
  tryAgain,
  tryFile,
  uploadFile,
  vehicleCount,
} from './testing.ts'

const HEADINGS = 'ZST;JJJJMMTT;HHMMSS;FS;SPEED;LENTH'
const row = (second: number, speed = 84) => `12;20261020;${90_000 + second};1;${speed};1642`
const file = (...rows: string[]) => [HEADINGS, ...rows, ''].join('\n')

async function portal() {
  const api = await testApi()
  api.clock.now = new Date('2026-10-20T12:00:00Z')
  await api.station({ ...testStation, id: 12, shortName: 'S8 Raczki' })
  return { api, user: await api.as('Exchange') }
}

/** Where the portal stores the files of its imports. */
const folderOf = ({ name }: TestApi) => join(tmpdir(), `rogatka-${name}`, 'imports')

const bytes = (text: string, encoding: 'windows-1250' | 'iso-8859-2') => {
  const codes = { 'windows-1250': { ł: 0xb3, ś: 0x9c, ą: 0xb9 }, 'iso-8859-2': { ł: 0xb3, ś: 0xb6, ą: 0xb1 } }[encoding]
  return Buffer.from([...text].map((letter) => codes[letter as keyof typeof codes] ?? letter.charCodeAt(0)))
}

test('reads compressed files, line ends, byte order marks and encodings', async () => {
  const { api, user } = await portal()
  const text = file(row(1), row(2))
  const variants: [string, Buffer | string][] = [
    ['gzip', compressed(text)],
    ['CR LF and a byte order mark', `\ufeff${text.replaceAll('\n', '\r\n')}`],
    ['CR', text.replaceAll('\n', '\r')],
    ['no end of the last line', text.trimEnd()],
    ['a line that declares the separator', `sep=;\n${text}`],
  ]
  for (const [name, content] of variants) {
    const { trial } = await tryFile(api, user, content)
    expect(trial, name).toMatchObject({ rows: 2, new: 2, refused: 0 })
  }
  for (const encoding of ['windows-1250', 'iso-8859-2'] as const) {
    const tried = await tryFile(api, user, bytes(`Pas;Czas;śłąą\n1;2026-10-20 08:00;ś\n`, encoding))
    expect([tried.options.encoding, tried.columns[2]?.column]).toEqual([encoding, 'śłąą'])
  }
  expect(await vehicleCount(api)).toBe(0)

  // Lines end with CR beyond the part by which the encoding is recognised.
  const many = Array.from({ length: 30_000 }, () => '1;20').join('\r')
  const tried = await tryFile(api, user, bytes(`Pas;śłąą\r${many}\r`, 'windows-1250'))
  expect(tried.options.encoding).toBe('windows-1250')
  // Read in another way, it has other columns.
  const other = (await tryAgain(api, user, tried.id, { separator: ',', hasHeadings: false, columns: [] })).body
  expect(other.options.columns.map(({ column, field }) => [column, field])).toEqual([['1', 'ignored']])
  expect(other.columns).toEqual([{ column: '1', samples: ['Pas;śłąą', '1;20'] }])

  // A mapping saved for another encoding: its columns are found, or named as missing, never left out.
  const headings = 'Stacja;Pas;Czas;Prędkość'
  const content = `${headings}\n12;1;2026-10-20 10:00:00;84\n`
  const first = await tryFile(api, user, content)
  const fields = ['station', 'lane', 'dateTime', 'speed'] as const
  const columns = headings.split(';').map((column, at) => ({ column, field: fields[at], unit: null, axle: null }))
  const options = { ...first.options, encoding: 'windows-1250', columns } as typeof first.options
  const saved = await user.call(endpoints.saveMapping, { body: { name: 'S8', options } })
  const { id } = (await uploadFile(user, content, 'S8.csv', saved.body.id)).body
  await api.runJobs()
  expect(await detailOf(user, id)).toMatchObject({ options: { encoding: 'utf-8' }, trial: { new: 1 } })
  const plain = (await uploadFile(user, 'Pas;Czas\n', 'S8.csv', saved.body.id)).body
  expect(plain).toMatchObject({ options: { encoding: 'windows-1250' }, trial: null })
  const wrong = (await tryAgain(api, user, id, { encoding: 'windows-1250' })).body
  expect(wrong).toMatchObject({ state: 'checked', trial: null, error: expect.stringMatching(/kolumn/) })
  expect(wrong.options.columns.map(({ field }) => field)).toEqual(['speed', ...fields.slice(0, 3), 'ignored'])
  expect(wrong.columns).toHaveLength(4)
  expect((await startRun(user, id)).errors[0]?.code).toBe('import-state-not-allowed')
})

const measurement = (second: number, more: object = {}) => ({
  locationId: 12,
  createdAt: new Date(Date.UTC(2026, 9, 20, 8) + second * 1_000).toISOString(),
  laneNumber: 1,
  speed: 84,
  ...more,
})

test('reads an array of vehicles on a single line or on many, which may have brackets and commas in texts', async () => {
  const { api, user } = await portal()
  const vehicles = Array.from({ length: 120 }, (_, at) => measurement(at, { plateLpr: at % 2 ? null : `"],[{${at}\\` }))
  const odd = [
    ...[200, 203, 204].map((second) => measurement(second)),
    5,
    null,
    [1, [2]],
    { ...measurement(201), filling: 'x'.repeat(70_000) },
    measurement(202),
  ]
  const variants: [string, string | Buffer, object][] = [
    ['one line', JSON.stringify(vehicles), { rows: 120, new: 120, refused: 0 }],
    ['many lines', JSON.stringify(vehicles, null, 2).replaceAll('\n', '\r\n'), { rows: 120, new: 120, refused: 0 }],
    ['compressed', compressed(`\ufeff ${JSON.stringify(vehicles)}\n`), { rows: 120, new: 120, refused: 0 }],
    ['odd elements', JSON.stringify(odd), { rows: 8, new: 4, refused: 4 }],
    ['cut off', JSON.stringify(vehicles).slice(0, -20), { rows: 120, new: 119, refused: 1 }],
    ['no end', JSON.stringify(vehicles).slice(0, -1), { rows: 121, new: 120, refused: 1 }],
    ['no end of one element', JSON.stringify(vehicles.slice(0, 1)).slice(0, -1), { rows: 2, new: 1, refused: 1 }],
    ['an end behind a comma', JSON.stringify(vehicles).replace(/.$/, ','), { rows: 121, new: 120, refused: 1 }],
    ['commas without elements', `${JSON.stringify(odd).slice(0, -1)},,]`, { rows: 10, new: 4, refused: 6 }],
    ['something behind it', `${JSON.stringify(vehicles)} x`, { rows: 121, new: 120, refused: 1 }],
  ]
  for (const [name, content, expected] of variants) {
    const { trial, options } = await tryFile(api, user, content)
    expect([name, options.format, trial]).toMatchObject([name, 'jsonl', expected])
  }
  expect((await uploadFile(user, ' [ ]')).errors).toMatchObject([{ code: 'import-empty' }])

  const tried = await tryFile(api, user, JSON.stringify([...vehicles, 7]))
  expect(await runImport(api, user, tried.id)).toMatchObject({ state: 'done', written: 120, refused: 1 })
  expect(await vehicleCount(api)).toBe(120)
})

test('an array of tens of MB on a single line is read element by element', async () => {
  const api = await testApi()
  const path = join(tmpdir(), `${api.name}.json`)
  onTestFinished(() => rm(path))
  const count = 40_000
  const element = (at: number) => JSON.stringify(measurement(at, { remark: 'x'.repeat(800) }))
  await writeFile(
    path,
    Readable.from(
      (function* () {
        yield '['
        for (let at = 0; at < count; at++) yield `${at ? ',' : ''}${element(at)}`
        yield ']'
      })(),
    ),
  )
  expect((await stat(path)).size).toBeGreaterThan(30_000_000)
  let read = 0
  let largest = 0
  for await (const { lines } of readLines(path, 'utf-8')) {
    if (lines.some((line) => line !== element(read++))) throw new Error(`element ${read}`)
    largest = Math.max(largest, lines.join('').length)
  }
  expect(read).toBe(count)
  // No more than a part of the file at a time.
  expect(largest).toBeLessThan(1_000_000)
})

test.each([
  ['an empty file', Buffer.alloc(0), 'import-empty'],
  ['blank lines', '\n\n  \n', 'import-empty'],
  ['a text', 'Szanowni Państwo\nwitamy', 'import-format-unknown'],
  ['an archive', Buffer.from('PK\u0003\u0004\u0000\u0000;\u0000;\u0000'), 'import-format-unknown'],
  ['lines that are too long', `${'kolumna;'.repeat(9_000)}\n${'1;'.repeat(40_000)}\n`, 'import-format-unknown'],
  ['201 columns', `${Array.from({ length: 201 }, (_, at) => `k${at}`).join(';')}\n`, 'import-too-many-columns'],
  ['UTF-16', Buffer.from('\ufeffZST;FS\n1;2', 'utf16le'), 'import-encoding-unknown'],
  ['a cut off compressed file', compressed(file(row(1))).subarray(0, 30), 'import-damaged'],
])('refuses %s and keeps nothing of it', async (_, content, code) => {
  const { api, user } = await portal()
  const { status, errors } = await uploadFile(user, content as Buffer)
  expect([status, errors.map((error) => error.code)]).toEqual([422, [code]])
  expect(errors[0]?.userMessage).toMatch(/\.$/)
  expect((await user.call(endpoints.list)).body).toEqual({ content: [], totalCount: 0 })
  expect(await api.db.query(sql`select from audit`)).toEqual([])
})

test('long or equal headings, NUL in the first rows and an upload in progress leave the list readable', async () => {
  const { api, user } = await portal()
  const long = 'x'.repeat(150)
  const tried = await tryFile(api, user, `${long};${long};Pas;Pas\n1\0;2;3;4\n`)
  const names = ['x'.repeat(100), `${'x'.repeat(96)} (2)`, 'Pas', 'Pas (2)']
  expect(tried.columns.map(({ column }) => column)).toEqual(names)
  expect(tried.columns[0]?.samples).toEqual(['1\uFFFD'])
  const idsOf = async () => (await user.call(endpoints.list)).body.content.map(({ id }) => id)
  // 500 MB at 1 Mbit/s.
  expect(api.app.api.http.server.requestTimeout).toBeGreaterThan((MAX_IMPORT_BYTES * 8) / 1_000)
  const source = new Readable({ read: () => {} })
  source.push(file(row(1)))
  const uploading = uploadFile(user, source)
  await eventually(async () => expect(await readdir(folderOf(api))).toContain(`${tried.id + 1}.file`))
  expect(await idsOf()).toEqual([tried.id])
  source.push(null)
  const { id } = (await uploading).body
  expect(await idsOf()).toEqual([id, tried.id])
  await api.runJobs()
  const listed = (await user.call(endpoints.list)).body.content[0]?.trial
  expect(listed).toMatchObject({ rows: 1, new: 1, lanes: [], days: [] })
  expect((await detailOf(user, id)).trial?.lanes).toHaveLength(1)
})

test('a decompression bomb fails at the limit', async () => {
  const { api, user } = await portal()
  const tried = await tryFile(
    api,
    user,
    compressed(`${file(...Array.from({ length: 60 }, (_, at) => row(at)))}${'x'.repeat(80 * 1024 * 1024)}`),
  )
  expect(tried).toMatchObject({ state: 'failed', trial: { new: 0 } })
  expect(tried.error).toMatch(/./)
  expect((await startRun(user, tried.id)).status).toBe(409)
})

test('a run that was killed continues where it stopped, with the counts of its trial', async () => {
  const { api, user } = await portal()
  // Good and bad rows; each second one comes twice, and is another vehicle then.
  const rows = Array.from({ length: 1_800 }, (_, at) => row(Math.floor(at / 60) * 100 + (at % 60), at % 7 ? 84 : 999))
  const content = file(...rows.flatMap((text, at) => (at % 2 ? [text, text] : [text])))
  const tried = await tryFile(api, user, content)
  expect(tried.trial).toMatchObject({ rows: 2_700, new: 2_313, duplicates: 0, refused: 387 })
  expect(reasonsOf(tried)).toEqual(['387 value-too-large'])
  const { id } = tried
  expect((await startRun(user, id)).body.state).toBe('running')

  // The third batch fails as if the process died: its transaction is rolled back, and its lease is left.
  await api.db.execute(sql`
    create function refuse_third() returns trigger language plpgsql as $$
    begin
      if new.line > 1000 then raise exception 'killed' using errcode = '57P01'; end if;
      return new;
    end $$`)
  await api.db.execute(sql`create trigger refuse_third before update of line on import
    for each row execute function refuse_third()`)
  await api.runJobs()
  const stopped = await detailOf(user, id)
  expect(stopped).toMatchObject({ state: 'running' })
  expect(stopped.written + stopped.duplicates + stopped.refused).toBe(999)
  expect(await vehicleCount(api)).toBe(stopped.written)
  await api.db.execute(sql`drop trigger refuse_third on import`)
  await api.db.execute(sql`
    update import set lease_holder = 'dead', lease_until = now() + interval '1 hour' where id = ${id}`)
  const work = api.app.jobs.recurring.find(({ name }) => name === 'work-on-imports')
  await work?.work()
  expect((await detailOf(user, id)).written, 'another process has it').toBe(stopped.written)
  await api.db.execute(sql`update import set lease_until = now() where id = ${id}`)
  await work?.work()
  const done = await detailOf(user, id)
  expect(done).toMatchObject({
    state: 'done',
    written: tried.trial?.new,
    duplicates: tried.trial?.duplicates,
    refused: 387,
  })
  expect(await vehicleCount(api)).toBe(done.written)
  const again = await tryFile(api, user, content)
  expect(again.trial).toMatchObject({ new: 0, duplicates: 2_700 - 387 })

  // Its refused rows have plates: a file of more than 100 needs a user who was verified lately, before it is written down.
  const few = await tryFile(api, user, file(row(1), row(2, 999)))
  api.clock.now = new Date(api.clock.now.getTime() + 11 * 60_000)
  const refusedRows = async (importId: number) => {
    const { status, errors } = await user.call(endpoints.refusedFile, { params: { id: importId } })
    return [status, ...errors.map(({ code }) => code)]
  }
  const downloads = async () =>
    (await api.db.query(sql`select from audit where action = 'import-refused-downloaded'`)).length
  expect(await refusedRows(id)).toEqual([403, 'step-up-required'])
  expect(await refusedRows(few.id)).toEqual([200])
  expect(await downloads()).toBe(1)
  expect((await user.call(stepUp, { body: { password: PASSWORD } })).status).toBe(204)
  expect(await refusedRows(id)).toEqual([200])
  expect(await downloads()).toBe(2)

  // Where purposes are required, it needs one as well.
  const strict = await testApi({ purposes: 'required' }, { name: api.name, clock: api.clock })
  const other = strict.client(user.token)
  const refused = await other.call(endpoints.refusedFile, { params: { id } })
  expect([refused.status, refused.errors[0]?.code]).toEqual([422, 'purpose-missing'])
  expect((await other.call(endpoints.refusedFile, { params: { id: few.id } })).status).toBe(200)
  expect(await downloads()).toBe(3)
})

test('a run without free space, or whose file is gone, fails with the reason; orphaned files are deleted', async () => {
  const { api, user } = await portal()
  const { id } = await tryFile(api, user, file(row(1), row(2, 999)))
  const { config } = api.app.api
  const reserve = config.diskReserve
  config.diskReserve = Number.MAX_SAFE_INTEGER
  const full = await runImport(api, user, id)
  expect(full).toMatchObject({ state: 'failed', hasFile: true, error: expect.stringMatching(/dysk/) })
  config.diskReserve = reserve

  // A day after the upload, and an hour after it failed.
  const prune = () => api.app.jobs.recurring.find(({ name }) => name === 'prune-imports')?.work()
  await api.db.execute(sql`
    update import set created_at = created_at - interval '25 hours', finished_at = ${api.clock.now}::timestamptz`)
  await prune()
  expect(await detailOf(user, id)).toMatchObject({ state: 'failed', hasFile: true })
  const other = await tryFile(api, user, file(row(3), row(4, 999)))
  const cancelled = await tryFile(api, user, file(row(5), row(6, 999)))
  await user.call(endpoints.cancel, { params: { id: cancelled.id } })
  await api.db.execute(sql`update import set has_refused_file = false where id = ${cancelled.id}`)
  const left = ['999.file', '999.refused.csv', `${other.id}.abcdef0123456789.csv`]
  for (const name of left) await writeFile(join(folderOf(api), name), 'x')
  const now = api.clock.now
  // Files have the time of the machine.
  api.clock.now = new Date(Date.now() + 2 * 3_600_000)
  await api.db.execute(sql`
    update import set created_at = ${api.clock.now}::timestamptz, finished_at = ${api.clock.now}::timestamptz`)
  await prune()
  const kept = [id, other.id].flatMap((id) => [`${id}.file`, `${id}.refused.csv`])
  expect((await readdir(folderOf(api))).sort()).toEqual(kept.sort())
  api.clock.now = now
  await rm(join(folderOf(api), `${id}.file`))
  expect(await runImport(api, user, id)).toMatchObject({ state: 'failed', hasFile: false, written: 0 })
})

test('a trial that crashes its process is given up after five attempts', async () => {
  const { api, user } = await portal()
  const { id } = (await uploadFile(user, file(row(1)))).body
  const attempt = (attempts: number) =>
    api.db.execute(sql`update import set attempts = ${attempts}, state = 'checking' where id = ${id}`)
  await attempt(5)
  await api.runJobs()
  expect(await detailOf(user, id)).toMatchObject({ state: 'failed', trial: null, error: expect.stringMatching(/./) })
  await attempt(4)
  await api.app.jobs.recurring.find(({ name }) => name === 'work-on-imports')?.work()
  expect(await detailOf(user, id)).toMatchObject({ state: 'checked', trial: { new: 1 }, error: null })
  expect((await readdir(folderOf(api))).sort()).toEqual([`${id}.file`])
})

test('a cancelled import is audited with the rows of the batch that was being stored', async () => {
  const { api, user } = await portal()
  const { id } = await tryFile(api, user, file(row(1), row(2)))
  const cancelled = await api.db.transaction(async (db) => {
    await db.execute(sql`update import set written = 2 where id = ${id}`)
    const request = user.call(endpoints.cancel, { params: { id } })
    await eventually(async () => {
      const waiting = await api.db.query(sql`
        select from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`)
      expect(waiting).toHaveLength(1)
    })
    return { request }
  })
  expect((await cancelled.request).body).toMatchObject({ state: 'cancelled', written: 2 })
  const audited = await api.db.query(sql`select after from audit where action = 'import-cancelled'`)
  expect(audited).toEqual([{ after: { written: 2 } }])
})

test('an import is cancelled, its file deleted after a day, and an unknown one not found', async () => {
  const { api, user } = await portal()
  const { id } = await tryFile(api, user, file(row(1), row(2, 999)))
  expect((await user.call(endpoints.cancel, { params: { id } })).body).toMatchObject({
    state: 'cancelled',
    hasFile: false,
  })
  expect((await user.call(endpoints.cancel, { params: { id } })).errors[0]?.code).toBe('import-state-not-allowed')
  expect((await runImport(api, user, (await tryFile(api, user, file(row(1)))).id)).state).toBe('done')
  const waiting = await tryFile(api, user, file(row(3), row(4, 999)))
  api.clock.now = new Date(api.clock.now.getTime() + 25 * 3_600_000)
  const later = await api.as('Exchange')
  await api.app.jobs.recurring.find(({ name }) => name === 'prune-imports')?.work()
  const expired = await eventually(() => detailOf(later, waiting.id))
  expect(expired).toMatchObject({ state: 'cancelled', hasFile: false, hasRefusedFile: true })
  expect((await startRun(later, waiting.id)).errors[0]?.code).toBe('import-file-deleted')
  expect((await tryAgain(api, later, waiting.id, {})).status).toBe(409)
  for (const endpoint of [endpoints.detail, endpoints.run, endpoints.cancel, endpoints.refusedFile])
    expect((await later.call(endpoint, { params: { id: 999 }, query: { revision: 1 } })).status).toBe(404)
})
