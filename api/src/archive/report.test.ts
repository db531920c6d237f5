import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTag, report } from '@rogatka/contract/archive.ts'
import { API_BASE, type WireOf } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { languages } from '@rogatka/contract/languages.ts'
import { reportLimits, reportTypes } from '@rogatka/contract/reports.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { extractPages, fetchReport, parseCsv, readSheets, unzipFiles } from '../reports/testing.ts'
import { type Client, eventually, testApi, testStation } from '../testing/test-api.ts'
import { fillArchive } from './testing.ts'

type Query = WireOf<typeof report, 'query'>
const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: 7 }
const OLDEST_FIRST = { orderByColumnName1: 'createdAt', orderDirection1: 'asc' } as const

/** Three cars, the first two with an image; plates WX10001 to WX10003. */
async function threeCars(shortName = testStation.shortName) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-reports-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir })
  const station = await api.station({ ...testStation, shortName })
  const cars = [1, 2, 3].map((sequence) => car(sequence, { createdAt: `2026-10-20T07:5${sequence}:00.000Z` }))
  await send(station, cars)
  const images = [await jpeg(10), await jpeg(20)]
  for (const [at, image] of images.entries()) await sendImage(station, cars[at] ?? car(0), 'front', image)
  await sendImage(station, cars[0] ?? car(0), 'rear', await jpeg(30))
  return { api, station, images, user: await api.as('ArchiveMeasurements') }
}

async function fileOf(user: Client, query: Query, language = 'pl') {
  const ordered = await user.call(report, { query, headers: { 'accept-language': language } })
  expect(ordered.status, JSON.stringify(ordered.errors)).toBe(200)
  const file = await fetchReport(user, ordered.body)
  expect(file.status).toBe(200)
  return file
}
const PLATES = ['WX10001', 'WX10002', 'WX10003']
const column = (rows: readonly (readonly unknown[])[], title: string) => {
  const at = rows[0]?.indexOf(title) ?? -1
  return rows.slice(1).map((row) => row[at])
}

test('a CSV has the rows in the requested order, with numbers and times in base units', async () => {
  const { user } = await threeCars()
  const { bytes, headers } = await fileOf(user, { ...DAY, ...OLDEST_FIRST, reportType: 'csv' })
  expect(headers['content-disposition']).toBe('attachment; filename="archive_list_20_10_2026_10_00_00.csv"')
  const rows = parseCsv(bytes)
  expect(column(rows, 'Numer rejestracyjny')).toEqual(PLATES)
  expect(column(rows, 'Czas pomiaru')[0]).toBe('2026-10-20 09:51:00')
  expect(column(rows, 'Czas pomiaru UTC')[0]).toBe('2026-10-20T07:51:00.000Z')
  expect(column(rows, 'Masa całkowita [kg]')).toEqual(['1500', '1500', '1500'])
  expect(['Oś 1 [kg]', 'Oś 2 [kg]', 'Oś 3 [kg]'].map((title) => column(rows, title)[0])).toEqual(['810', '690', ''])
  expect(['Rozstaw 1 [cm]', 'Rozstaw 2 [cm]'].map((title) => column(rows, title)[0])).toEqual(['260', ''])
  expect(column(rows, 'Przekroczenie masy całkowitej [%]')[0]).toBe('0,0')
  expect(column(rows, 'Numer pojazdu')[0]).toBe(String(vehicleId(7, 1)))
  expect(rows[0]).not.toContain('Oznaczony')

  const newest = await fileOf(user, { ...DAY, reportType: 'csv' })
  expect(column(parseCsv(newest.bytes), 'Numer rejestracyjny')).toEqual(PLATES.toReversed())
})

test('no station name breaks the table or runs as a formula', async () => {
  const name = '=cmd|"/c calc";\r\nA1'
  const { user } = await threeCars(name)
  const csv = parseCsv((await fileOf(user, { ...DAY, reportType: 'csv' })).bytes)
  expect(column(csv, 'Stacja')).toEqual([`'${name}`, `'${name}`, `'${name}`])
  const [sheet] = await readSheets((await fileOf(user, { ...DAY, reportType: 'xlsx' })).bytes)
  expect(column(sheet?.rows ?? [], 'Stacja')[0]).toBe('=cmd|"/c calc";\nA1')
})

