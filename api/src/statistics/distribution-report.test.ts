import { report } from '@rogatka/contract/statistics-distributions.ts'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { fetchReport, queryParquet, readSheets, unzipFiles } from '../reports/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { deriveTraffic } from './derive.ts'
import { stationAt } from './testing.ts'

/** Tuesday, the 20th of October: 3 lorries at 10:10 and one at 11:10 in Poland, of 20 t and 80 km/h; one of 61 t today. */
async function opened() {
  const api = await testApi()
  api.clock.now = new Date('2026-10-21T08:00:00Z')
  const station = await api.station(stationAt(7, 2))
  const axles = [0, 400].map((gap) => ({ leftWeight: 5_000, rightWeight: 5_000, gap }))
  await send(
    station,
    [1, 2, 3, 4].map((number) =>
      car(number, {
        createdAt: `2026-10-20T0${number < 4 ? 8 : 9}:1${number}:00.000Z`,
        ctg8p1: 3,
        speed: 80,
        laneNumber: 1,
        axles,
      }),
    ),
  )
  const heavy = Array.from({ length: 10 }, (_, axle) => ({ leftWeight: 3_050, rightWeight: 3_050, gap: axle && 160 }))
  await send(station, [car(5, { createdAt: '2026-10-21T06:00:00.000Z', ctg8p1: 8, laneNumber: 1, axles: heavy })])
  await deriveTraffic(api.db, api.clock.now)
  return api
}

const QUERY = { from: '2026-10-20', until: '2026-10-20', locations: '7' }

test('the table has a row for each figure and bin, with plain numbers under one header', async () => {
  const api = await opened()
  const user = await api.as('Stat')
  const { status, body } = await user.call(report, { query: { ...QUERY, reportType: 'csv' } })
  expect(status).toBe(200)
  const { bytes } = await fetchReport(user, body)
  const rows: Record<string, string>[] = parse(bytes, { columns: true })
  const valuesOf = (figure: string, part = '') =>
    rows
      .filter((row) => row.figure === figure && (part === '' || row.part === part) && Number(row.value) > 0)
      .map(({ from, to, bin_unit: unit, value }) => [from, to, unit, Number(value)])
  expect(Object.keys(rows[0] ?? {}).join()).toBe(
    'station_id,station,figure,part,lanes,categories,from,to,bin_unit,value,unit,weekdays,hours,ctg323,nationalities',
  )
  expect(valuesOf('vehicles')).toEqual([['', '', '', 4]])
  // Weekday 2 is Tuesday.
  expect(valuesOf('profile', '2')).toEqual([
    ['10', '11', 'h', 3],
    ['11', '12', 'h', 1],
  ])
  // The only day: its means are its vehicles.
  expect(valuesOf('weekdayHourlyMean', '2')).toEqual(valuesOf('profile', '2'))
  expect(valuesOf('hourlyMean')).toEqual(valuesOf('profile', '2'))
  expect(valuesOf('speed')).toEqual([['80', '81', 'km/h', 4]])
  const plainOf = (figure: string) =>
    rows.filter((row) => row.figure === figure).map(({ value, unit }) => [value, unit])
  expect(plainOf('measuredSpeeds')).toEqual([['4', 'veh']])
  // Lorries of 80 km/h may drive 80.
  expect(['aboveLimit', 'aboveLimitBy10'].map(plainOf)).toEqual([[['0', 'veh']], [['0', 'veh']]])
  expect(plainOf('meanLoad')).toEqual([['20000', 'kg']])
  expect(['headwaysBelow1', 'headwaysBelow2'].map((figure) => plainOf(figure)[0]?.[1])).toEqual(['1', '1'])
  expect(valuesOf('gross')).toEqual([['20', '21', 't', 4]])
  expect(valuesOf('firstAxles')).toEqual([
    ['10', '10.5', 't', 4],
    // 98.0665 kN
    ['95', '100', 'kN', 4],
  ])
  // Eight axles of (98.0665 / 100)⁴
  expect(valuesOf('n100', '2026-10')[0]?.[3]).toBeCloseTo(8 * 0.980665 ** 4, 4)
  // A count has no decimals; the unit is that of the value.
  const gross = rows.find(({ figure, value }) => figure === 'gross' && value !== '0')
  expect([gross?.value, gross?.unit]).toEqual(['4', 'veh'])
  // The last bin has no upper bound.
  const today = await user.call(report, {
    query: { ...QUERY, from: '2026-10-21', until: '2026-10-21', reportType: 'csv' },
  })
  const ofToday: Record<string, string>[] = parse((await fetchReport(user, today.body)).bytes, { columns: true })
  const last = ofToday.findLast(({ figure }) => figure === 'gross')
  expect([last?.from, last?.to, Number(last?.value)]).toEqual(['59', '', 1])
  // Not a complete day.
  expect(rows.find(({ figure }) => figure === 'adt')?.value).toBe('')
})

