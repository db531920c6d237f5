import type { Language } from '@rogatka/contract/languages.ts'
import { warsawClock } from '../warsaw.ts'
import { createPace } from './pace.ts'
import type { Batches, Cell, Column } from './table.ts'

/** A spreadsheet would run these as a formula; the last four are the wide forms of the first. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/
const NUMBER = /^[+-]?\d+([.,]\d+)?$/
const SPECIAL = /[";\r\n]/

/**
 * RFC 4180 with a semicolon and a byte order mark, as Excel in Poland opens it without a question. Numbers have the
 * decimal mark of the language, times are those of Warsaw. A text that looks like a formula is led by an apostrophe.
 */
export async function* csv<Row>(
  columns: readonly Column<Row>[],
  rows: Batches<Row>,
  language: Language,
): AsyncGenerator<Buffer> {
  const pace = createPace()
  const mark = language === 'en' ? '.' : ','
  const line = (cells: string[]) => `${cells.join(';')}\r\n`
  yield Buffer.from(`\ufeff${line(columns.map(({ title }) => cellText(title)))}`)
  for await (const batch of rows) {
    let text = ''
    for (const row of batch) {
      text += line(columns.map(({ value, decimals }) => cellText(value(row), decimals, mark)))
    }
    yield Buffer.from(text)
    await pace()
  }
}

function cellText(cell: Cell, decimals = 0, mark = ','): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return decimals > 0 ? cell.toFixed(decimals).replace('.', mark) : String(cell)
  if (typeof cell === 'string') return quoted(FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)
  return warsawClock(cell).toISOString().slice(0, 19).replace('T', ' ')
}

const quoted = (text: string) => (SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