test('an XLSX has typed cells, and the criteria on its second sheet', async () => {
  const { user } = await threeCars()
  const { bytes, headers } = await fileOf(user, { ...DAY, ...OLDEST_FIRST, reportType: 'xlsx', maxSpeed: 90.5 })
  expect(headers['content-disposition']).toContain('.xlsx"')
  const [list, criteria] = await readSheets(bytes)
  expect(column(list?.rows ?? [], 'Numer rejestracyjny')).toEqual(PLATES)
  expect(column(list?.rows ?? [], 'Czas pomiaru')[0]).toEqual(new Date('2026-10-20T09:51:00Z'))
  expect(column(list?.rows ?? [], 'Prędkość [km/h]')).toEqual([90, 90, 90])
  expect(criteria?.rows).toEqual(
    expect.arrayContaining([
      ['Stacje', 'S8 Test'],
      ['Prędkość [km/h]', 'do 90,5'],
      ['Sortowanie', 'czas pomiaru rosnąco'],
      ['Okres', 'od 20.10.2026 02:00:00 (włącznie) do 21.10.2026 02:00:00 (wyłącznie)'],
    ]),
  )
})

test('a PDF has every row, the criteria, the total and its author', async () => {
  const { user } = await threeCars()
  const { bytes } = await fileOf(user, {
    ...DAY,
    ...OLDEST_FIRST,
    reportType: 'pdf',
    ctg8p1: '7,lack',
    overspeed: false,
  })
  const [page] = await extractPages(bytes)
  expect(page?.match(/WX 1000\d/g)).toEqual(['WX 10001', 'WX 10002', 'WX 10003'])
  expect(page).toContain('20.10.2026 09:51:00')
  expect(page).toMatch(/Kategorie \[8\+1\]\s+Osobowy, Brak kategorii/)
  expect(page).toMatch(/Liczba pojazdów\s+3/)
  expect(page).toContain('Sporządził(a): Test Test')
})

test('a CSV with images is a ZIP with the originals, their names and hashes', async () => {
  const { user, images } = await threeCars()
  const { bytes, headers } = await fileOf(user, { ...DAY, ...OLDEST_FIRST, reportType: 'csv-with-image' })
  expect(headers['content-type']).toBe('application/zip')
  expect(headers['content-disposition']).toBe('attachment; filename="archive_list_20_10_2026_10_00_00.zip"')
  const files = unzipFiles(bytes)
  const rows = parseCsv(files['archive_list_20_10_2026_10_00_00.csv'] ?? Buffer.alloc(0))
  expect(column(rows, 'Numer rejestracyjny')).toEqual(PLATES)
  const names = column(rows, 'Zdjęcie')
  expect(names[2]).toBe('')
  for (const [at, image] of images.entries()) {
    expect(files[`images/${names[at]}`]).toEqual(image)
    expect(column(rows, 'SHA-256 zdjęcia')[at]).toBe(createHash('sha256').update(image).digest('hex'))
  }
  expect(Object.keys(files)).toHaveLength(3)
})

test('an XLSX or PDF with images shows one for each vehicle with any', async () => {
  const { user } = await threeCars()
  const [sheet] = await readSheets((await fileOf(user, { ...DAY, reportType: 'xlsx-with-image' })).bytes)
  expect(sheet?.images).toHaveLength(2)
  expect(column(sheet?.rows ?? [], 'Numer rejestracyjny')).toEqual(PLATES.toReversed())
  const { bytes } = await fileOf(user, { ...DAY, reportType: 'pdf-with-image' })
  expect(bytes.toString('latin1').match(/\/Filter \/DCTDecode/g)).toHaveLength(2 + 1)
  const [page] = await extractPages(bytes)
  expect(page?.match(/brak zdjęcia/g)).toHaveLength(1)
})