test('DuckDB reads the rows of the table from Parquet, with the vehicles that the database has', async () => {
  const api = await opened()
  const user = await api.as('Stat')
  const bytesOf = async (reportType: 'csv' | 'parquet') => {
    const { body } = await user.call(report, { query: { ...QUERY, until: '2026-10-21', reportType } })
    return fetchReport(user, body)
  }
  const { bytes, headers } = await bytesOf('parquet')
  expect(headers['content-disposition']).toMatch(/attachment; filename="traffic_.*\.parquet"/)
  const files = { 'traffic.parquet': bytes }
  const columns = await queryParquet(files, 'describe files')
  expect(columns.map(({ column_name: name, column_type: type }) => `${name} ${type}`).join()).toBe(
    'location_id INTEGER,station VARCHAR,figure VARCHAR,part VARCHAR,lanes VARCHAR,categories VARCHAR,from DOUBLE,to DOUBLE,' +
      'bin_unit VARCHAR,value DOUBLE,unit VARCHAR,weekdays VARCHAR,hours VARCHAR,ctg323 VARCHAR,nationalities VARCHAR',
  )
  const cell = (value: unknown) =>
    value === null ? '' : String(typeof value === 'number' ? Number(value.toFixed(4)) : value)
  const read = await queryParquet(files, 'from files')
  const rows: string[][] = parse((await bytesOf('csv')).bytes, { from: 2 })
  expect(read.map((row) => Object.values(row).map(cell))).toEqual(rows)
  const sums = await queryParquet(
    files,
    `select location_id, figure, sum(value)::int as vehicles from files
     where figure in ('profile', 'speed', 'gross') group by all order by figure`,
  )
  const [counted] = await api.db.query(sql`select location_id, count(*)::int as vehicles from vehicle group by 1`)
  expect(sums).toEqual(['gross', 'profile', 'speed'].map((figure) => ({ ...counted, figure })))
})

