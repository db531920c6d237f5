import type { ImportColumn, ImportOptions } from '@rogatka/contract/imports.ts'
import { expect, test } from 'vitest'
import { createParser } from './parser.ts'
import { recognise } from './recognise.ts'
import { isComplete, splitCells } from './table.ts'
import { hasUnknownOrder, parseDateTime, parseTime } from './times.ts'
import { fromUnit } from './units.ts'

const ZST = 'ZST;JJJJMMTT;HHMMSS;FZG_NR;FS;SPEED;LENTH;CS;CSF;GW_TOT;AX;AWT01;AWT02;AWT03;W1_2;W2_3;T;ST'
const ROW = '408;20240701;4;17;1;88;1042;8;8;14000;3;5000;5000;4000;520;131;22;0'
const ZST_VEHICLE = {
  station: '408',
  lane: '1',
  at: Date.parse('2024-07-01T00:00:04Z'),
  isLocal: true,
  isHour: false,
  sequence: 17,
  speed: 88,
  length: 1042,
  height: null,
  ctg8p1: 3,
  gross: 14000,
  loads: [5000, 5000, 4000],
  gaps: [520, 131],
  plate: null,
  nationality: null,
}

const optionsOf = (...lines: string[]): ImportOptions => {
  const options = recognise(lines, 'utf-8')?.options
  if (!options) throw new Error('not recognised')
  return options
}
const read = (options: ImportOptions, ...lines: string[]) => {
  const parse = createParser(options)
  return lines.map((line) => parse(line)).at(-1)
}
const zst = (row: string, headings = ZST) => read(optionsOf(headings, row), headings, row)
/** The row with another cell. */
const withCell = (index: number, text: string) =>
  ROW.split(';')
    .map((cell, at) => (at === index ? text : cell))
    .join(';')

test('recognises the set ZST by its headings and reads a row', () => {
  const found = recognise([ZST, ROW], 'utf-8')
  expect(found).toMatchObject({ known: 18, total: 18, options: { format: 'csv', timeZone: 'Europe/Zurich' } })
  expect(found?.columns[11]).toEqual({ column: 'AWT01', samples: ['5000'] })
  expect(zst(ROW)).toEqual({ vehicle: ZST_VEHICLE })
})

test.each([
  ['hundredths of a second', 2, '08152450', { at: Date.parse('2024-07-01T08:15:24.500Z') }],
  ['a time without its zeros', 2, '81524', { at: Date.parse('2024-07-01T08:15:24Z') }],
  ['no speed', 5, '0', { speed: null }],
  ['minus one', 6, '-1', { length: null }],
  ['NaN', 9, 'NaN', { gross: null }],
  ['nothing', 3, '', { sequence: null }],
  ['an unknown gap', 14, '-1', { gaps: [null, 131] }],
  ['class 10', 7, '10', { ctg8p1: 9 }],
  ['an unknown class', 7, '99', { ctg8p1: 0 }],
  ['a gross weight 138 kg off', 9, '13862', { gross: 13862 }],
])('reads %s', (_, index, text, changes) => {
  expect(zst(withCell(index, text))).toEqual({ vehicle: { ...ZST_VEHICLE, ...changes } })
})

test.each([
  ['a gross weight 139 kg off', withCell(9, '13861'), 'gross-differs', '13861, 14000'],
  ['fewer axles than loads', withCell(10, '2'), 'axles-differ', '2, 3'],
  ['an axle of 41.3 t', withCell(13, '41300'), 'axle-too-heavy', 'AWT03 = 41300'],
  ['a time that no clock shows', withCell(2, '246107'), 'invalid-date', '20240701 246107'],
  ['the 30th of February', withCell(1, '20240230'), 'invalid-date', '20240230 4'],
  ['a word', withCell(5, 'fast'), 'invalid-number', 'fast'],
  ['more digits than a number has', withCell(5, `${'0'.repeat(60)}84`), 'invalid-number', '0'.repeat(60)],
  ['64,000 digits and a letter', withCell(5, `${'1'.repeat(64_000)}x`), 'invalid-number', '1'.repeat(60)],
  ['a number without its fraction', withCell(5, '84.'), 'invalid-number', '84.'],
  ['a missing column', ROW.slice(0, -2), 'wrong-column-count', '17 / 18'],
  ['NUL', `${ROW}\0`, 'unreadable-characters', null],
  ['a byte that Windows-1250 does not define', `${ROW}\u0081`, 'unreadable-characters', null],
  ['a date of seven digits', withCell(1, '2024701'), 'invalid-date', '2024701 4'],
  ['a date of six digits', withCell(1, '202471'), 'invalid-date', '202471 4'],
])('refuses %s', (_, row, code, value) => {
  expect(zst(row)).toMatchObject({ refusal: { code, value } })
})

test('proposes hundredths of km/h for speeds over 300', () => {
  expect(zst(withCell(5, '8812'))).toEqual({ vehicle: ZST_VEHICLE })
})

test.each([
  [1, 5],
  [2, 10],
  [3, 7],
  [4, 2],
  [5, 11],
  [6, 2],
  [7, 2],
  [8, 3],
  [9, 8],
  [10, 9],
])('Swiss class %i is category %i', (swiss, ctg8p1) => {
  expect(zst(withCell(7, String(swiss)))).toMatchObject({ vehicle: { ctg8p1 } })
})

const column = (
  name: string,
  field: ImportColumn['field'],
  unit: ImportColumn['unit'] = null,
  axle: number | null = null,
) => ({ column: name, field, unit, axle }) satisfies ImportColumn

