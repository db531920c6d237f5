import { addTag, report } from '@rogatka/contract/archive.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { languages } from '@rogatka/contract/languages.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { INK } from '../reports/pdf-document.ts'
import {
  elementsByRole,
  extractPages,
  fetchReport,
  parseCsv,
  readSheets,
  readStructure,
  unzipFiles,
} from '../reports/testing.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'
import type { ListVehicle } from './list-vehicle.ts'
import { pageColumns } from './report-page.ts'
import { archiveTexts } from './texts.ts'

type Query = WireOf<typeof report, 'query'>
const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: 7 }

/** Axles with equal wheel loads, too far apart to form groups. */
const axlesOf = (loads: readonly number[]) =>
  loads.map((load, at) => ({ leftWeight: load / 2, rightWeight: load / 2, gap: at === 0 ? 0 : 200 + at }))

/**
 * An articulated lorry of 51.00 t on a lane of class B+(7): at least 51,000 / 1.07 = 47,664 kg, which is 19.2 % over
 * 40 t. A transport of ten axles, and a car.
 */
async function opened(settings: Parameters<typeof testApi>[0] = {}) {
  const api = await testApi(settings)
  const station = await api.station()
  const heavy = { ctg8p1: 9, ctg323: 3, vehLength: 1_600, speed: 80 }
  await send(station, [
    car(1, { ...heavy, plateLpr: 'WX 1', axles: axlesOf([10_200, 10_200, 10_200, 10_200, 10_200]) }),
    car(2, { ...heavy, plateLpr: 'WX 2', axles: axlesOf(Array.from({ length: 11 }, (_, at) => 5_000 + 10 * at)) }),
    car(3, { plateLpr: 'WX 3', laneNumber: 2, axles: null }),
  ])
  return { api, user: await api.as('ArchiveMeasurements') }
}

async function fileOf(user: Client, query: Query, language = 'pl') {
  const headers = { 'accept-language': language }
  const ordered = await user.call(report, { query: { ...query, orderDirection1: 'asc' }, headers })
  expect(ordered.status, JSON.stringify(ordered.errors)).toBe(200)
  return (await fetchReport(user, ordered.body)).bytes
}

const cellsOf = (rows: readonly (readonly unknown[])[], plate: string) => {
  const [head = [], ...others] = rows
  const row = others.find((cells) => cells.includes(plate)) ?? []
  return (title: string) => {
    expect(head).toContain(title)
    return row[head.indexOf(title)]
  }
}

test('CSV and XLSX have the accuracy class and minimum weight behind an excess', async () => {
  const { user } = await opened()
  const rows = parseCsv(await fileOf(user, { ...DAY, reportType: 'csv' }))
  const heavy = cellsOf(rows, 'WX1')
  expect(heavy('Masa całkowita [kg]')).toBe('51000')
  expect(heavy('Klasa dokładności')).toBe('B+(7)')
  expect(heavy('Masa min. [kg]')).toBe('47664')
  expect(heavy('Masa dopuszczalna [kg]')).toBe('40000')
  expect(heavy('Przekroczenie masy całkowitej [%]')).toBe('19,2')
  const unweighed = cellsOf(rows, 'WX3')
  expect([unweighed('Klasa dokładności'), unweighed('Masa min. [kg]')]).toEqual(['', ''])
  const [sheet] = await readSheets(await fileOf(user, { ...DAY, reportType: 'xlsx' }))
  const typed = cellsOf(sheet?.rows ?? [], 'WX1')
  expect([typed('Klasa dokładności'), typed('Masa min. [kg]')]).toEqual(['B+(7)', 47_664])
})

