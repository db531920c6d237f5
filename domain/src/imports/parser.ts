import type { ImportOptions } from '@rogatka/contract/imports.ts'
import { parseJsonLine } from './jsonLines.ts'
import { columnNames, createTableParser, separatorLine, splitCells } from './table.ts'
import { type Row, refuse } from './vehicle.ts'
import { parseWRecord } from './wRecords.ts'

/** A character that no row has: NUL and other controls but tabs, and bytes that are not of the encoding. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const UNREADABLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\uFFFD]/

/**
 * A reader of the lines of a file in their order, one at a time: the row of a line, or null for blank lines and the
 * headings.
 */
export function createParser(options: ImportOptions): (line: string) => Row | null {
  const parse = createFormatParser(options)
  return (line) => {
    if (line.trim() === '') return null
    return UNREADABLE.test(line) ? refuse('unreadable-characters') : parse(line)
  }
}

function createFormatParser(options: ImportOptions): (line: string) => Row | null {
  switch (options.format) {
    case 'w2013':
      return (line) => parseWRecord(line, '2013', 'us')
    case 'w2001':
      return (line) => parseWRecord(line, '2001', options.wUnits)
    case 'jsonl':
      return parseJsonLine
    case 'csv': {
      let parse = options.hasHeadings ? undefined : createTableParser(options, null)
      let isFirst = true
      return (line) => {
        const isSeparator = isFirst && separatorLine(line) !== null
        isFirst = false
        if (isSeparator) return null
        if (parse) return parse(line)
        parse = createTableParser(options, columnNames(splitCells(line, options.separator)))
        return null
      }
    }
  }
}
