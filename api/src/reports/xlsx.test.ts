import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Cell } from './table.ts'
import { collectBytes, readSheets, unzipFiles } from './testing.ts'
import { xlsx } from './xlsx.ts'
import { xlsxCharts } from './xlsx-charts.ts'

const about = {
  title: 'Lista',
  sheet: 'Kryteria',
  lines: [['Okres', 'doba & noc']] as [string, string][],
  by: 'Jan Żak',
  at: new Date('2026-10-20T08:00:00Z'),
}
const columns = [
  { title: 'Czas', width: 19, value: (row: Cell[]) => row[0] ?? null },
  { title: 'Tekst', width: 30, value: (row: Cell[]) => row[1] ?? null },
  { title: 'Liczba', width: 9, decimals: 1, value: (row: Cell[]) => row[2] ?? null },
]
async function* batches(...batches: Cell[][][]) {
  yield* batches
}

test('cells are typed, and times are in Warsaw time', async () => {
  const winter = new Date('2026-12-24T17:30:15Z')
  const bytes = await collectBytes(
    xlsx({ about, sheet: 'Dane', columns, rows: batches([[winter, '=1+1', 7.5]], [[null, 'x', null]]) }),
  )
  const [data, criteria] = await readSheets(bytes)
  expect([data?.name, criteria?.name]).toEqual(['Dane', 'Kryteria'])
  const [head, first, second] = data?.rows ?? []
  expect(head).toEqual(['Czas', 'Tekst', 'Liczba'])
  expect(first).toEqual([new Date('2026-12-24T18:30:15Z'), '=1+1', 7.5])
  expect(second?.slice(0, 3)).toEqual([null, 'x', null])
  expect(criteria?.rows.flat()).toEqual(expect.arrayContaining(['Lista', 'Okres', 'doba & noc']))
})

test('freezes the header and repeats it in print, filters to the last row, and sets widths', async () => {
  const rows = Array.from({ length: 40 }, (_, at) => [null, `r${at}`, at])
  const files = unzipFiles(await collectBytes(xlsx({ about, sheet: "L'Dane", columns, rows: batches(rows) })))
  const sheet = files['xl/worksheets/sheet1.xml']?.toString() ?? ''
  expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
  expect(sheet).toContain('<autoFilter ref="A1:C41"/>')
  expect(sheet).toContain('<col min="2" max="2" width="30" customWidth="1"/>')
  const book = files['xl/workbook.xml']?.toString() ?? ''
  expect(book).toContain(`'L''Dane'!$A$1:$C$41`)
  expect(book).toContain('_xlnm.Print_Titles')
})

test('drops characters that XML forbids, and escapes its special ones', async () => {
  const text = 'a\u0000b\u0008<c> & "d" \ud800 ł\nż'
  const [data] = await readSheets(
    await collectBytes(xlsx({ about, sheet: 'Dane', columns, rows: batches([[null, text, 1]]) })),
  )
  expect(data?.rows[1]?.[1]).toBe('ab<c> & "d" \ufffd ł\nż')
})

test('a tab name is truncated before apostrophes at its ends are removed, and may be shortened elsewhere', async () => {
  const tabs = async (...names: (string | ((length: number) => string))[]) => {
    async function* sheets() {
      for (const name of names) yield { name, title: '', subtitle: '', columns, frozen: 0, rows: [] }
    }
    return (await readSheets(await collectBytes(xlsxCharts<Cell[]>(about, sheets()))))
      .map(({ name }) => name)
      .slice(0, -1)
  }
  const long = `${'n'.repeat(30)}'s`
  expect(await tabs(long, long, "'S8'", ' ', "'")).toEqual([
    'n'.repeat(30),
    `${'n'.repeat(27)} (2)`,
    'S8',
    '–',
    '– (2)',
  ])
  const lane = (number: number) => (length: number) => `${'S'.repeat(length - 7)}, pas ${number}`
  expect(await tabs(lane(1), lane(2), lane(2))).toEqual([
    `${'S'.repeat(24)}, pas 1`,
    `${'S'.repeat(24)}, pas 2`,
    `${'S'.repeat(20)}, pas 2 (2)`,
  ])
})

test('an image is anchored in its row and keeps its aspect ratio', async () => {
  const bytes = await sharp({ create: { width: 160, height: 90, channels: 3, background: '#447' } })
    .jpeg()
    .toBuffer()
  const images = {
    title: 'Zdjęcie',
    of: (row: Cell[]) => (row[1] === 'with' ? { bytes, width: 160, height: 90, name: 'p.jpg' } : null),
  }
  const rows = batches([[null, 'without', 1]], [[null, 'with', 2]])
  const files = unzipFiles(await collectBytes(xlsx({ about, sheet: 'Dane', columns, rows, images })))
  expect(files['xl/media/image1.jpeg']).toEqual(bytes)
  expect(Object.keys(files).filter((name) => name.includes('media'))).toHaveLength(1)
  const drawing = files['xl/drawings/drawing1.xml']?.toString() ?? ''
  // The header is row 0, so the second data row is row 2.
  expect(drawing).toContain('<xdr:row>2</xdr:row>')
  const [, width = 0, height = 0] = (/<a:ext cx="(\d+)" cy="(\d+)"/.exec(drawing) ?? []).map(Number)
  expect(width / height).toBeCloseTo(160 / 90, 1)
  const [data] = await readSheets(
    await collectBytes(xlsx({ about, sheet: 'Dane', columns, rows: batches([[null, 'with', 2]]), images })),
  )
  expect(data?.images).toHaveLength(1)
})