test('has a column per axle, and one for all beyond the ninth', async () => {
  const { user } = await opened()
  const cell = cellsOf(parseCsv(await fileOf(user, { ...DAY, reportType: 'csv' })), 'WX2')
  const titles = (word: string, unit: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word} ${at + 1} [${unit}]`)
  expect(titles('Oś', 'kg', 9).map(cell)).toEqual(Array.from({ length: 9 }, (_, at) => String(5_000 + 10 * at)))
  expect(cell('Osie 10+ [kg]')).toBe('5090 + 5100')
  expect(titles('Rozstaw', 'cm', 8).map(cell)).toEqual(Array.from({ length: 8 }, (_, at) => String(201 + at)))
  expect(cell('Rozstawy 9+ [cm]')).toBe('209 + 210')
})

test.each(['minimum', 'measured'] as const)(
  'states that excess percentages are based on the %s weight',
  async (overloadBasis) => {
    const { user } = await opened({ overloadBasis })
    for (const language of languages) {
      const said = archiveTexts(language)['overload-basis'][overloadBasis]
      const pages = await extractPages(await fileOf(user, { ...DAY, reportType: 'pdf' }, language))
      // On one line in the footer; possibly wrapped in the criteria.
      expect(pages[0]?.replace(/\s+/g, ' ')).toContain(said)
      const [, criteria] = await readSheets(await fileOf(user, { ...DAY, reportType: 'xlsx' }, language))
      expect(criteria?.rows.flat()).toContain(said)
    }
  },
)

test('has a column of tags if requested, also for one vehicle', async () => {
  const { user } = await opened()
  const query = { locationId: 7 }
  await user.call(addTag, { params: { id: vehicleId(7, 2) }, query, body: {} })
  const marks = async (requested: Query) => {
    const pages = await readStructure(await fileOf(user, { ...requested, reportType: 'pdf' }))
    const at = elementsByRole(pages, 'TH').findIndex(({ text }) => text === 'Ozn.')
    return elementsByRole(pages, 'TBody').flatMap((body) =>
      elementsByRole([body], 'TR').map((row) => row.children[at]?.text),
    )
  }
  expect(await marks({ ...DAY, withTags: true, reportType: 'pdf' })).toEqual(['–', 'tak', '–'])
  expect(await marks({ ...DAY, reportType: 'pdf' })).toEqual([undefined, undefined, undefined])
  const one = parseCsv(await fileOf(user, { id: vehicleId(7, 2), withTags: true, reportType: 'csv' }))
  expect(cellsOf(one, 'WX2')('Oznaczony')).toBe('tak')
})

test('prints a gross weight in red from its limit on', () => {
  const column = pageColumns('pl', { withTags: false, withImages: false }).find(
    ({ title }) => title === 'Masa / dop. [t]',
  )
  const colorOf = (totalLoad: number | null, limitTotalLoad: number | null) => {
    let color: string | undefined
    const pdf = { text: (_: string, _x: number, _y: number, style: { color?: string }) => (color = style.color) }
    const vehicle = { totalLoad, limitTotalLoad, overloadTL: 0 } as ListVehicle
    column?.draw({ vehicle }, { x: 0, y: 0, width: 60, height: 18, base: 12 }, { pdf } as never, 1)
    return color
  }
  expect(colorOf(40_000, 40_000)).toBe(INK.red)
  expect(colorOf(41_000, 40_000)).toBe(INK.red)
  expect(colorOf(39_999, 40_000)).toBeUndefined()
  expect(colorOf(51_000, null)).toBeUndefined()
})

test('names its issuer, its number in the audit log, and the meaning of its marks', async () => {
  const { api, user } = await opened({ ownerCompany: 'Zarząd Dróg Testowych' })
  const bytes = await fileOf(user, { ...DAY, reportType: 'pdf' })
  const number = await numberIn(api)
  expect(number).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}$/)
  const [page] = await extractPages(bytes)
  expect(page).toMatch(/Wystawca\s+Zarząd Dróg Testowych/)
  expect(page).toMatch(new RegExp(`Numer raportu\\s+${number}`))
  expect(page).toContain(`nr ${number} ·`)
  expect(page).toMatch(/czerwony\s+naruszenie albo masa równa dopuszczalnej/)
  const [, criteria] = await readSheets(await fileOf(user, { ...DAY, reportType: 'xlsx' }))
  expect(criteria?.rows).toEqual(
    expect.arrayContaining([
      ['Wystawca', 'Zarząd Dróg Testowych'],
      ['Numer raportu', await numberIn(api)],
    ]),
  )
})

async function numberIn({ db }: TestApi) {
  const [row] = await db.query<{ number: string }>(sql`
    select after ->> 'number' as number from audit where action = 'report-ordered' order by id desc limit 1`)
  return row?.number
}

test('an XLSX is one page wide, freezes time and plate, and shows violations in red', async () => {
  const { user } = await opened()
  const files = unzipFiles(await fileOf(user, { ...DAY, reportType: 'xlsx' }))
  const sheet = files['xl/worksheets/sheet1.xml']?.toString() ?? ''
  expect(sheet).toContain('<pageSetUpPr fitToPage="1"/>')
  expect(sheet).toMatch(/<pageSetup [^>]*fitToWidth="1" fitToHeight="0"/)
  expect(sheet).toContain('<pane xSplit="2" ySplit="1" topLeftCell="C2"')
  const [data] = await readSheets(await fileOf(user, { ...DAY, reportType: 'xlsx' }))
  expect(data?.rows[0]?.slice(0, 2)).toEqual(['Czas pomiaru', 'Numer rejestracyjny'])
  // Columns that print does not need are outside the print area.
  const [, last = ''] =
    /Print_Area[^>]*>[^<]*\$A\$1:\$([A-Z]+)\$4</.exec(files['xl/workbook.xml']?.toString() ?? '') ?? []
  const printed = [...last].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  expect(data?.rows[0]?.[printed]).toBe('Czas pomiaru UTC')
  const redStyles = (
    files['xl/styles.xml']
      ?.toString()
      .match(/<cellXfs.*?<\/cellXfs>/s)?.[0]
      .match(/<xf [^>]*>/g) ?? []
  )
    .map((style, at) => (style.includes('fontId="3"') ? at : -1))
    .filter((at) => at >= 0)
  const redIn = (row: number) =>
    [...sheet.matchAll(new RegExp(`<c r="[A-Z]+${row}"[^>]* s="(\\d+)"`, 'g'))].filter(([, style]) =>
      redStyles.includes(Number(style)),
    ).length
  // Gross weight, its excess and the violation of the lorry; the car has none.
  expect(redIn(2)).toBe(3)
  expect(redIn(4)).toBe(0)
})
