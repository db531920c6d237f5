import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { constants, inflateSync } from 'node:zlib'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { VERSION } from '../core/version.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { extractPages, fetchReport } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'

/** 5 axles as 1-1-3, the second and the tridem far overloaded; too high, too fast. */
const lorry: WireMeasurement = {
  ...car(1),
  plateLpr: 'PO 7XA93',
  ctg8p1: 9,
  ctg323: 5,
  speed: 97,
  vehHeight: 431,
  vehLength: 1_642,
  axles: [
    { leftWeight: 3_660, rightWeight: 3_760, gap: 0 },
    { leftWeight: 7_710, rightWeight: 7_230, gap: 374 },
    { leftWeight: 5_360, rightWeight: 5_260, gap: 567 },
    { leftWeight: 5_210, rightWeight: 5_300, gap: 131 },
    { leftWeight: 5_150, rightWeight: 5_260, gap: 131 },
  ],
  shapeSamples: [200, 431, 430, 90, 400, 400],
  euro: { make: 'DAF', model: 'XF 480', production_date: '2021-03-14', fuel_type: 'olej napędowy' },
}
const id = vehicleId(7, 1)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function passage(vehicle: WireMeasurement, images: Buffer[] = [], settings = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-evidence-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, ...settings })
  const station = await api.station()
  await send(station, [vehicle])
  for (const [at, image] of images.entries()) {
    await sendImage(station, vehicle, imageTypes[at] ?? 'front', image)
  }
  return { api, dataDir, user: await api.as('CurrentMeasurements', 'ArchiveMeasurements') }
}

async function sheetOf(user: Client, query: object = {}, language = 'pl') {
  const ordered = await user.call(current.report, { params: { id }, query, headers: { 'accept-language': language } })
  expect(ordered.status).toBe(200)
  const file = await fetchReport(user, ordered.body)
  expect(file.status).toBe(200)
  return file
}
/** Its text in one line, without line breaks. */
const wordsOf = async (pdf: Buffer) => (await extractPages(pdf)).join(' ').replace(/\s+/g, ' ')
const textOf = async (user: Client) => wordsOf((await sheetOf(user)).bytes)
/** Its content streams, inflated. */
const streamsOf = (pdf: Buffer): string[] => {
  const found: string[] = []
  for (let at = pdf.indexOf('stream\n'); at >= 0; at = pdf.indexOf('stream\n', at + 7)) {
    try {
      found.push(inflateSync(pdf.subarray(at + 7), { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1'))
    } catch {
      // Not compressed, such as an image.
    }
  }
  return found
}
/** Images as received, without their versions. */
const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true }))
    .filter((name) => /-[0-9a-f]{16}\.jpg$/.test(name))
    .map((name) => join(folder, name))

test('the sheet has all measured values, their limits and the excess', async () => {
  const { user } = await passage(lorry)
  const { headers, bytes } = await sheetOf(user)
  expect(headers['content-disposition']).toBe('attachment; filename="vehicle_20_10_2026_10_00_00.pdf"')
  const text = await wordsOf(bytes)
  for (const said of [
    'PO 7XA93',
    '20.10.2026 09:59:58,000',
    '2026-10-20 07:59:58.000 UTC',
    'Przeciążenie',
    'Przekroczona wysokość',
    'Przekroczona prędkość',
    '53,90 t',
    'Oś 2, pojedyncza',
    '14,94 t',
    'Grupa osi 3–5',
    '31,54 t',
    '4,31 m',
    '+0,31 m',
    '+17 km/h',
    '3,74',
    '5,67',
    'DAF XF 480',
    '14.03.2021',
    String(id),
    'Brak zdjęć tego pojazdu.',
    'Sporządził(a): Test Test',
    'Podstawa prawna wartości dopuszczalnych dyrektywa 96/53/WE',
    `Rogatka, wersja ${VERSION}, kompilacja ZG201025`,
    'Data, podpis',
  ]) {
    expect(text).toContain(said)
  }
})

test('embeds every image in full, with its hash', async () => {
  const images = await Promise.all([10, 20, 30].map((shade) => jpeg(shade, 320)))
  const { user } = await passage(lorry, images)
  const { bytes } = await sheetOf(user)
  const text = await wordsOf(bytes)
  for (const image of images) {
    expect(text).toContain(`SHA-256 ${sha256(image)}`)
    expect(bytes.includes(image)).toBe(true)
  }
  expect(text.match(/zgodny z zapisanym/g)).toHaveLength(3)
})

