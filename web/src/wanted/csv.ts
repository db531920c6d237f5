import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { EMAIL, PHONE, type TypeOfContact } from '@rogatka/contract/wanted.ts'
import { contactError, listedPlate, plateError } from '@rogatka/domain/wanted/entry.ts'
import Papa from 'papaparse'
import { parseTyped } from '../ui/typedDate.ts'

/** What a row of a file becomes, with the line on which it begins. */
export type PlateRow = {
  line: number
  plate: string
  description: string
  expiresAt: string | null
  allowMisread: boolean
}
type ContactRow = { line: number; type: TypeOfContact; contact: string; description: string }

/** Why a row cannot be sent: a fault that the server would name too, or one of the file. */
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

/** A row that does not go in; `said` is what the server answered, in the operator's language. */
export type RejectedRow = { line: number; text: string } & ({ fault: RowError } | { said: string })

export type Rows<R> = { good: R[]; refused: RejectedRow[] }

/** What a list makes of the cells of a row. */
export type RowKind<R> = {
  columns: number
  /** Further ones that may be there. */
  optional?: number
  /** Whether the first row only names the columns. */
  isHead: (cells: readonly string[]) => boolean
  /** `key`: two rows with the same one mean the same. */
  read: (cells: readonly string[], line: number) => { row: R; key: string } | RowError
}

export const MAX_FILE_BYTES = 5 * 1024 * 1024

const LINES_PER_SLICE = 500

/** A quoted text may break into so many further lines. */
const MORE_LINES = 5

/** The text of a file: UTF-8 or UTF-16 with their marks, else UTF-8 where it is that, else Windows-1250. */
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

/** Cells of one row, separated by semicolons; a text in quotes may hold them, and quotes twice. */
function cellsOf(text: string): Cells {
  if (!text.includes('"')) return { cells: text.split(';'), broken: false }
  // The parser itself: what stands around it guesses a delimiter for every row anew, which takes ten times as long.
  const parser = new Papa.Parser({ delimiter: ';', newline: '\n' })
  const { data, errors } = parser.parse(text, 0, false) as { data: string[][]; errors: unknown[] }
  return { cells: data[0] ?? [], broken: errors.length > 0 || data.length !== 1 }
}

/**
 * The rows of a file, read line by line, so that a broken quote spoils its own row and not those behind it. Where a
 * quote is open at the end of a line and closes well some lines later, these are one row. Between some hundred lines
 * the page may draw itself.
 */
export async function rowsOf<R>(text: string, kind: RowKind<R>): Promise<Rows<R>> {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const most = kind.columns + (kind.optional ?? 0)
  const fits = (count: number) => count >= kind.columns && count <= most
  const rows: Rows<R> = { good: [], refused: [] }
  const seen = new Set<string>()
  let isFirst = true
  for (let at = 0; at < lines.length; at++) {
    if (at % LINES_PER_SLICE === LINES_PER_SLICE - 1) await new Promise((resolve) => setTimeout(resolve))
    const begin = at
    let row = cellsOf(lines[at] ?? '')
    for (let more = 1; row.broken && more <= MORE_LINES && begin + more < lines.length; more++) {
      const joined = cellsOf(lines.slice(begin, begin + more + 1).join('\n'))
      if (joined.broken || !fits(joined.cells.length)) continue
      row = joined
      at = begin + more
    }
    const cells = row.cells.map((cell) => cell.replace(/\s+/g, ' ').trim())
    while (cells.length > kind.columns && cells.at(-1) === '') cells.pop()
    if (cells.every((cell) => cell === '')) continue
    if (isFirst && (/^sep=/i.test(cells[0] ?? '') || kind.isHead(cells))) {
      isFirst = /^sep=/i.test(cells[0] ?? '')
      continue
    }
    isFirst = false
    const refuse = (fault: RowError) =>
      rows.refused.push({
        line: begin + 1,
        text: lines
          .slice(begin, at + 1)
          .join(' ')
          .slice(0, 200),
        fault,
      })
    if (row.broken) refuse('broken-quotes')
    else if (/[\p{Cc}\uFFFD]/u.test(cells.join(''))) refuse('broken-characters')
    else if (cells.length < kind.columns) refuse('too-few-columns')
    else if (cells.length > most) refuse('too-many-columns')
    else {
      const read = kind.read(cells, begin + 1)
      if (typeof read === 'string') refuse(read)
      else if (seen.has(read.key)) refuse('twice-in-file')
      else {
        seen.add(read.key)
        rows.good.push(read.row)
      }
    }
  }
  return rows
}

const DESCRIPTION = /^(opis|description|apra[sš]ymas|beschreibung|descriere)$/i

const YES = /^(tak|yes|ja|taip|da|true|1|x)$/i
const NO = /^(|nie|no|nein|ne|nu|false|0)$/i

/** Until when an entry is valid, as in the form. Undefined if it cannot be read, null if it is empty. */
export const expiryOf = (text: string): string | null | undefined =>
  text === '' ? null : (parseTyped(text, 'end') ?? undefined)

/** plate;description, and then perhaps the end and whether misread characters count */
export const plateRows: RowKind<PlateRow> = {
  columns: 2,
  optional: 2,
  isHead: (cells) => DESCRIPTION.test(cells[1] ?? ''),
  read: ([plate = '', description = '', end = '', misread = ''], line) => {
    const expiresAt = expiryOf(end)
    if (expiresAt === undefined) return 'unreadable-date'
    if (!YES.test(misread) && !NO.test(misread)) return 'unreadable-yes-no'
    if (plate === '') return 'missing-plate'
    if (description === '') return 'missing-description'
    const fault = plateError({ plate, description })
    const row = { line, plate, description, expiresAt, allowMisread: YES.test(misread) }
    return fault ?? { row, key: listedPlate(plate) ?? '' }
  },
}

const TYPES: readonly [TypeOfContact, RegExp][] = [
  [EMAIL, /^(0|e-?mail|mail|poczta|adres e-mail|el\. ?pa[sš]tas)$/i],
  [PHONE, /^(1|phone|telefon|telefonas|tel\.?|sms)$/i],
]

/** type;contact;description: the type as a number or as a word of any of the languages. */
export const contactRows: RowKind<ContactRow> = {
  columns: 3,
  isHead: (cells) => DESCRIPTION.test(cells[2] ?? ''),
  read: ([word = '', contact = '', description = ''], line) => {
    const type = TYPES.find(([, texts]) => texts.test(word))?.[0]
    if (type === undefined) return 'unknown-contact-type'
    if (contact === '') return 'missing-contact'
    if (description === '') return 'missing-description'
    const fault = contactError(contact, type, description)
    const key = `${type} ${type === EMAIL ? contact.toLowerCase() : contact.replace(/\D/g, '').slice(-9)}`
    return fault ?? { row: { line, type, contact, description }, key }
  },
}
