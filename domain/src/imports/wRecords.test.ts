import { expect, test } from 'vitest'
import { toFhwaClass } from './classes.ts'
import { fromPounds, fromTenthsOfFeet, toPounds, toTenthsOfFeet } from './units.ts'
import { fitsWRecord, formatWRecord, isWRecord, parseWRecord, type WVehicle } from './wRecords.ts'

const LOADS = [6970, 10780, 7180, 7200, 7200]
const GAPS = [0, 374, 562, 131, 131]
const VEHICLE: WVehicle = {
  locationId: 12,
  laneNumber: 1,
  local: Date.parse('2026-10-20T10:15:24Z'),
  ctg8p1: 9,
  totalLoad: 39330,
  axles: LOADS.map((totalLoad, index) => ({ totalLoad, gap: GAPS[index] as number })),
}
/** The worked example of the format description, and the same in hundreds of kg and tenths of a metre. */
const RECORD = 'W0000001211202610201009   0867080515366012323766018415829004315873004315873'.padEnd(147)
const OLD_RECORD = 'W00000012112610201009   039305070037108056072013072013072'.padEnd(105)

/** The record with another text from this column on. */
const withText = (column: number, text: string, record = RECORD) =>
  record.slice(0, column - 1) + text + record.slice(column - 1 + text.length)

test('writes the worked example in both layouts', () => {
  expect(formatWRecord(VEHICLE, '2013', 'us')).toBe(RECORD)
  expect(formatWRecord(VEHICLE, '2001', 'metric')).toBe(OLD_RECORD)
  expect(formatWRecord(VEHICLE, '2001', 'us')).toBe(
    'W00000012112610201009   086705154123238184158043159043159'.padEnd(105),
  )
})

test('reads the worked example in both layouts, blank- or zero-filled', () => {
  const expected = {
    station: '12',
    lane: '1-1',
    at: Date.parse('2026-10-20T10:00:00Z'),
    isLocal: true,
    isHour: true,
    sequence: null,
    speed: null,
    length: null,
    height: null,
    ctg8p1: 9,
    gross: 39330,
    loads: LOADS,
    gaps: [375, 561, 131, 131],
    plate: null,
    nationality: null,
  }
  expect(parseWRecord(RECORD, '2013', 'us')).toEqual({ vehicle: expected })
  expect(parseWRecord(withText(4, '    12', RECORD.trimEnd()), '2013', 'us')).toEqual({ vehicle: expected })
  expect(parseWRecord(withText(27, ' 86708 5'), '2013', 'us')).toEqual({ vehicle: expected })
  expect(parseWRecord(OLD_RECORD, '2001', 'metric')).toEqual({
    vehicle: { ...expected, gross: 39300, loads: [7000, 10800, 7200, 7200, 7200], gaps: [370, 560, 130, 130] },
  })
})

test.each([
  ['99', 1999],
  ['80', 1980],
  ['79', 2079],
])('reads the year %s of the layout of 2001 as %i', (digits, year) => {
  const row = parseWRecord(withText(12, digits, OLD_RECORD), '2001', 'metric')
  expect('vehicle' in row && new Date(row.vehicle.at).getUTCFullYear()).toBe(year)
})

test.each([
  ['a line that ends before the last axle', RECORD.slice(0, 74), 'line-incomplete'],
  ['a line without axles', RECORD.slice(0, 30), 'line-incomplete'],
  ['no axle', withText(33, '00'), 'axle-count-invalid'],
  ['14 axles', withText(33, '14'), 'axle-count-invalid'],
  ['the 31st of November', withText(12, '20261131'), 'invalid-date'],
  ['hour 24', withText(20, '24'), 'invalid-date'],
  ['an axle of 66,140 lb', withText(35, '66140', withText(27, '137482')), 'axle-too-heavy'],
  ['a sum that is 435 lb off', withText(27, '087142'), null],
  ['a sum that is 436 lb off', withText(27, '087143'), 'gross-differs'],
  ['letters in a weight', withText(35, '1x366'), 'invalid-number'],
  ['class m', withText(22, ' m'), 'not-a-vehicle'],
  ['class d', withText(22, 'd '), 'not-a-vehicle'],
  ['another record', withText(1, 'S'), 'not-a-vehicle'],
])('%s: %#', (_, line, code) => {
  const row = parseWRecord(line, '2013', 'us')
  expect('refusal' in row ? row.refusal.code : null).toBe(code)
})