test('contains only the tags of its user', async () => {
  const { api, user } = await threeCars()
  const other = await api.as('ArchiveMeasurements')
  const query = { locationId: 7 }
  await user.call(addTag, { params: { id: vehicleId(7, 2) }, query, body: {} })
  await other.call(addTag, { params: { id: vehicleId(7, 3) }, query, body: {} })
  const tagged = await fileOf(user, { ...DAY, ...OLDEST_FIRST, reportType: 'csv', withTags: true })
  expect(column(parseCsv(tagged.bytes), 'Oznaczony')).toEqual(['nie', 'tak', 'nie'])
  const only = await fileOf(user, { ...DAY, reportType: 'csv', taggedOnly: true })
  expect(column(parseCsv(only.bytes), 'Numer rejestracyjny')).toEqual(['WX10002'])
})

test('exports one vehicle as every file type but Parquet', async () => {
  const { user } = await threeCars()
  const id = vehicleId(7, 2)
  for (const reportType of reportTypes.filter((type) => type !== 'parquet')) {
    const { bytes, headers } = await fileOf(user, { id, reportType })
    const form = reportType.split('-')[0] ?? ''
    const isW = form === 'w'
    const ending = reportType === 'csv-with-image' ? 'zip' : isW ? 'txt' : form
    const kind = /-(loads|axles)$/.exec(reportType)?.[1] ?? (isW ? 'w' : 'list')
    expect(headers['content-disposition']).toBe(`attachment; filename="archive_${kind}_20_10_2026_10_00_00.${ending}"`)
    if (reportType === 'csv') expect(column(parseCsv(bytes), 'Numer rejestracyjny')).toEqual(['WX10002'])
    if (form === 'xlsx') expect((await readSheets(bytes))[0]?.rows).toHaveLength(kind === 'axles' ? 3 : 2)
    if (form === 'pdf') expect((await extractPages(bytes)).join(' ')).toContain('WX 10002')
    if (isW) expect(bytes.toString()).toMatch(/^W00000007/)
    if (form === 'zip')
      expect(Object.keys(unzipFiles(bytes))).toEqual([
        'sheet.pdf',
        '1_front.jpg',
        'passage.json',
        'VERIFY.txt',
        'manifest.sha256',
      ])
  }
  const unknown = await user.call(report, { query: { id: vehicleId(7, 99), reportType: 'pdf' } })
  expect([unknown.status, unknown.errors[0]?.code]).toEqual([404, 'vehicle-not-found'])
  const elsewhere = await user.call(report, { query: { id, locationId: 8, reportType: 'pdf' } })
  expect(elsewhere.status).toBe(404)
})

test('names each missing or invalid field', async () => {
  const api = await testApi()
  const user = await api.as('ArchiveMeasurements')
  const faults = async (query: object) => {
    const { status, errors } = await user.call(report, { query: query as Query })
    expect(status).toBe(400)
    return errors.map(({ path, code }) => `${path} ${code}`).sort()
  }
  const missing = (...fields: string[]) => fields.map((field) => `${field} required-parameter-missing`)
  expect(await faults({ reportType: 'pdf' })).toEqual(missing('dateTimeEnd', 'dateTimeStart', 'locations'))
  expect(await faults({ ...DAY, reportType: 'zip' })).toEqual(missing('id'))
  expect(await faults({ ...DAY, reportType: 'doc' })).toEqual(['reportType unknown-option'])
  expect(await faults({ ...DAY, reportType: 'csv', minSpeed: 9, maxSpeed: 8 })).toEqual([
    'minSpeed min-greater-than-max',
  ])
})