test('the workbook names figures in the language of the user, with numbers as numbers', async () => {
  const api = await opened()
  const user = await api.as('Stat')
  const { body } = await user.call(report, { query: QUERY, headers: { 'accept-language': 'pl' } })
  const { bytes } = await fetchReport(user, body)
  const [sheet, ...others] = await readSheets(bytes)
  // Below the title and the range.
  expect(sheet?.rows[2]?.slice(0, 4)).toEqual(['Nr stacji', 'Stacja', 'Wielkość', 'Miesiąc, dzień lub kategoria'])
  const profile = sheet?.rows.find((row) => row[3] === 'wtorek' && row[6] === 10)
  expect(profile?.slice(6)).toEqual([10, 11, 'h', 3, 'veh'])
  expect(others.at(-1)?.rows.flat()).toContain('2026-10-20 – 2026-10-20')

  // A sheet with a chart for each distribution: its bins, and a column for each station.
  expect(others.map(({ name }) => name)).toEqual([
    'pojazdy w godzinie dnia tygodni',
    'pojazdy według prędkości',
    'pojazdy według odstępu',
    'pojazdy ciężkie według odstępu',
    'pojazdy według masy całkowitej',
    'osie pierwsze według nacisku',
    'osie pojedyncze według nacisku',
    'osie równoważne 100 kN',
    'Kryteria',
  ])
  const speeds = others[1]?.rows ?? []
  expect(speeds[2]?.slice(0, 4)).toEqual(['Przedział', 'Od [km/h]', 'Do [km/h]', 'S7'])
  expect(speeds.find((row) => row[1] === 80)?.slice(0, 4)).toEqual(['80–81', 80, 81, 4])
  expect(others[7]?.rows[3]?.[0]).toBe('2026-10')
  expect(others[7]?.rows[3]?.[1]).toBeCloseTo(8 * 0.980665 ** 4, 4)
  const files = unzipFiles(bytes)
  // With as many decimals as it has: the general format.
  expect(files['xl/worksheets/sheet9.xml']?.toString()).toMatch(/<c r="B4" s="8"><v>7\.39/)
  const last = speeds.filter((row) => row.length > 0).length
  expect(files['xl/charts/chart3.xml']?.toString()).toContain(`'pojazdy według prędkości'!$D$4:$D$${last}<`)
})

test('every row is of the lanes and categories that it names', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-10-21T08:00:00Z')
  const station = await api.station(stationAt(7, 2))
  const axles = (kg: number) => [0, 400].map((gap) => ({ leftWeight: kg / 2, rightWeight: kg / 2, gap }))
  // In each hour of the day in Poland a car of 100 km/h in lane 1, a tractor of 80 km/h in lane 1, and a lorry in lane 2.
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const at = (hour: number, minute: number) =>
    new Date(Date.parse('2026-10-19T22:00:00Z') + (60 * hour + minute) * 60_000).toISOString()
  await send(
    station,
    hours.flatMap((hour) => [
      car(100 + hour, { createdAt: at(hour, 1), ctg8p1: 7, speed: 100, laneNumber: 1, axles: axles(800) }),
      car(200 + hour, { createdAt: at(hour, 2), ctg8p1: 9, speed: 80, laneNumber: 1, axles: axles(10_000) }),
      car(300 + hour, { createdAt: at(hour, 3), ctg8p1: 3, speed: 70, laneNumber: 2, axles: axles(30_000) }),
    ]),
  )
  const user = await api.as('Stat')
  const rowsOf = async (filter: object) => {
    const { body } = await user.call(report, { query: { ...QUERY, ...filter, reportType: 'csv' } })
    const rows: Record<string, string>[] = parse((await fetchReport(user, body)).bytes, { columns: true })
    return (figure: string) =>
      rows
        .filter((row) => row.figure === figure && row.value !== '0' && row.bin_unit !== 'kN')
        .map(({ lanes, categories, from, value }) => [lanes, categories, from, value].join(','))
  }
  const n100 = (tonnes: number) => Number((24 * 2 * (tonnes * 0.0980665) ** 4).toFixed(4))

  const all = await rowsOf({})
  expect(all('vehicles')).toEqual([',,,72'])
  expect(all('v85')).toEqual([',,,100'])
  expect(all('adt')).toEqual([',,,72'])

  const tractors = await rowsOf({ laneNumbers: '1', ctg8p1: '9' })
  for (const figure of ['vehicles', 'adt', 'adtHeavy'])
    expect([figure, tractors(figure)]).toEqual([figure, ['1,9,,24']])
  for (const figure of ['v85', 'meanSpeed']) expect([figure, tractors(figure)]).toEqual([figure, ['1,9,,80']])
  expect(tractors('speed')).toEqual(['1,9,80,24'])
  expect(tractors('categoryVehicles')).toEqual(['1,9,,24'])
  expect(tractors('gross')).toEqual(['1,9,20,24'])
  expect(tractors('n100')).toEqual([`1,9,,${n100(10)}`])
  expect(tractors('n100PerDay')).toEqual(tractors('n100'))
  expect(tractors('adtOfDay')).toEqual(['1,9,,12'])
  // A headway is to the vehicle before, of any category: 24 of one minute, the next car is 59 minutes later.
  expect(tractors('headway')).toEqual(['1,,60,24'])
  expect(tractors('headwayHeavy')).toEqual(['1,3 5 8 9,60,24'])
  expect(tractors('speedLimit')).toEqual([',,,100'])

  // As the page of loads without chosen categories: loads are of heavy vehicles, speeds of all.
  const heavy = await rowsOf({ laneNumbers: '1', loadCtg8p1: '3,8,9,5' })
  expect(heavy('v85')).toEqual(['1,,,100'])
  expect(heavy('gross')).toEqual(['1,3 5 8 9,20,24'])
  expect(heavy('n100')).toEqual([`1,3 5 8 9,,${n100(10)}`])
  // The last bin, from 59 t, has no upper bound.
  const { body } = await user.call(report, { query: { ...QUERY, ctg8p1: '3', reportType: 'csv' } })
  const rows: Record<string, string>[] = parse((await fetchReport(user, body)).bytes, { columns: true })
  const last = rows.find(({ figure, from }) => figure === 'gross' && from === '59')
  expect([last?.to, last?.value]).toEqual(['', '24'])
})