test('accepts an axle of 66,139 lb and 100 lb of difference of a light vehicle', () => {
  const heavy = withText(35, '66139', withText(27, '137480'))
  expect(parseWRecord(heavy, '2013', 'us')).toHaveProperty('vehicle')
  const light = (gross: string) => withText(27, `${gross}02023670120023680`.padEnd(121))
  expect(parseWRecord(light('004835'), '2013', 'us')).toHaveProperty('vehicle')
  expect(parseWRecord(light('004836'), '2013', 'us')).toHaveProperty('refusal.code', 'gross-differs')
})

test('each kg up to 60 t returns from pounds, each cm up to 30 m within 2 cm and to the same tenths', () => {
  const kg = Array.from({ length: 60_001 }, (_, value) => value)
  expect(kg.filter((value) => fromPounds(toPounds(value)) !== value)).toEqual([])
  const cm = Array.from({ length: 3_001 }, (_, value) => value)
  expect(Math.max(...cm.map((value) => Math.abs(fromTenthsOfFeet(toTenthsOfFeet(value)) - value)))).toBe(2)
  const tenths = (value: number) => toTenthsOfFeet(fromTenthsOfFeet(value))
  expect(cm.filter((value) => tenths(toTenthsOfFeet(value)) !== toTenthsOfFeet(value))).toEqual([])
})

test.each([
  [10, 2, 1],
  [7, 2, 2],
  [2, 4, 2],
  [11, 2, 3],
  [5, 3, 4],
  [3, 2, 5],
  [3, 3, 6],
  [3, 4, 7],
  [3, 5, 7],
  [8, 4, 8],
  [9, 5, 9],
  [8, 6, 10],
  [0, 2, 15],
])('category %i with %i axles is class %i', (ctg8p1, axles, expected) => {
  expect(toFhwaClass(ctg8p1, axles)).toBe(expected)
})

test.each([
  [1, 10],
  [2, 7],
  [3, 11],
  [4, 5],
  [5, 3],
  [6, 3],
  [7, 3],
  [8, 9],
  [10, 9],
  [11, 8],
  [13, 8],
  [14, 0],
  [15, 0],
])('class %i is category %i', (fhwa, ctg8p1) => {
  const row = parseWRecord(withText(22, String(fhwa).padStart(2, '0')), '2013', 'us')
  expect('vehicle' in row && row.vehicle.ctg8p1).toBe(ctg8p1)
})

test('a record that is read is written unchanged, and fitsWRecord rejects what a record cannot hold', () => {
  const row = parseWRecord(RECORD, '2013', 'us')
  if (!('vehicle' in row)) throw new Error('refused')
  const { at, loads, gaps, ctg8p1, gross } = row.vehicle
  const axles = loads.map((load, index) => ({ totalLoad: load ?? 0, gap: index > 0 ? (gaps[index - 1] ?? 0) : 0 }))
  const again = { locationId: 12, laneNumber: 1, local: at, ctg8p1, totalLoad: gross ?? 0, axles }
  expect(formatWRecord(again, '2013', 'us')).toBe(RECORD)
  expect(fitsWRecord(VEHICLE)).toBe(true)
  const axle = { totalLoad: 30_001, gap: 0 }
  for (const change of [{ laneNumber: 10 }, { totalLoad: 0 }, { axles: [] }, { axles: [axle] }, { locationId: 1e6 }])
    expect(fitsWRecord({ ...VEHICLE, ...change }), JSON.stringify(change)).toBe(false)
  expect(fitsWRecord({ ...VEHICLE, axles: Array(14).fill(VEHICLE.axles[0]) })).toBe(false)
  expect([isWRecord(RECORD, '2013'), isWRecord(OLD_RECORD, '2001'), isWRecord(OLD_RECORD, '2013')]).toEqual([
    true,
    true,
    false,
  ])
})
