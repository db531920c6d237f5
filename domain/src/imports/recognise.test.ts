import type { ImportOptions } from '@rogatka/contract/imports.ts'
import { expect, test } from 'vitest'
import { parseJsonLine } from './jsonLines.ts'
import { fitColumns, readColumns, recognise, withEncoding } from './recognise.ts'

const W2013 = 'W0000001211202610201009   0867080515366012323766018415829004315873004315873'
const W2001 = 'W00000012112610201009   039305070037108056072013072013072'
const JSON_LINE = '{"locationId":7,"sequence":5,"createdAt":"2026-10-20T08:15:24Z","laneNumber":1,"speed":84}'

test.each([
  ['w2013', [W2013, W2013]],
  ['w2013', ['', W2013, 'W rubbish', W2013]],
  ['w2001', [W2001]],
  ['jsonl', [JSON_LINE]],
  ['csv', ['Time,Lane', '2026-10-20 08:00,1']],
])('recognises %s', (format, lines) => {
  expect(recognise(lines, 'utf-8')?.options.format).toBe(format)
})

test.each([
  ['nothing', []],
  ['blank lines', ['', '  ']],
  ['a text', ['Dear Sir', 'or Madam']],
  ['bytes', ['\u0089PNG\u0000;\u0001;', 'x']],
])('does not recognise %s', (_, lines) => {
  expect(recognise(lines, 'utf-8')).toBeNull()
})

test.each([
  ['sep=;', ['Time;Lane', '8:00;1,5']],
  ['SEP=,', ['Time,Lane', '8:00,1']],
  ['"sep=|"', ['Time|Lane;x', '8:00|1']],
])('a table may begin with a line %s that declares its separator', (declared, lines) => {
  const found = recognise([declared, ...lines], 'utf-8')
  expect(found?.options).toMatchObject({
    format: 'csv',
    separator: declared.replace(/"|sep=/gi, ''),
    hasHeadings: true,
  })
  expect(found?.columns).toEqual([
    { column: 'Time', samples: ['8:00'] },
    { column: expect.stringMatching(/^Lane/), samples: [expect.stringMatching(/^1/)] },
  ])
  expect(recognise(['sep=#', 'Time;Lane'], 'utf-8')).toBeNull()
})

test('fits a mapping to the columns of the file, and returns those that the file lacks', () => {
  const options = recognise(['Time;Lane', '2026-10-20 08:00;1'], 'windows-1250')?.options as ImportOptions
  const columns = [
    { column: 'Time', field: 'dateTime', unit: null, axle: null },
    { column: 'Prędkość', field: 'speed', unit: 'km/h', axle: null },
    { column: 'Other', field: 'ignored', unit: null, axle: null },
  ] as const
  const fitted = fitColumns({ ...options, columns: [...columns] }, readColumns(['Time;Lane', '8;1'], options))
  expect(fitted.missing).toEqual(['Prędkość'])
  expect(fitted.options.columns.map(({ column, field }) => [column, field])).toEqual([
    ['Prędkość', 'speed'],
    ['Time', 'dateTime'],
    ['Lane', 'ignored'],
  ])
})

test.each([
  ['windows-1250', 'utf-8', 'utf-8'],
  ['utf-8', 'windows-1250', 'windows-1250'],
  ['iso-8859-2', 'windows-1250', 'iso-8859-2'],
  ['windows-1250', null, 'windows-1250'],
] as const)('a mapping in %s of a file in %s is read in %s', (saved, recognised, used) => {
  const options = recognise(['Time;Lane', '2026-10-20 08:00;1'], saved)?.options as ImportOptions
  expect(withEncoding(options, recognised).encoding).toBe(used)
})

test('overloads are evaluated with the class of the lane only for our own format', () => {
  expect(recognise([JSON_LINE], 'utf-8')?.options.accuracy).toBe('lane')
  expect(recognise([W2013], 'utf-8')?.options.accuracy).toBe('none')
})

test('reads a JSON line as a measurement, with the values of a derived sequence', () => {
  const axles = [
    { leftWeight: 3000, rightWeight: 3970, gap: 0 },
    { leftWeight: 5000, gap: 374 },
  ]
  const line = JSON.stringify({ ...JSON.parse(JSON_LINE), sequence: undefined, axles })
  expect(parseJsonLine(line)).toMatchObject({
    vehicle: {
      station: '7',
      lane: '1',
      at: Date.parse('2026-10-20T08:15:24Z'),
      sequence: null,
      speed: 84,
      gross: 11970,
      loads: [6970, 5000],
      gaps: [374],
      measurement: { laneNumber: 1, speed: 84, axles },
    },
  })
})

test.each([
  ['{"locationId":7', 'invalid-value'],
  ['[1]', 'invalid-value'],
  ['{"locationId":7,"laneNumber":1}', 'invalid-date'],
  [JSON_LINE.replace('24Z', '24'), 'invalid-date'],
  [JSON_LINE.replace('2026-10-20T08:15:24Z', 'Oct 20 2026 8:15'), 'invalid-date'],
  [JSON_LINE.replace(':5,', ':"5",'), 'invalid-value'],
  [JSON_LINE.replace(':5,', ':5.5,'), 'invalid-value'],
  [JSON_LINE.replace(':1,', ':"1",'), 'invalid-value'],
])('refuses %s', (line, code) => {
  expect(parseJsonLine(line)).toMatchObject({ refusal: { code } })
})