test('enlarges a small image at most twofold', async () => {
  // A plate image: 120 x 28 px.
  const plate = await sharp(await jpeg(40, 120))
    .resize(120, 28, { fit: 'fill' })
    .jpeg()
    .toBuffer()
  const { user } = await passage(lorry, [plate])
  const { bytes } = await sheetOf(user)
  // The matrix of each shown image has its size in points.
  const contents = streamsOf(bytes).join('\n')
  const shown = [...contents.matchAll(/([\d.]+) 0 0 -?([\d.]+) [\d.]+ [\d.]+ cm\s*\/I\d+ Do/g)]
  const sizes = shown.map(([, width, height]) => [Number(width), Number(height)])
  // First the drawn plate with its flag; then the image on page one and among all images.
  expect(sizes.filter(([width, height]) => width === 232 || (width === 240 && height === 56))).toEqual([
    [232, expect.closeTo(54.13, 1)],
    [240, 56],
  ])
})

test('names the legal source of the limits at the station', async () => {
  const { api, user } = await passage(lorry)
  await api.db.execute(sql`
    insert into legal_limits (location_id, valid_from, limits, source)
    select 7, '2026-01-01', limits, 'Permit 12/2026 of the road authority' from legal_limits`)
  expect(await textOf(user)).toContain('wartości dopuszczalnych Permit 12/2026 of the road authority')
})

test('reports an altered image and a missing one', async () => {
  const [received, altered] = [await jpeg(10), await jpeg(200)]
  const { user, dataDir } = await passage(lorry, [received])
  const [place = ''] = await filesIn(dataDir)
  await writeFile(place, altered)
  const changed = await textOf(user)
  expect(changed).toContain(`SHA-256 ${sha256(altered)}`)
  expect(changed).toMatch(new RegExp(`NIEZGODNY .*${sha256(received)}`))
  expect(changed).not.toContain('zgodny z zapisanym przy przyjęciu')
  await rm(place)
  expect(await textOf(user)).toContain('Pliku zdjęcia nie ma w magazynie.')
})

test('states that images have expired', async () => {
  const old = { ...lorry, createdAt: '2026-09-20T08:00:00.000Z' }
  const { user } = await passage(old, [], { imageRetentionDays: 7 })
  const query = { id, createdAt: old.createdAt, reportType: 'pdf' } as const
  const { body } = await user.call(archive.report, { query })
  const text = await wordsOf((await fetchReport(user, body)).bytes)
  expect(text).toContain('minął okres ich przechowywania (7 dni)')
})

test('creates a sheet of a vehicle with hardly any values', async () => {
  const bare = { sequence: 1, createdAt: '2026-10-20T07:59:58.000Z', laneNumber: 2 } as WireMeasurement
  const { user } = await passage(bare)
  const text = await textOf(user)
  expect(text).toContain('brak odczytu')
  expect(text).toContain('bez naruszeń')
  expect(text).toContain('Stacja nie zmierzyła osi tego pojazdu.')
})

test('wraps many axles into rows', async () => {
  const axles = Array.from({ length: 12 }, (_, at) => ({
    leftWeight: 1_000 + at,
    rightWeight: 3_000,
    gap: at ? 130 : 0,
  }))
  const { user } = await passage({ ...lorry, axles })
  const text = await textOf(user)
  expect(text).toContain('Grupa osi 1–12')
  expect(text.match(/3,00/g)).toHaveLength(12)
})

test('the live list exports only vehicles of the last day, and needs its right', async () => {
  const lastWeek = { ...lorry, createdAt: '2026-10-13T08:00:00.000Z' }
  const { api, user } = await passage(lastWeek)
  const ordered = await user.call(current.report, { params: { id }, query: { createdAt: lastWeek.createdAt } })
  expect([ordered.status, ordered.errors[0]?.code]).toEqual([404, 'vehicle-not-found'])
  const other = await api.as('Stat')
  expect((await other.call(current.report, { params: { id } })).status).toBe(403)
})

test.each(['en', 'lt', 'de', 'ro'] as const)('the sheet is in %s', async (language) => {
  const { user } = await passage(lorry)
  const words = (await import(`./${language}.json`)) as { title: string; measures: { total: string; minimum: string } }
  const text = await wordsOf((await sheetOf(user, {}, language)).bytes)
  expect(text).toContain(words.title)
  expect(text).toContain(words.measures.total)
  expect(text).not.toContain('Masa')
})
