import { report } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import type { ReportType } from '@rogatka/contract/reports.ts'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { car, send } from '../ingest/testing.ts'
import { fetchReport, readSheets, unzipFiles } from '../reports/testing.ts'
import { testApi, testStation } from '../testing/test-api.ts'

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: 7 }

/** A tractor with a tridem semi-trailer: a single axle, a single axle far over its limit, a group of three. */
const LORRY = car(1, {
  plateLpr: 'WX 77701',
  ctg8p1: 9,
  ctg323: 5,
  vehLength: 1_600,
  axles: [
    { leftWeight: 3_400, rightWeight: 3_500, gap: 0 },
    { leftWeight: 7_300, rightWeight: 7_200, gap: 360 },
    { leftWeight: 3_900, rightWeight: 4_000, gap: 560 },
    { leftWeight: 3_900, rightWeight: 4_000, gap: 131 },
    { leftWeight: 3_900, rightWeight: 4_000, gap: 131 },
  ],
})

/** A lorry and a vehicle without weights on a lane without a scale. */
async function withLorry(
  vehicles = [LORRY, car(2, { laneNumber: 2, axles: null })],
  settings: Parameters<typeof testApi>[0] = {},
) {
  const api = await testApi(settings)
  const station = await api.station({ ...testStation, shortName: 'S8 "A", B' })
  await send(station, vehicles)
  const user = await api.as('ArchiveMeasurements')
  return async (reportType: ReportType) => {
    const { body } = await user.call(report, {
      query: { ...DAY, orderByColumnName1: 'createdAt', orderDirection1: 'asc', reportType },
    })
    const { bytes, headers } = await fetchReport(user, body)
    return { bytes, name: String(headers['content-disposition']) }
  }
}

/** Rows of a CSV by name, as programs read it. */
const rowsOf = (bytes: Buffer): Record<string, string>[] => parse(bytes, { columns: true })

test('a CSV with a row for each axle has one header row, plain numbers, ISO times and no plates', async () => {
  const { bytes, name } = await (await withLorry())('csv-axles')
  expect(name).toContain('archive_axles_20_10_2026_10_00_00.csv')
  expect(bytes.subarray(0, 16).toString()).toBe('time,vehicle_id,')
  expect(bytes.toString()).not.toContain('77701')
  const rows = rowsOf(bytes)
  expect(rows.map((row) => [row.axle, row.spacing_cm, row.axle_left_kg, row.axle_right_kg, row.axle_kg])).toEqual([
    ['1', '', '3400', '3500', '6900'],
    ['2', '360', '7300', '7200', '14500'],
    ['3', '560', '3900', '4000', '7900'],
    ['4', '131', '3900', '4000', '7900'],
    ['5', '131', '3900', '4000', '7900'],
  ])
  // COST 323, B+(7): measured / 1.11 of single axles, / 1.14 of axles of a group, / 1.10 of groups, / 1.07 of the vehicle.
  expect(rows.map((row) => [row.axle_min_kg, row.group, row.group_axles, row.group_kg, row.group_min_kg])).toEqual([
    ['6216', '1', '1', '6900', '6216'],
    ['13063', '2', '1', '14500', '13063'],
    ['6930', '3', '3', '23700', '21545'],
    ['6930', '3', '3', '23700', '21545'],
    ['6930', '3', '3', '23700', '21545'],
  ])
  const [, drive] = rows
  // The Polish limit of a drive axle: 11.5 t, so that (13,063 - 11,500) / 11,500 = 13.6 %.
  expect([drive?.axle_limit_kg, drive?.axle_excess_percent]).toEqual(['11500', '13.6'])
  expect(drive).toMatchObject({
    time: '2026-10-20T07:59:58.000Z',
    vehicle_id: String(vehicleId(7, 1)),
    station_id: '7',
    station: 'S8 "A", B',
    lane: '1',
    accuracy_class: 'B+(7)',
    axles: '5',
    gross_kg: '45100',
    gross_min_kg: '42150',
  })
})

