import type { Language } from '@rogatka/contract/languages.ts'
import { isoText, warsawIso } from '../core/warsaw.ts'
import type { Cell, Column, DataColumn, RowBatches } from './table.ts'
import { createYielder, inChunks } from './yielding.ts'

/** Spreadsheets execute text starting with these as a formula; the last four are full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NUMBER = /^[+-]?\d+([.,]\d+)?$/
const SPECIAL = /[";\r\n]/
/** One test for both, as most texts are neither: halves the time of a long report. */
const HARMLESS = /^(?![=+\-@\t\uff1d\uff0b\uff0d\uff20])[^";\r\n]*$/

/** Formats cells in one language. */
export type CsvCells = {
  text: (text: string) => string
  decimals: (value: number, decimals: number) => string
}

/** CSV cells: decimals have the separator of the language; text that looks like a formula gets an apostrophe. */
export function csvCells(language: Language): CsvCells {
  const separator = language === 'en' ? '.' : ','
  return {
    text: textCell,
    decimals: (value, decimals) => {
      const text = value.toFixed(decimals)
      return separator === '.' ? text : text.replace('.', separator)
    },
  }
}

/** CSV of these columns, whose times are in Warsaw time. */
export function csv<Row>(
  columns: readonly Column<Row>[],
  rows: RowBatches<Row>,
  language: Language,
): AsyncGenerator<Buffer> {
  const cells = csvCells(language)
  const format = (row: Row) => {
    let line = ''
    for (const { value, decimals } of columns) line += `;${formatCell(value(row), decimals, cells)}`
    return line.slice(1)
  }
  async function* lines() {
    for await (const batch of rows) yield Iterator.from(batch).map(format)
  }
  const titles = columns.map(({ title }) => title)
  return csvLines(titles, lines())
}

/**
 * CSV by RFC 4180 with semicolons and a byte order mark, as Polish Excel opens it, of batches of lines, which may be
 * formatted while they are iterated.
 */
export async function* csvLines(
  titles: readonly string[],
  batches: AsyncIterable<Iterable<string>>,
): AsyncGenerator<Buffer> {
  const maybeYield = createYielder()
  yield Buffer.from(`\ufeff${titles.map(textCell).join(';')}\r\n`)
  for await (const batch of batches) yield* inChunks(batch, (line) => `${line}\r\n`, maybeYield)
}

function formatCell(cell: Cell, decimals = 0, cells: CsvCells): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return decimals > 0 ? cells.decimals(cell, decimals) : String(cell)
  return typeof cell === 'string' ? cells.text(cell) : warsawIso(cell)
}

function textCell(text: string): string {
  if (HARMLESS.test(text)) return text
  return quote(FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text)
}

const quote = (text: string) => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const SPECIAL_IN_DATA = /[",\r\n]/

/**
 * CSV for programs, by RFC 4180 with commas: one header row of names, plain numbers with a decimal point, times in ISO 8601
 * and UTC, empty cells for missing values.
 */
export async function* dataCsv<Row>(
  columns: readonly DataColumn<Row>[],
  batches: RowBatches<Row>,
): AsyncGenerator<Buffer> {
  const maybeYield = createYielder()
  yield Buffer.from(`${columns.map(({ name }) => name).join(',')}\r\n`)
  const format = (row: Row) =>
    `${columns.map(({ value, decimals = 0 }) => dataCell(value(row), decimals)).join(',')}\r\n`
  for await (const batch of batches) yield* inChunks(batch, format, maybeYield)
}

function dataCell(cell: Cell, decimals: number): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return cell.toFixed(decimals)
  if (typeof cell !== 'string') return isoText(cell.getTime())
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return SPECIAL_IN_DATA.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
