import { report, stat, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { documentPages } from '@rogatka/domain/statistics/document.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { extractPages, fetchReport, parseCsv, readSheets, unzipFiles } from '../reports/testing.ts'
import { type Client, testApi } from '../testing/test-api.ts'
import { stationAt } from './testing.ts'

const filters = (differing: Partial<WireStatisticFilters> = {}): WireStatisticFilters => ({
  dateTimeStart: '2026-10-19T22:00:00.000Z',
  dateTimeEnd: '2026-10-20T06:00:00.000Z',
  locations: '7,9',
  statResolutionUnit: 'hour',
  statResolutionValue: 1,
  ...differing,
})

async function opened(lanes = 2) {
  const api = await testApi()
  const station = await api.station(stationAt(7, lanes))
  await api.station(stationAt(9, 1))
  await send(
    station,
    Array.from({ length: 30 }, (_, i) =>
      car(i + 1, { createdAt: `2026-10-20T0${i % 3}:10:00.000Z`, laneNumber: 1 + (i % lanes) }),
    ),
  )
  return { api, user: await api.as('Stat') }
}

async function ordered(
  user: Client,
  query: WireStatisticFilters & { reportType?: 'xlsx' | 'csv' | 'pdf' },
  language = 'pl',
) {
  const { status, body } = await user.call(report, { query, headers: { 'accept-language': language } })
  expect(status).toBe(200)
  return fetchReport(user, body)
}

test('an XLSX has a sheet per station with chart and typed figures, and one with the criteria', async () => {
  const { user } = await opened()
  const { bytes, headers } = await ordered(user, filters())
  expect(headers['content-disposition']).toBe('attachment; filename="statistics.xlsx"')
  const [first, second, about] = await readSheets(bytes)
  expect([first?.name, second?.name, about?.name]).toEqual(['S7', 'S9', 'Kryteria'])
  const rows = first?.rows.filter((row) => row.some((cell) => cell !== null)) ?? []
  expect(rows[0]?.[0]).toBe('S7, 1+000')
  expect(rows[1]?.[0]).toBe('natężenie ruchu, pojazdy, co godzinę; 20.10.2026 00:00 do 20.10.2026 08:00')
  expect(rows[2]?.slice(0, 5)).toEqual(['Początek okresu', 'Okres', 'Pas 1', 'Pas 2', 'Suma'])
  // Spreadsheets have no time zones: dates are in Warsaw time.
  expect(rows[5]?.slice(0, 5)).toEqual([new Date('2026-10-20T02:00:00Z'), '20.10.2026 02:00', 5, 5, 10])
  expect(rows.at(-1)?.slice(1, 5)).toEqual(['Razem', 15, 15, 30])
  expect(rows).toHaveLength(3 + 8 + 1)
  const files = unzipFiles(bytes)
  const sheet = files['xl/worksheets/sheet1.xml']?.toString() ?? ''
  expect(sheet).toContain('<pane xSplit="2" ySplit="3" topLeftCell="C4" activePane="bottomRight" state="frozen"/>')
  // Three header rows and eight periods; totals are not filtered.
  expect(sheet).toContain('<autoFilter ref="A3:E11"/>')
  expect(files['xl/workbook.xml']?.toString()).toContain(`localSheetId="1">'S9'!$1:$3</definedName>`)
  // The chart is to the right of the five columns.
  expect(files['xl/drawings/drawing1.xml']?.toString()).toContain('<xdr:col>6</xdr:col>')
  expect(Object.keys(files).filter((name) => name.endsWith('.png'))).toHaveLength(2)
  // A chart that the spreadsheet program draws of the eight periods of both lanes, without sums and totals.
  const chart = files['xl/charts/chart1.xml']?.toString() ?? ''
  expect(Array.from(chart.matchAll(/<c:f>([^<]+)<\/c:f>/g), ([, range]) => range)).toEqual([
    "'S7'!$C$3",
    "'S7'!$B$4:$B$11",
    "'S7'!$C$4:$C$11",
    "'S7'!$D$3",
    "'S7'!$B$4:$B$11",
    "'S7'!$D$4:$D$11",
  ])
  // With colours of its own: LibreOffice draws lines without them invisible. Lanes add up.
  expect(chart).toContain('<c:grouping val="stacked"/>')
  expect(chart.match(/<a:srgbClr val="233375"\/>/g)).toHaveLength(1)
  // Prints the table and the native chart: 16 columns of 64 px after an empty one, 24 rows of 20 px below the header.
  expect(files['xl/workbook.xml']?.toString()).toContain(
    `<definedName name="_xlnm.Print_Area" localSheetId="0">'S7'!$A$1:$V$27`,
  )
  expect(files['xl/drawings/_rels/drawing1.xml.rels']?.toString()).toContain('Target="../charts/chart1.xml"')
  expect(files['[Content_Types].xml']?.toString()).toContain('PartName="/xl/charts/chart2.xml"')
  expect(about?.rows.flat()).toEqual(expect.arrayContaining(['Stacje', 'S7, S9', 'Podział', 'pas ruchu']))
})

test('loads are in tonnes, as numbers in an XLSX', async () => {
  const { user } = await opened()
  const query = filters({ locations: '7', statName: 'maxTotalLoad' })
  const { body } = await user.call(stat, { query: { ...query, addGraph: false } })
  const kg = body[0]?.summary ?? 0
  expect(kg).toBeGreaterThan(1_000)
  const book = await ordered(user, query)
  const [sheet] = await readSheets(book.bytes)
  const rows = sheet?.rows.filter((row) => row.some((cell) => cell !== null)) ?? []
  expect(rows[1]?.[0]).toMatch(/^masa całkowita maksymalna, t, /)
  expect(rows.at(-1)?.slice(1, 5)).toEqual(['Razem', kg / 1_000, kg / 1_000, kg / 1_000])
  const document = await ordered(user, { ...query, reportType: 'pdf' })
  expect((await extractPages(document.bytes)).join('\n')).toContain((kg / 1_000).toFixed(2).replace('.', ','))
})

test('a PDF has a chart and a table per station, in the language of its user', async () => {
  const { user } = await opened()
  const { bytes, headers } = await ordered(
    user,
    { ...filters(), reportType: 'pdf', statName: 'avgSpeed', groupBy: 'category' },
    'en',
  )
  expect(headers['content-disposition']).toBe('attachment; filename="statistics.pdf"')
  const text = (await extractPages(bytes)).join('\n')
  for (const said of [
    'Statistics',
    'S7, 1+000: average speed, km/h, every hour',
    'S9, 1+000',
    '20.10.2026 02:00',
    '90.0',
    'All',
  ]) {
    expect(text).toContain(said)
  }
  expect(bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(2)
})

test.each([
  { locations: '7', statResolutionUnit: 'hour', statResolutionValue: 1 },
  { locations: '7,9', statResolutionUnit: 'minute', statResolutionValue: 5, groupBy: 'speedRange' },
  { locations: '9,7', statResolutionUnit: 'hour', statResolutionValue: 2, groupBy: 'violation' },
] as const)('estimates the number of pages: %o', async (differing) => {
  const { user } = await opened(differing.groupBy ? 2 : 40)
  const query = filters(differing)
  const { body } = await user.call(stat, { query: { ...query, addGraph: false } })
  const known = documentPages(
    body.map(({ groups }) => groups.length),
    body[0]?.periods.length ?? 0,
  )
  const { bytes } = await ordered(user, { ...query, reportType: 'pdf' })
  expect(await extractPages(bytes)).toHaveLength(known)
})

test('splits a table of forty series in a PDF, and keeps it whole in an XLSX', async () => {
  const { user } = await opened(40)
  const document = await ordered(user, { ...filters({ locations: '7' }), reportType: 'pdf' })
  const text = (await extractPages(document.bytes)).join('\n')
  for (const lane of ['Pas 1', 'Pas 15', 'Pas 40', 'Suma']) expect(text).toContain(lane)
  const book = await ordered(user, filters({ locations: '7' }))
  const [sheet] = await readSheets(book.bytes)
  expect(sheet?.rows.some((row) => row[41] === 'Pas 40' && row[42] === 'Suma')).toBe(true)
})

test('a CSV has a row per station and period, and a column per series of any station', async () => {
  const { user } = await opened()
  // The autumn clock change: two o'clock occurs twice.
  const autumn = { dateTimeStart: '2026-10-24T22:00:00.000Z', dateTimeEnd: '2026-10-25T03:00:00.000Z' }
  const { bytes, headers } = await ordered(user, { ...filters(autumn), reportType: 'csv' })
  expect(headers['content-disposition']).toBe('attachment; filename="statistics.csv"')
  expect(headers['content-type']).toMatch(/^text\/csv/)
  const twice = parseCsv(bytes)
  expect(twice[0]).toEqual(['Stacja', 'Statystyka', 'Początek okresu', 'Okres', 'Pas 1', 'Pas 2', 'Suma'])
  const what = 'natężenie ruchu, pojazdy'
  expect(twice[3]).toEqual(['S7, 1+000', what, '2026-10-25 02:00:00', '25.10.2026 02:00 CEST', '0', '0', '0'])
  // The second station has one lane.
  expect(twice[9]).toEqual(['S9, 1+000', what, '2026-10-25 02:00:00', '25.10.2026 02:00 CET', '0', '', '0'])
  expect(twice).toHaveLength(1 + 2 * 5)

  const speeds = await ordered(user, { ...filters(), statName: 'avgSpeed', reportType: 'csv' })
  expect(parseCsv(speeds.bytes)[3]?.slice(3)).toEqual(['20.10.2026 02:00', '90,0', '90,0', '90,0'])
  expect(parseCsv(speeds.bytes)[0]?.at(-1)).toBe('Razem')
  expect(parseCsv(speeds.bytes)[1]?.slice(4)).toEqual(['', '', ''])
})

test('reports have the earlier period in a column of its own, and list their filters', async () => {
  const { api } = await opened()
  // A week after the vehicles, when the clock had changed.
  api.clock.now = new Date('2026-10-27T08:00:00.000Z')
  const later = { dateTimeStart: '2026-10-26T23:00:00.000Z', dateTimeEnd: '2026-10-27T07:00:00.000Z' }
  const query = { ...filters(later), locations: '7', compare: 'before', hours: '2,3', weekdays: '1' } as const
  const user = await api.as('Stat')
  const table = parseCsv((await ordered(user, { ...query, reportType: 'csv' })).bytes)
  expect(table[0]?.slice(-2)).toEqual(['Suma', 'Wcześniej'])
  expect(table.slice(1).map((row) => row.at(-1))).toEqual(['', '', '10', '10', '', '', '', ''])
  const [sheet, about] = await readSheets((await ordered(user, query)).bytes)
  expect(sheet?.rows.at(-1)?.slice(1, 6)).toEqual(['Razem', 0, 0, 0, 20])
  const criteria = about?.rows.map((row) => row.filter((cell) => cell !== null).join(': ')).join('\n')
  expect(criteria).toContain('Godziny: 02:00–04:00')
  expect(criteria).toContain('Dni tygodnia: wtorek')
  expect(criteria).toContain('Porównanie: 20.10.2026 00:00 do 20.10.2026 08:00')
  const pages = await extractPages((await ordered(user, { ...query, nationalities: 'PL,-', reportType: 'pdf' })).bytes)
  expect(pages.join('\n')).toContain('PL, bez kraju')
  expect(pages.join('\n')).toContain('Wcześniej')
})

test('the chart of a workbook is that of the page: lines of many bars, with earlier figures and the limit', async () => {
  const { api } = await opened()
  await api.db.execute(sql`update location set speed_limit = 90 where id = 7`)
  // A week after the vehicles.
  api.clock.now = new Date('2026-11-08T23:00:00.000Z')
  const user = await api.as('Stat')
  const week = { dateTimeStart: '2026-10-25T23:00:00.000Z', dateTimeEnd: '2026-11-01T23:00:00.000Z' }
  const read = async (query: Partial<WireStatisticFilters>) => {
    const files = unzipFiles(
      (await ordered(user, { ...filters(week), locations: '7', compare: 'before', ...query })).bytes,
    )
    const whole = files['xl/charts/chart1.xml']?.toString() ?? ''
    const chart = whole.replaceAll(/<c:dPt>.*?<\/c:dPt>/g, '')
    const part = (kind: string) => new RegExp(`<c:${kind}>.*</c:${kind}>`).exec(chart)?.[0] ?? ''
    return {
      bars: (part('barChart').match(/<c:ser>/g) ?? []).length,
      lines: (part('lineChart').match(/<c:ser>/g) ?? []).length,
      dashed: (chart.match(/<a:prstDash val="dash"\/>/g) ?? []).length,
      points: Array.from(whole.matchAll(/<c:dPt><c:idx val="(\d+)"/g), ([, row]) => Number(row)),
      columns: Array.from(chart.matchAll(/'S7'!\$([A-Z])\$3</g), ([, column]) => column).join(''),
      places: Array.from(
        files['xl/drawings/drawing1.xml']?.toString().matchAll(/<xdr:col>(\d+)<.*?<xdr:row>(\d+)</g) ?? [],
        ([, column, row]) => [Number(column), Number(row)],
      ),
      printed: /Print_Area" localSheetId="0">'S7'!([^<]+)</.exec(files['xl/workbook.xml']?.toString() ?? '')?.[1],
    }
  }
  // 168 hours of two lanes that add up are more than 120 bars. The image is beside the printed range.
  expect(await read({})).toEqual({
    bars: 0,
    lines: 3,
    dashed: 1,
    points: [],
    columns: 'CDF',
    places: [
      [7, 3],
      [24, 3],
    ],
    printed: '$A$1:$W$172',
  })
  expect(await read({ statResolutionUnit: 'day', statName: 'avgSpeed' })).toMatchObject({
    bars: 2,
    lines: 2,
    dashed: 2,
    // The only day of the earlier period with vehicles.
    points: [1],
    columns: 'CDFG',
  })
  // The limit is in the rows of the periods, and no total.
  const speeds = await ordered(user, { ...filters(week), locations: '7', statName: 'avgSpeed' })
  const [sheet] = await readSheets(speeds.bytes)
  expect(sheet?.rows.slice(-2).map((row) => row[5] ?? null)).toEqual([90, null])
  // No line reaches the points of a single period.
  const day = { dateTimeEnd: '2026-10-26T23:00:00.000Z', statResolutionUnit: 'day', statName: 'avgSpeed' } as const
  expect((await read(day)).points).toEqual([0])
})

test('refuses invalid parameters when the link is requested', async () => {
  const { user } = await opened()
  const refused = async (query: Partial<WireStatisticFilters> & { reportType?: 'pdf' }) => {
    const { status, errors } = await user.call(report, { query: { ...filters(), ...query } })
    return [status, ...errors.map(({ code }) => code)]
  }
  expect(await refused({ locations: '7,8' })).toEqual([404, 'location-not-found'])
  expect(await refused({ statResolutionValue: 0 })).toEqual([400, 'resolution-too-small'])
  expect(await refused({ dateTimeStart: '1996-10-20T07:00:00Z', statResolutionUnit: 'minute' })).toEqual([
    422,
    'too-many-periods',
  ])
  expect((await user.call(report, { query: {} as never })).status).toBe(400)
})