test('a CSV with a row for each vehicle has axles, wheels and groups in columns of their own', async () => {
  const rows = rowsOf((await (await withLorry())('csv-loads')).bytes)
  const lorry = rows.find(({ axles }) => axles === '5')
  const bare = rows.find(({ axles }) => axles !== '5')
  expect(rows).toHaveLength(2)
  expect(lorry).toMatchObject({
    axle1_left_kg: '3400',
    axle2_spacing_cm: '360',
    axle2_kg: '14500',
    axle2_min_kg: '13063',
    axle2_excess_percent: '13.6',
    axle6_kg: '',
    group3_axles: '3',
    group3_min_kg: '21545',
    group4_kg: '',
  })
  expect(lorry).not.toHaveProperty('axle1_spacing_cm')
  expect([bare?.accuracy_class, bare?.gross_kg, bare?.gross_min_kg, bare?.axle1_kg]).toEqual(['', '', '', ''])
})

test('loads have all axles of a special transport, and no excess where nothing was judged', async () => {
  const loads = Array.from({ length: 14 }, (_, at) => 14_000 + 100 * at)
  const transport = car(3, {
    laneNumber: 2,
    axles: loads.map((kg, at) => ({ leftWeight: kg / 2, rightWeight: kg / 2, gap: at && 400 })),
  })
  const readLoads = async (overloadBasis: 'minimum' | 'measured') => {
    const { bytes } = await (await withLorry([LORRY, transport], { overloadBasis }))('csv-loads')
    return rowsOf(bytes)
  }
  const [judged, row] = (await readLoads('minimum')).toSorted((a, b) => Number(a.axles) - Number(b.axles))
  const own = Array.from({ length: 12 }, (_, at) => Number(row?.[`axle${at + 1}_kg`]))
  const others = row?.more_axles_kg?.split(' ').map(Number) ?? []
  expect([...own, ...others]).toEqual(loads)
  // Each axle is far from the others, a group of its own.
  expect(row?.more_groups_kg).toBe(loads.slice(6).join(' '))
  expect([judged?.more_axles_kg, judged?.more_groups_kg]).toEqual(['', ''])
  // Lane 2 has no accuracy class.
  expect([row?.axle1_min_kg, row?.axle1_excess_percent, row?.group1_excess_percent, row?.gross_excess_percent]).toEqual(
    ['', '', '', ''],
  )
  // The measured value needs none: 14,000 of 10,000 kg.
  const measured = (await readLoads('measured')).find(({ axles }) => axles === '14')
  expect([measured?.axle1_min_kg, measured?.axle1_excess_percent]).toEqual(['', '40.0'])
})

test('workbooks for calculation have typed cells, frozen heads, a print area and a note on the percent', async () => {
  const fileOf = await withLorry()
  const axles = (await fileOf('xlsx-axles')).bytes
  const [list, criteria] = await readSheets(axles)
  const [head = [], , drive = []] = list?.rows ?? []
  const cell = (title: string) => drive[head.indexOf(title)]
  expect(list?.rows).toHaveLength(6)
  expect(cell('Czas pomiaru')).toEqual(new Date('2026-10-20T09:59:58Z'))
  expect([cell('Oś'), cell('Oś: zmierzono [kg]'), cell('Oś: dolna granica [kg]')]).toEqual([2, 14_500, 13_063])
  expect([cell('Oś: przekroczenie [%]'), cell('Klasa dokładności')]).toEqual([13.6, 'B+(7)'])
  expect(criteria?.rows.find(([label]) => label === 'Dolna granica')?.[1]).toContain('zmierzono / (1 + tolerancja')
  const loads = (await fileOf('xlsx-loads')).bytes
  expect((await readSheets(loads))[0]?.rows).toHaveLength(3)
  for (const workbook of [axles, loads]) {
    const files = unzipFiles(workbook)
    expect(files['xl/worksheets/sheet1.xml']?.toString()).toMatch(/<pane xSplit="2" ySplit="1"[^>]*state="frozen"/)
    expect(files['xl/workbook.xml']?.toString()).toContain('_xlnm.Print_Titles')
  }
  // The columns of the vehicle fit a page: A to S.
  expect(unzipFiles(loads)['xl/workbook.xml']?.toString()).toMatch(
    /Print_Area" localSheetId="0">'Pojazdy'!\$A\$1:\$S\$3</,
  )
})
