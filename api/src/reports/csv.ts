import type { Language } from '@rogatka/contract/languages.ts'
import { warsawIso } from '../core/warsaw.ts'
import type { Cell, Column, RowBatches } from './table.ts'
import { createYielder } from './yielding.ts'

/** A spreadsheet would run these as a formula; the last four are the wide forms of the first. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NUMBER = /^[+-]?\d+([.,]\d+)?$/
const SPECIAL = /[";\r\n]/
/** Most texts are neither: asked once for both, a long report is made in half the time. */
const HARMLESS = /^(?![=+\-@\t\uff1d\uff0b\uff0d\uff20])[^";\r\n]*$/

/**
 * RFC 4180 with a semicolon and a byte order mark, as Excel in Poland opens it without a question. Numbers have the
 * decimal mark of the language, times are those of Warsaw. A text that looks like a formula is led by an apostrophe.
 */
export async function* csv<Row>(
  columns: readonly Column<Row>[],
  rows: RowBatches<Row>,
  language: Language,
): AsyncGenerator<Buffer> {
  const pace = createYielder()
  const mark = language === 'en' ? '.' : ','
  yield Buffer.from(`\ufeff${columns.map(({ title }) => cellText(title)).join(';')}\r\n`)
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) {
      let line = ''
      for (const { value, decimals } of columns) line += `;${cellText(value(row), decimals, mark)}`
      text += `${line.slice(1)}\r\n`
    }
    yield Buffer.from(text)
    await pace()
  }
}

function cellText(cell: Cell, decimals = 0, mark = ','): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return decimals > 0 ? withDecimals(cell, decimals, mark) : String(cell)
  if (typeof cell === 'string') {
    if (HARMLESS.test(cell)) return cell
    return quoted(FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)
  }
  return warsawIso(cell)
}

const withDecimals = (value: number, decimals: number, mark: string) => {
  const text = value.toFixed(decimals)
  return mark === '.' ? text : text.replace('.', mark)
}

const quoted = (text: string) => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
