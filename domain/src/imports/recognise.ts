import {
  type ImportColumn,
  type ImportEncoding,
  type ImportField,
  type ImportFormat,
  type ImportOptions,
  importSeparators,
  importUnits,
  MAX_COLUMNS,
} from '@rogatka/contract/imports.ts'
import { MISSING_ELEMENT, parseJsonLine, UNCLOSED_ARRAY } from './jsonLines.ts'
import { columnNames, separatorLine, splitCells } from './table.ts'
import { isWRecord } from './wRecords.ts'

/** How a file is read, as far as its first lines show it. */
export type Recognition = {
  options: ImportOptions
  /** Headings, or lines of other formats, that were recognised, of all. */
  known: number
  total: number
  columns: { column: string; samples: string[] }[]
}

/** Values of each column that the page shows. */
const SAMPLES = 2
/** Faster than any vehicle in km/h: such values of a ZST file are hundredths. */
const MAX_SPEED = 300

type Heading = { field: ImportField; axle?: number; unit?: ImportColumn['unit'] }

/** Headings of the set "ZST" (docs/exchange.md), in capitals. */
function zstHeading(name: string): Heading | undefined {
  const [, load] = /^AWT0*(\d+)$/.exec(name) ?? []
  if (load) return Number(load) > 0 ? { field: 'load', axle: Number(load) } : undefined
  const [, from, to] = /^W(\d+)_(\d+)$/.exec(name) ?? []
  if (from) return Number(to) === Number(from) + 1 ? { field: 'gap', axle: Number(to) } : undefined
  return ZST[name]
}

const ZST: Readonly<Record<string, Heading>> = {
  ZST: { field: 'station' },
  JJJJMMTT: { field: 'date' },
  HHMMSS: { field: 'time' },
  FZG_NR: { field: 'sequence' },
  FS: { field: 'lane' },
  SPEED: { field: 'speed' },
  LENTH: { field: 'length' },
  LENGTH: { field: 'length' },
  CS: { field: 'class', unit: 'swiss10' },
  CSF: { field: 'class', unit: 'swiss10' },
  GW_TOT: { field: 'gross' },
  AX: { field: 'axles' },
  T: { field: 'ignored' },
  ST: { field: 'ignored' },
}
/** Without these a table is not of this set. */
const ZST_KEYS = ['ZST', 'JJJJMMTT', 'HHMMSS', 'FS']
/** Its highest number of axles. */
const MAX_AXLES = 13

const mapping = (column: string, { field, axle = 0, unit }: Heading): ImportColumn => ({
  column,
  field,
  axle: field === 'load' || field === 'gap' ? axle : null,
  unit: unit ?? (field in importUnits ? importUnits[field as keyof typeof importUnits][0] : null),
})

/** Whether most of the measured speeds are faster than any vehicle: single ones may be wrong. */
function isInHundredths(speeds: readonly number[]): boolean {
  const measured = speeds.filter((speed) => speed > 0)
  return measured.filter((speed) => speed > MAX_SPEED).length * 2 > measured.length
}

const base = (format: ImportFormat, encoding: ImportEncoding): ImportOptions => ({
  format,
  encoding,
  timeZone: 'Europe/Warsaw',
  wUnits: 'metric',
  separator: ';',
  decimalSign: '.',
  hasHeadings: true,
  columns: [],
  // Limits of a foreign scale are not known; our own format comes from our stations.
  accuracy: format === 'jsonl' ? 'lane' : 'none',
  assignments: [],
})

/** Recognises a file by its first lines; null if it is none that can be read. */
export function recognise(lines: readonly string[], encoding: ImportEncoding): Recognition | null {
  const filled = lines.filter((line) => line.trim() !== '')
  if (filled.length === 0) return null
  const ofLines = (format: ImportFormat, isKnown: (line: string) => boolean, some = filled): Recognition => ({
    options: base(format, encoding),
    known: some.filter(isKnown).length,
    total: some.length,
    columns: [],
  })
  const elements = filled.filter((line) => line !== MISSING_ELEMENT && line !== UNCLOSED_ARRAY)
  const candidates = [
    ofLines('w2013', (line) => isWRecord(line, '2013')),
    ofLines('w2001', (line) => isWRecord(line, '2001')),
    ofLines('jsonl', (line) => line.trimStart().startsWith('{') && 'vehicle' in parseJsonLine(line), elements),
  ]
  const best = candidates.sort((a, b) => b.known - a.known)[0]
  // A file may begin with bad rows, but not with many.
  if (best && best.known * 2 > best.total) return best
  return recogniseTable(filled, encoding)
}