test('refuses more rows than a report can hold, naming both numbers', async () => {
  const api = await testApi()
  const limit = reportLimits['csv-with-image']
  const [from, to] = [new Date('2026-10-19T00:00:00Z'), new Date('2026-10-20T00:00:00Z')]
  await fillArchive(api.db, limit + 1, 1, from, to)
  const user = await api.as('ArchiveMeasurements')
  const range = { dateTimeStart: from.toISOString(), dateTimeEnd: to.toISOString(), locations: 1 }
  for (const reportType of ['pdf-with-image', 'csv-with-image', 'xlsx-with-image'] as const) {
    const { status, errors } = await user.call(report, {
      query: { ...range, reportType },
      headers: { 'accept-language': 'en' },
    })
    expect([status, errors[0]?.code, errors[0]?.path]).toEqual([422, 'report-too-large', null])
    expect(errors[0]?.userMessage).toContain('2,001')
    expect(errors[0]?.userMessage).toContain('2,000')
  }
  expect((await user.call(report, { query: { ...range, reportType: 'csv' } })).status).toBe(200)
  expect(await api.db.query(sql`select from report_link`)).toHaveLength(1)
})

test('a report longer than one cursor batch has each vehicle once', async () => {
  const api = await testApi()
  const [from, to] = [new Date('2026-10-19T00:00:00Z'), new Date('2026-10-20T00:00:00Z')]
  // A number for which all times are whole milliseconds. CSV has batches of 2,000, PDF of 500.
  await fillArchive(api.db, 2_400, 2, from, to)
  const user = await api.as('ArchiveMeasurements')
  const range = { dateTimeStart: from.toISOString(), dateTimeEnd: to.toISOString(), locations: '1,2' }
  const ids = column(parseCsv((await fileOf(user, { ...range, reportType: 'csv' })).bytes), 'Numer pojazdu')
  expect(new Set(ids).size).toBe(2_400)
  expect(ids).toHaveLength(2_400)
  const morning = { ...range, dateTimeEnd: '2026-10-19T06:00:00Z' }
  const pages = await extractPages((await fileOf(user, { ...morning, reportType: 'pdf' })).bytes)
  expect(pages.join('\n').match(/\d\d\.10\.2026 \d\d:\d\d:\d\d Test [12]/g)).toHaveLength(600)
})

test.each(languages)('writes a report in %s, with all its letters', async (language) => {
  const { user } = await threeCars()
  const { columns, title } = (await import(`./${language}.json`)) as { columns: { plate: string }; title: string }
  const csv = await fileOf(user, { ...DAY, reportType: 'csv' }, language)
  expect(column(parseCsv(csv.bytes), columns.plate)).toHaveLength(3)
  const [page] = await extractPages((await fileOf(user, { ...DAY, reportType: 'pdf' }, language)).bytes)
  expect(page).toContain(title)
})

/** A started report on a real port, waiting for its first rows behind a table lock. */
async function waitingReport() {
  const { api, user } = await threeCars()
  const address = await api.app.api.http.listen({ host: '127.0.0.1', port: 0 })
  const ordered = await user.call(report, { query: { ...DAY, reportType: 'csv' } })
  const holder = await api.db.reserve()
  await holder.query(sql`begin`)
  await holder.execute(sql`lock table vehicle_detail in access exclusive mode`)
  const gone = new AbortController()
  const answer = await fetch(`${address}${API_BASE}${ordered.body.link}`, {
    signal: gone.signal,
    headers: { authorization: `Bearer ${user.token}`, 'accept-encoding': 'identity' },
  })
  expect(answer.status).toBe(200)
  return { api, answer, gone, holder }
}

test('a report does not look complete if its database connection is lost', async () => {
  const { api, answer, holder } = await waitingReport()
  const cutOff = () =>
    api.db.query(sql`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`)
  await eventually(async () => expect(await cutOff()).toHaveLength(1))
  await expect(answer.text()).rejects.toThrow()
  await holder.query(sql`rollback`)
  holder.release()
})

test('frees the connection of a report when the client disconnects', async () => {
  const { api, answer, gone, holder } = await waitingReport()
  gone.abort()
  await expect(answer.text()).rejects.toThrow()
  await holder.query(sql`rollback`)
  holder.release()
  await eventually(async () => {
    const open = await api.db.query(sql`
      select from pg_stat_activity where datname = ${api.name} and state like 'idle in transaction%'`)
    expect(open).toHaveLength(0)
  })
})