test('reads a table by its own mapping, with units, quotes and a comma as decimal sign', () => {
  const headings = 'Punkt\tCzas\tPas\tMasa\tO1\tO2\tRozstaw\tPrędkość\tTablica\tDługość'
  const row = '"S8 ""A"""\t20.10.2026 08:15:24,5\t2\t1,48\t0,82\t0,66\t2,71\t25,5\tWX 1234A\t15,36'
  const options: ImportOptions = {
    ...optionsOf(headings, row),
    columns: [
      column('Punkt', 'station'),
      column('Czas', 'dateTime', 'day-month'),
      column('Pas', 'lane'),
      column('Masa', 'gross', 't'),
      column('O1', 'load', 't', 1),
      column('O2', 'load', 't', 2),
      column('Rozstaw', 'gap', 'm', 2),
      column('Prędkość', 'speed', 'm/s'),
      column('Tablica', 'plate'),
      column('Długość', 'length', '0.1 ft'),
    ],
  }
  expect([options.separator, options.decimalSign, options.hasHeadings]).toEqual(['\t', ',', true])
  expect(read(options, headings, row)).toEqual({
    vehicle: {
      station: 'S8 "A"',
      lane: '2',
      at: Date.parse('2026-10-20T08:15:24.500Z'),
      isLocal: true,
      isHour: false,
      sequence: null,
      speed: 92,
      length: 47,
      height: null,
      ctg8p1: 0,
      gross: 1480,
      loads: [820, 660],
      gaps: [271],
      plate: 'WX 1234A',
      nationality: null,
    },
  })
})

test('columns with equal headings are numbered, and each has its own values', () => {
  const headings = 'Time;Lane;Load;Load;Load (2);Load'
  const row = '2026-10-20 08:15:24;1;6000;7000;8000;9000'
  const options = optionsOf(headings, row)
  const names = ['Time', 'Lane', 'Load', 'Load (2)', 'Load (2) (2)', 'Load (3)']
  expect(options.columns.map((it) => it.column)).toEqual(names)
  const loads = names.slice(2).map((name, index) => column(name, 'load', 'kg', index + 1))
  const mapped = { ...options, columns: [column('Time', 'dateTime'), column('Lane', 'lane'), ...loads] }
  expect(read(mapped, headings, row)).toMatchObject({ vehicle: { loads: [6000, 7000, 8000, 9000] } })
})

test('columns without headings are numbers, and a separator at the end of rows is no column', () => {
  const options = { ...optionsOf('7;1;2026-10-20T08:15:24Z;61', '7;1;2026-10-20T08:15:25Z;62') }
  expect([options.hasHeadings, options.columns.map((it) => it.column)]).toEqual([false, ['1', '2', '3', '4']])
  const mapped = {
    ...options,
    columns: [column('1', 'station'), column('2', 'lane'), column('3', 'dateTime'), column('4', 'speed')],
  }
  expect(read(mapped, '7;1;2026-10-20T08:15:24Z;61')).toMatchObject({
    vehicle: { at: Date.parse('2026-10-20T08:15:24Z'), isLocal: false, speed: 61 },
  })
  expect(zst(`${ROW};`)).toEqual({ vehicle: ZST_VEHICLE })
  expect([isComplete(options.columns), isComplete(mapped.columns)]).toEqual([false, true])
})

test.each([
  ['a;;c', ['a', '', 'c']],
  ['"a;b";c', ['a;b', 'c']],
  ['"a""b"', ['a"b']],
  ['a;"b"', ['a', 'b']],
  ['"a";', ['a', '']],
  ['"open;b', ['open;b']],
])('splits %s', (line, cells) => {
  expect(splitCells(line, ';')).toEqual(cells)
})

test.each([
  ['2026-10-20 08:15:24.123', '2026-10-20T08:15:24.123Z', true],
  ['2026-10-20T08:15', '2026-10-20T08:15:00Z', true],
  ['2026-10-20T08:15:24+02:00', '2026-10-20T06:15:24Z', false],
  ['2026-1-5 8:15', '2026-01-05T08:15:00Z', true],
  ['20.10.2026 8:15:24', '2026-10-20T08:15:24Z', true],
])('reads the time %s', (text, at, isLocal) => {
  expect(parseDateTime(text, null)).toEqual({ at: Date.parse(at), isLocal })
})

test('the order of day and month follows the unit, and what is no time is none', () => {
  expect(parseDateTime('10/20/2026 08:00', 'month-day')?.at).toBe(Date.parse('2026-10-20T08:00Z'))
  expect(parseDateTime('10/20/2026 08:00', 'day-month')).toBeNull()
  for (const text of ['20.10.2026', '1/2/2026 08:00', '20-10-2026T08:00:00Z']) expect(hasUnknownOrder(text)).toBe(true)
  for (const text of ['20261020', '2026-10-20 08:00', '20102026', '1.2.20261', ''])
    expect(hasUnknownOrder(text)).toBe(false)
  for (const text of ['', '7', '2026-10-20', '2026-10-20 25:00', '2026-13-01 00:00', '2026-10-20 08:15 CET'])
    expect(parseDateTime(text, null), text).toBeNull()
  for (const text of ['1234567', '240000', '8:1', '-1']) expect(parseTime(text), text).toBeNull()
})

test.each([
  [8825, '0.01 km/h', 88],
  [55, 'mph', 89],
  [4.71, 'm', 471],
  [15.36, '0.1 m', 154],
  [4712, 'mm', 471],
  [100, 'lb', 45],
  [154, '100 lb', 6985],
  [115, 'kN', 11727],
  [1.005, 't', 1005],
])('converts %d %s to %d', (value, unit, expected) => {
  expect(fromUnit(value, unit)).toBe(expected)
})
