import { deviation, finish, list, report } from '@rogatka/contract/calibration.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { extractPages, fetchReport, parseCsv, readSheets, unzipFiles } from '../reports/testing.ts'
import { at, FROM, filters, portalWithStation, sendTractors } from './testing.ts'

test('draws a chart of the requested size for each lane, of loads or deviations', async () => {
  const { station, user } = await portalWithStation()
  await sendTractors(station, 50, FROM, 100, [7_000])
  const sizeOf = async (base64: string | null | undefined) => {
    const { width, height, format } = await sharp(Buffer.from(base64 ?? '', 'base64')).metadata()
    return { width, height, format }
  }
  const loads = await user.call(list, {
    query: filters({ addGraph: true, graphWidth: 980, graphHeight: 458, graphType: 'linePlot' }),
  })
  expect(await sizeOf(loads.body[0]?.lanes[0]?.graphBase64)).toEqual({ width: 980, height: 458, format: 'png' })

  const { dateTimeStart, dateTimeEnd } = filters()
  const range = { dateTimeStart, dateTimeEnd, locations: '7', graphType: 'linePlot' as const }
  const deviations = await user.call(deviation, { query: { ...range, graphWidth: 640, graphHeight: 300 } })
  expect(await sizeOf(deviations.body[0]?.lanes[0]?.graphBase64)).toEqual({ width: 640, height: 300, format: 'png' })
  // 14 days in steps of 6 hours.
  expect(deviations.body[0]?.lanes[0]?.periods).toHaveLength(56)
})

test('exports figures with chart, reference and criteria as PDF, XLSX and CSV', async () => {
  const { api, station, user } = await portalWithStation()
  await sendTractors(station, 200, FROM, 24, [6_800, 7_000])
  await sendTractors(station, 200, at(FROM, 48), 24, [7_600, 7_800], 201)
  await sendTractors(station, 200, at(FROM, 96), 24, [6_100, 6_300], 401)
  await user.call(finish, { query: { locations: '7', time: FROM } })
  const ordered = async (query: Partial<WireOf<typeof report, 'query'>>) => {
    const { addGraph: _, statResolutionUnit: __, ...asked } = filters()
    const { status, body } = await user.call(report, { query: { ...asked, ...query } })
    expect(status).toBe(200)
    return fetchReport(user, body)
  }

  // The first day has 200 vehicles of 6,900 kg on average, the third 200 of 7,700: 11.6 % more, the fifth 10.1 % less.
  const table = await ordered({ reportType: 'csv' })
  expect(table.headers['content-disposition']).toMatch(/filename="calibration_20_10_2026_10_00_00\.csv"/)
  const [head, ...rows] = parseCsv(table.bytes)
  expect(head?.slice(0, 5)).toEqual(['Stacja', 'Pas', 'Data i czas', 'Średni nacisk [kg]', 'Wsp. zmienności [%]'])
  // The second lane has no scale.
  expect(rows).toHaveLength(14)
  expect(rows.at(-1)?.slice(0, 4)).toEqual(['S8 Test', '1', '2026-10-02 00:00:00', '6900'])
  expect(rows.at(-3)?.slice(3)).toEqual([
    '7700',
    '1,3',
    '200',
    '11,6',
    '100,0',
    '6900',
    '200',
    '2026-10-02 00:00:00',
    user.username,
  ])

  expect(rows.at(-5)?.slice(3, 7)).toEqual(['6200', '1,6', '200', '-10,1'])

  const book = await ordered({ reportType: 'xlsx' })
  const [lane, about] = await readSheets(book.bytes)
  expect(lane?.name).toBe('S8 Test, pas 1')
  expect(lane?.rows[1]?.[0]).toMatch(/odniesienie 6\s900 kg z 200 pojazdów/)
  expect(lane?.rows.some((row) => row.includes(7_700) && row.includes(200))).toBe(true)
  expect(Object.keys(unzipFiles(book.bytes)).filter((name) => name.endsWith('.png'))).toHaveLength(1)
  expect(about?.rows.flat()).toEqual(expect.arrayContaining(['Stacje', 'S8 Test', 'Rozdzielczość', '24 h']))
  // The spreadsheet program draws the loads of 14 days, of which the newest is first in the table.
  const chart = unzipFiles(book.bytes)['xl/charts/chart1.xml']?.toString() ?? ''
  expect(chart).toContain(`<c:val><c:numRef><c:f>'S8 Test, pas 1'!$B$4:$B$17</c:f>`)
  expect(chart).toContain('<c:orientation val="maxMin"/>')
  expect(chart).not.toContain('<c:dPt>')

  const document = await ordered({ reportType: 'pdf', shows: 'deviation' })
  const pages = await extractPages(document.bytes)
  expect(pages[0]).toContain('Rozdzielczość')
  expect(pages.join(' ')).toMatch(/S8 Test, pas 1: odchylenie od odniesienia \[%\].*\u221210,1.*7\s700/s)
  expect(document.bytes.toString('latin1').match(/\/Subtype \/Image/g)).toHaveLength(1)

  // A calibration of the fifth day is marked at its period, the tenth from below, and the line breaks before it.
  await user.call(finish, { query: { locations: '7', time: at(FROM, 95) } })
  const calibrated = unzipFiles((await ordered({ reportType: 'xlsx' })).bytes)['xl/charts/chart1.xml']?.toString() ?? ''
  const points = Array.from(
    calibrated.matchAll(/<c:dPt><c:idx val="(\d+)"\/>(.*?)<\/c:dPt>/g),
    ([, row, look = '']) => [Number(row), look.includes('diamond'), look.includes('<a:noFill/>')],
  )
  expect(points).toEqual([
    [9, true, false],
    [10, false, true],
  ])

  // A long name of a station leaves the number of the lane in the tab.
  await api.db.execute(sql`update location set short_name = 'S8 Radzymin Słupno kierunek Białystok' where id = 7`)
  const [named] = await readSheets((await ordered({ reportType: 'xlsx' })).bytes)
  expect(named?.name).toBe('S8 Radzymin Słupno kier…, pas 1')

  const other = await api.as('Stat')
  const { link } = (await user.call(report, { query: filters() })).body
  expect((await fetchReport(other, { link })).status).toBe(404)
})
