import { expect, test } from 'vitest'
import { csv } from './csv.ts'
import type { Cell } from './table.ts'
import { collectBytes, parseCsv } from './testing.ts'

async function* batches(...batches: Cell[][][]) {
  yield* batches
}
const columns = (count: number, decimals?: number) =>
  Array.from({ length: count }, (_, at) => ({
    title: `C${at}`,
    width: 1,
    value: (row: Cell[]) => row[at] ?? null,
    ...(decimals !== undefined && { decimals }),
  }))
const written = async (rows: Cell[][], language: 'pl' | 'en' = 'pl', decimals?: number) =>
  collectBytes(csv(columns(rows[0]?.length ?? 1, decimals), batches(rows), language))

test('any text round-trips', async () => {
  const texts = ['a;b', '"quoted"', 'two\r\nlines', 'one\nline', ' spaced ', 'zażółć gęślą', '', ',', '💥', 'tab\tin']
  const [, row] = parseCsv(await written([texts]))
  expect(row).toEqual(texts)
})

test('prefixes text that a spreadsheet would execute with an apostrophe, but no number', async () => {
  const dangerous = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '=HYPERLINK("x";"y")']
  const [, row] = parseCsv(await written([dangerous]))
  expect(row).toEqual(dangerous.map((text) => `'${text}`))
  const [, numbers] = parseCsv(await written([['-5', '+48600700800', '-5,25', -7, 12]]))
  expect(numbers).toEqual(['-5', '+48600700800', '-5,25', '-7', '12'])
})

test('prefixes headers too', async () => {
  const bytes = await collectBytes(csv([{ title: '=1;"', width: 1, value: () => null }], batches(), 'pl'))
  expect(parseCsv(bytes)).toEqual([[`'=1;"`]])
})

test('starts with a byte order mark, separates by semicolons, and ends lines with CRLF', async () => {
  const bytes = await written([
    [1, 'b'],
    [null, 'd'],
  ])
  expect(bytes.toString()).toBe('\ufeffC0;C1\r\n1;b\r\n;d\r\n')
})

test('decimals have the separator of the language, times are in Warsaw time', async () => {
  const row = [12.345, new Date('2026-10-25T00:30:00Z')]
  expect(parseCsv(await written([row], 'pl', 1))[1]).toEqual(['12,3', '2026-10-25 02:30:00'])
  expect(parseCsv(await written([row], 'en', 1))[1]?.[0]).toBe('12.3')
})
