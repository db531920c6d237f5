import type { Language } from '@rogatka/contract/languages.ts'
import { warsawIso } from '../core/warsaw.ts'
import type { Cell, Column, RowBatches } from './table.ts'
import { createYielder } from './yielding.ts'

/** Spreadsheets execute text starting with these as a formula; the last four are full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NUMBER = /^[+-]?\d+([.,]\d+)?$/
const SPECIAL = /[";\r\n]/
/** One test for both, as most texts are neither: halves the time of a long report. */
const HARMLESS = /^(?![=+\-@\t\uff1d\uff0b\uff0d\uff20])[^";\r\n]*$/

/**
 * CSV by RFC 4180 with semicolons and a byte order mark, as Polish Excel opens it. Decimals have the separator of the
 * language, times are in Warsaw time. Text that looks like a formula gets an apostrophe.
 */
export async function* csv<Row>(
  columns: readonly Column<Row>[],
  rows: RowBatches<Row>,
  language: Language,
): AsyncGenerator<Buffer> {
  const maybeYield = createYielder()
  const decimalSeparator = language === 'en' ? '.' : ','
  yield Buffer.from(`\ufeff${columns.map(({ title }) => cellText(title)).join(';')}\r\n`)
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) {
      let line = ''
      for (const { value, decimals } of columns) line += `;${cellText(value(row), decimals, decimalSeparator)}`
      text += `${line.slice(1)}\r\n`
    }
    yield Buffer.from(text)
    await maybeYield()
  }
}

function cellText(cell: Cell, decimals = 0, decimalSeparator = ','): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return decimals > 0 ? formatDecimals(cell, decimals, decimalSeparator) : String(cell)
  if (typeof cell === 'string') {
    if (HARMLESS.test(cell)) return cell
    return quote(FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)
  }
  return warsawIso(cell)
}

const formatDecimals = (value: number, decimals: number, decimalSeparator: string) => {
  const text = value.toFixed(decimals)
  return decimalSeparator === '.' ? text : text.replace('.', decimalSeparator)
}

const quote = (text: string) => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
