import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { EMAIL, PHONE, type TypeOfContact } from '@rogatka/contract/wanted.ts'
import { contactError, listedPlate, plateError } from '@rogatka/domain/wanted/entry.ts'
import Papa from 'papaparse'
import { parseDateInput } from '../ui/dateInput.ts'

/** Parsed row of a file; `line` is the number of its first line. */
export type PlateRow = {
  line: number
  plate: string
  description: string
  expiresAt: string | null
  allowMisread: boolean
}
type ContactRow = { line: number; type: TypeOfContact; contact: string; description: string }

/** Why a row is invalid: an error code of the server, or an error of the file. */
type RowError =
  | ErrorCode
  | 'too-few-columns'
  | 'too-many-columns'
  | 'broken-quotes'
  | 'broken-characters'
  | 'unknown-contact-type'
  | 'twice-in-file'
  | 'unreadable-date'
  | 'unreadable-yes-no'
  | 'missing-plate'
  | 'missing-contact'
  | 'missing-description'

/** A rejected row; `message` is the server's error, in the user's language. */
export type RejectedRow = { line: number; text: string } & ({ error: RowError } | { message: string })

export type Rows<R> = { valid: R[]; rejected: RejectedRow[] }

/** Parser of the rows of a list. */
export type RowKind<R> = {
  columns: number
  /** Number of optional further columns. */
  optional?: number
  /** Whether the row is a header. */
  isHeader: (cells: readonly string[]) => boolean
  /** `key` identifies duplicates. */
  read: (cells: readonly string[], line: number) => { row: R; key: string } | RowError
}

export const MAX_FILE_BYTES = 5 * 1024 * 1024

const LINES_PER_SLICE = 500

/** Maximum number of further lines of a quoted text. */
const MAX_FURTHER_LINES = 5

/** Decodes a file: UTF-8 or UTF-16 by byte order mark, else UTF-8 if valid, else Windows-1250. */
export function textOfFile(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1250').decode(bytes)
  }
}

type Cells = { cells: string[]; broken: boolean }

/** Cells of a row, separated by semicolons; quoted cells may contain semicolons and doubled quotes. */
function cellsOf(text: string): Cells {
  if (!text.includes('"')) return { cells: text.split(';'), broken: false }
  // The low-level parser, because Papa.parse guesses the delimiter of every row, which is ten times slower.
  const parser = new Papa.Parser({ delimiter: ';', newline: '\n' })
  const { data, errors } = parser.parse(text, 0, false) as { data: string[][]; errors: unknown[] }
  return { cells: data[0] ?? [], broken: errors.length > 0 || data.length !== 1 }
}

/**
 * Parses a file line by line, so that an unclosed quote damages only its own row. If a quote is closed within the next
 * lines, these lines are one row. Yields to the browser every few hundred lines.
 */
export async function rowsOf<R>(text: string, kind: RowKind<R>): Promise<Rows<R>> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const maxColumns = kind.columns + (kind.optional ?? 0)
  const fits = (count: number) => count >= kind.columns && count <= maxColumns
  const rows: Rows<R> = { valid: [], rejected: [] }
  const keys = new Set<string>()
  let isFirst = true
  for (let at = 0; at < lines.length; at++) {
    if (at % LINES_PER_SLICE === LINES_PER_SLICE - 1) await new Promise((resolve) => setTimeout(resolve))
    const firstLine = at
    let row = cellsOf(lines[at] ?? '')
    for (let more = 1; row.broken && more <= MAX_FURTHER_LINES && firstLine + more < lines.length; more++) {
      const joined = cellsOf(lines.slice(firstLine, firstLine + more + 1).join('\n'))
      if (joined.broken || !fits(joined.cells.length)) continue
      row = joined
      at = firstLine + more
    }
    const cells = row.cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
    while (cells.length > kind.columns && cells.at(-1) === '') cells.pop()
    if (cells.every((cell) => cell === '')) continue
    if (isFirst && (/^sep=/i.test(cells[0] ?? '') || kind.isHeader(cells))) {
      isFirst = /^sep=/i.test(cells[0] ?? '')
      continue
    }
    isFirst = false
    const reject = (error: RowError) =>
      rows.rejected.push({
        line: firstLine + 1,
        text: lines
          .slice(firstLine, at + 1)
          .join(' ')
          .slice(0, 200),
        error,
      })
    if (row.broken) reject('broken-quotes')
    else if (/[\p{Cc}\uFFFD]/u.test(cells.join(''))) reject('broken-characters')
    else if (cells.length < kind.columns) reject('too-few-columns')
    else if (cells.length > maxColumns) reject('too-many-columns')
    else {
      const read = kind.read(cells, firstLine + 1)
      if (typeof read === 'string') reject(read)
      else if (keys.has(read.key)) reject('twice-in-file')
      else {
        keys.add(read.key)
        rows.valid.push(read.row)
      }
    }
  }
  return rows
}

const DESCRIPTION = /^(opis|description|apra[sš]ymas|beschreibung|descriere)$/i

const YES = /^(tak|yes|ja|taip|da|true|1|x)$/i
const NO = /^(|nie|no|nein|ne|nu|false|0)$/i

/** Parses an expiry date, as in the form. Undefined if invalid, null if empty. */
export const expiryOf = (text: string): string | null | undefined =>
  text === '' ? null : (parseDateInput(text, 'end') ?? undefined)

/** plate;description[;expiry[;match misread characters]] */
export const plateRows: RowKind<PlateRow> = {
  columns: 2,
  optional: 2,
  isHeader: (cells) => DESCRIPTION.test(cells[1] ?? ''),
  read: ([plate = '', description = '', end = '', misread = ''], line) => {
    const expiresAt = expiryOf(end)
    if (expiresAt === undefined) return 'unreadable-date'
    if (!YES.test(misread) && !NO.test(misread)) return 'unreadable-yes-no'
    if (plate === '') return 'missing-plate'
    if (description === '') return 'missing-description'
    const error = plateError({ plate, description })
    const row = { line, plate, description, expiresAt, allowMisread: YES.test(misread) }
    return error ?? { row, key: listedPlate(plate) ?? '' }
  },
}

const TYPES: readonly [TypeOfContact, RegExp][] = [
  [EMAIL, /^(0|e-?mail|mail|poczta|adres e-mail|el\. ?pa[sš]tas)$/i],
  [PHONE, /^(1|phone|telefon|telefonas|tel\.?|sms)$/i],
]

/** type;contact;description, with the type as a number or a word of any language. */
export const contactRows: RowKind<ContactRow> = {
  columns: 3,
  isHeader: (cells) => DESCRIPTION.test(cells[2] ?? ''),
  read: ([typeText = '', contact = '', description = ''], line) => {
    const type = TYPES.find(([, texts]) => texts.test(typeText))?.[0]
    if (type === undefined) return 'unknown-contact-type'
    if (contact === '') return 'missing-contact'
    if (description === '') return 'missing-description'
    const error = contactError(contact, type, description)
    const key = `${type} ${type === EMAIL ? contact.toLowerCase() : contact.replace(/\D/g, '').slice(-9)}`
    return error ?? { row: { line, type, contact, description }, key }
  },
}