test('the report has the vehicles of its filters by time, class and country, and names these', async () => {
  const api = await opened()
  const user = await api.as('Stat')
  const filters = { hours: '10,12', weekdays: '1', ctg323: '0,1', nationalities: 'PL,-' }
  const rowsOf = async (more: object) => {
    const { body } = await user.call(report, { query: { ...QUERY, ...more, reportType: 'csv' } })
    const rows: Record<string, string>[] = parse((await fetchReport(user, body)).bytes, { columns: true })
    return rows
  }
  const rows = await rowsOf({ ...filters, from: '2026-10-15' })
  const bins = rows.filter(({ figure, value }) => ['profile', 'speed', 'gross'].includes(figure ?? '') && value !== '0')
  // Three of the four lorries passed from 10 to 11.
  expect(bins.map(({ figure, value }) => `${figure} ${value}`)).toEqual(['profile 3', 'speed 3', 'gross 3'])
  expect(rows.find(({ figure }) => figure === 'days')?.value).toBe('1')
  const { weekdays, hours, ctg323, nationalities } = rows[0] ?? {}
  // Tuesday has one number, as filter and as part.
  expect([weekdays, hours, ctg323, nationalities]).toEqual(['2', '10 12', '0 1', 'PL -'])
  expect(bins.find(({ figure }) => figure === 'profile')?.part).toBe('2')
  // An empty list is no filter; other countries, classes and weekdays have no vehicles.
  const vehiclesOf = async (more: object) => (await rowsOf(more)).find(({ figure }) => figure === 'vehicles')?.value
  expect(await vehiclesOf({ hours: '', nationalities: '' })).toBe('4')
  for (const other of [{ nationalities: 'LT' }, { ctg323: '8' }, { hours: '9' }])
    expect(await vehiclesOf(other)).toBe('0')
  const workbook = await user.call(report, { query: { ...QUERY, ...filters }, headers: { 'accept-language': 'pl' } })
  const criteria = (await readSheets((await fetchReport(user, workbook.body)).bytes)).at(-1)?.rows.flat() ?? []
  for (const text of ['wtorek', '10:00–11:00, 12:00–13:00', 'bez klasy', 'bez kraju'])
    expect(criteria.join('; ')).toContain(text)
})

test('needs the right to statistics, and refuses a reversed range at once', async () => {
  const api = await opened()
  expect((await (await api.as('ArchiveMeasurements')).call(report, { query: QUERY })).status).toBe(403)
  const user = await api.as('Stat')
  const reversed = await user.call(report, { query: { ...QUERY, until: '2026-10-19' } })
  expect(reversed.errors).toMatchObject([{ code: 'start-after-end' }])
})