const withoutSeparatorLine = ([first = '', ...rest]: readonly string[]): readonly string[] =>
  separatorLine(first) === null ? [first, ...rest] : rest

/** The columns of a table by its first lines that are not blank, with their first values. */
export function readColumns(
  lines: readonly string[],
  { separator, hasHeadings }: Pick<ImportOptions, 'separator' | 'hasHeadings'>,
): Recognition['columns'] {
  const rows = withoutSeparatorLine(lines)
    .slice(0, SAMPLES + 1)
    .map((line) => splitCells(line, separator).map((cell) => cell.trim()))
  const [first = []] = rows
  const names = hasHeadings ? columnNames(first) : first.map((_, index) => String(index + 1))
  const samples = (hasHeadings ? rows.slice(1) : rows).slice(0, SAMPLES)
  return names.map((column, index) => ({ column, samples: samples.map((row) => row[index] ?? '') }))
}

/**
 * The options with the columns of the file: those without a mapping are ignored. Mapped columns that the file lacks stay,
 * come first and are returned as `missing`.
 */
export function fitColumns(
  options: ImportOptions,
  columns: Recognition['columns'],
): { options: ImportOptions; missing: string[] } {
  const names = new Set(columns.map(({ column }) => column))
  const missing = options.columns.filter(({ column, field }) => field !== 'ignored' && !names.has(column))
  const mapped = new Map(options.columns.map((one) => [one.column, one]))
  const found = columns.map(({ column }) => mapped.get(column) ?? mapping(column, { field: 'ignored' }))
  return {
    options: { ...options, columns: [...missing, ...found].slice(0, MAX_COLUMNS) },
    missing: missing.map(({ column }) => column),
  }
}

/**
 * A saved mapping for a file: its encoding applies unless the bytes of the file show another one. `recognised` null: they
 * are those of any encoding.
 */
export const withEncoding = (mapping: ImportOptions, recognised: ImportEncoding | null): ImportOptions =>
  recognised && (recognised === 'utf-8' || mapping.encoding === 'utf-8')
    ? { ...mapping, encoding: recognised }
    : mapping

function recogniseTable(all: readonly string[], encoding: ImportEncoding): Recognition | null {
  const declared = separatorLine(all[0] ?? '')
  const lines = withoutSeparatorLine(all)
  const [first = ''] = lines
  // Every text has blanks.
  const separators = importSeparators.filter((separator) =>
    declared === null ? separator !== ' ' : separator === declared,
  )
  if (separators.length === 0) return null
  const cellCounts = separators.map((separator) => [separator, splitCells(first, separator).length] as const)
  const [separator, count] = cellCounts.reduce((most, one) => (one[1] > most[1] ? one : most))
  if (count < 2 || /[\p{Cc}\uFFFD]/u.test(first.replaceAll('\t', ''))) return null
  const headings = splitCells(first, separator).map((heading) => heading.trim())
  const rows = lines.slice(1).map((line) => splitCells(line, separator).map((cell) => cell.trim()))
  // A line with numbers is a row.
  const hasHeadings =
    headings.every((heading) => /\p{L}/u.test(heading) || heading === '') && !headings.every((it) => it === '')
  const upper = headings.map((heading) => heading.toUpperCase())
  const isZst = hasHeadings && ZST_KEYS.every((key) => upper.includes(key))
  const cellsAt = (index: number) => (hasHeadings ? rows : [headings, ...rows]).map((row) => row[index] ?? '')

  const known = upper.map((name) => (isZst ? zstHeading(name) : undefined))
  const columns = readColumns(lines, { separator, hasHeadings })
  const mappings = columns.map(({ column }, index): ImportColumn => {
    const heading = known[index]
    const isSecondClass = upper[index] === 'CSF' && upper.includes('CS')
    if (!heading || isSecondClass || (heading.axle ?? 0) > MAX_AXLES) return mapping(column, { field: 'ignored' })
    const isFast = heading.field === 'speed' && isInHundredths(cellsAt(index).map(Number))
    return mapping(column, isFast ? { ...heading, unit: '0.01 km/h' } : heading)
  })
  return {
    options: {
      ...base('csv', encoding),
      timeZone: isZst ? 'Europe/Zurich' : 'Europe/Warsaw',
      separator,
      decimalSign: separator !== ',' && rows.some((row) => row.some((cell) => /^-?\d+,\d+$/.test(cell))) ? ',' : '.',
      hasHeadings,
      columns: mappings,
    },
    known: known.filter((heading) => heading !== undefined).length,
    total: columns.length,
    columns,
  }
}
