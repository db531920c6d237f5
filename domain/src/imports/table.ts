import { type ImportColumn, type ImportField, type ImportOptions, importFields } from '@rogatka/contract/imports.ts'
import { fromFhwaClass, fromSwiss10 } from './classes.ts'
import { parseDate, parseDateTime, parseTime } from './times.ts'
import { fromUnit } from './units.ts'
import { cutText, MAX_AXLE_KG, type Row, refuse } from './vehicle.ts'

/** Allowed difference between the sum of the axles and the gross weight. */
const MAX_SUM_DIFFERENCE = { kg: 50, share: 0.01 }

/** The cells of a line; a cell may be in quotation marks, doubled within. */
export function splitCells(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator)
  const cells: string[] = []
  let at = 0
  while (at <= line.length) {
    if (line[at] !== '"') {
      const end = line.indexOf(separator, at)
      cells.push(end < 0 ? line.slice(at) : line.slice(at, end))
      if (end < 0) break
      at = end + separator.length
      continue
    }
    let end = at + 1
    while (end < line.length && (line[end] !== '"' || line[end + 1] === '"')) end += line[end] === '"' ? 2 : 1
    cells.push(line.slice(at + 1, end).replaceAll('""', '"'))
    const next = line.indexOf(separator, end)
    if (next < 0) break
    at = next + separator.length
  }
  return cells
}

/**
 * The separator of a first line `sep=;`, which declares it to spreadsheet programs; null: another line. It is no row of the table.
 */
export const separatorLine = (line: string): string | null => /^"?sep=(.)"?\s*$/iu.exec(line)?.[1] ?? null

/** Characters of the name of a column. */
const MAX_COLUMN_NAME = 100

/**
 * The columns of a line with headings: each heading, without blanks around it and not too long. Equal ones are numbered,
 * `Load`, `Load (2)`, so that each name is that of one column.
 */
export function columnNames(headings: readonly string[]): string[] {
  const names = new Set<string>()
  const counts = new Map<string, number>()
  for (const heading of headings) {
    const base = cutText(heading.trim(), MAX_COLUMN_NAME)
    let name = base
    while (names.has(name)) {
      const number = (counts.get(base) ?? 1) + 1
      counts.set(base, number)
      const suffix = ` (${number})`
      name = cutText(base, MAX_COLUMN_NAME - suffix.length) + suffix
    }
    names.add(name)
  }
  return [...names]
}

/** Fields of one column at the most. */
type SingleField = Exclude<ImportField, 'ignored' | 'load' | 'gap'>
const SINGLE_FIELDS = importFields.filter((field): field is SingleField => !['ignored', 'load', 'gap'].includes(field))

/** A mapped column with the index of its cell. */
type MappedColumn = { index: number; column: ImportColumn }

/** Whether a mapping has what every vehicle needs: lane and time. */
export const isComplete = (columns: readonly ImportColumn[]): boolean => {
  const has = (field: string) => columns.some((column) => column.field === field)
  return has('lane') && (has('dateTime') || (has('date') && has('time')))
}

/** A number with an exponent or without; longer texts are none. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
const MAX_NUMBER_LENGTH = 40
const isNumber = (text: string) => text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text)

/** Empty, -1 and NaN: not measured. */
const isMissing = (text: string) => text === '' || /^(-1(?:[.,]0*)?|nan|null|-)$/i.test(text)

/**
 * A reader of the rows of a table. `names`: its columns (`columnNames`), or null without headings: then numbers from 1.
 * Columns of the mapping that the file lacks are not read.
 */
export function createTableParser(options: ImportOptions, names: readonly string[] | null): (line: string) => Row {
  const { separator, decimalSign, columns } = options
  const mappedColumns = columns.flatMap((column): MappedColumn[] => {
    const index = names ? names.indexOf(column.column) : Number(column.column) - 1
    return index >= 0 && column.field !== 'ignored' ? [{ index, column }] : []
  })
  const single = new Map(
    SINGLE_FIELDS.map((field): [SingleField, MappedColumn | undefined] => [
      field,
      mappedColumns.find(({ column }) => column.field === field),
    ]),
  )
  const numbered = (field: 'load' | 'gap') =>
    mappedColumns
      .filter(({ column }) => column.field === field && column.axle !== null)
      .map((mapped) => ({ ...mapped, number: mapped.column.axle ?? 0 }))
      .sort((a, b) => a.number - b.number)
  const [loadColumns, gapColumns] = [numbered('load'), numbered('gap')]
  const count = names?.length

  return (line) => {
    const cells = splitCells(line, separator)
    if (count !== undefined && cells.length !== count) {
      // A separator at the end of each row.
      if (cells.length !== count + 1 || cells.at(-1)?.trim() !== '')
        return refuse('wrong-column-count', null, `${cells.length} / ${count}`)
    }
    const textAt = (mapped: MappedColumn | undefined) => (mapped ? (cells[mapped.index] ?? '').trim() : '')
    const textOf = (field: SingleField) => textAt(single.get(field))
    const station = textOf('station')
    const lane = textOf('lane')
    const reject = (...[code, path, value]: Parameters<typeof refuse>) => refuse(code, path, value, { station, lane })

    /** In the unit of the portal; null: not measured, NaN: no number. */
    const numberAt = (mapped: MappedColumn | undefined): number | null => {
      const text = textAt(mapped)
      if (!mapped || isMissing(text)) return null
      const plain = decimalSign === ',' ? text.replace(',', '.') : text
      return isNumber(plain) ? fromUnit(Number(plain), mapped.column.unit) : Number.NaN
    }

    const at = timeOf(textOf, single)
    if (at === null || 'code' in at) return reject(at?.code ?? 'invalid-date', 'createdAt', at?.value ?? null)

    const values: Partial<Record<SingleField, number | null>> = {}
    for (const field of ['sequence', 'speed', 'length', 'height', 'class', 'gross', 'axles'] as const) {
      const value = numberAt(single.get(field))
      if (Number.isNaN(value)) return reject('invalid-number', PATHS[field], textOf(field))
      values[field] = value
    }
    const listOf = (list: typeof loadColumns, first: number): (number | null)[] => {
      const found: (number | null)[] = []
      for (const mapped of list) found[mapped.number - first] = numberAt(mapped)
      return Array.from(found, (value) => value ?? null)
    }
    const loads = trimEnd(listOf(loadColumns, 1))
    const gaps = listOf(gapColumns, 2)
    for (const [mapped, value] of [...loadColumns, ...gapColumns].map((mapped) => [mapped, numberAt(mapped)] as const))
      if (Number.isNaN(value)) return reject('invalid-number', 'axles', `${mapped.column.column} = ${textAt(mapped)}`)
    const tooHeavy = loads.findIndex((load) => (load ?? 0) > MAX_AXLE_KG)
    if (tooHeavy >= 0)
      return reject('axle-too-heavy', 'axles', `${loadColumns[tooHeavy]?.column.column} = ${loads[tooHeavy]}`)
    const weighed = loads.filter((load) => (load ?? 0) > 0).length
    const { axles = null, gross = null, sequence = null } = values
    if (axles !== null && loadColumns.length > 0 && weighed !== axles)
      return reject('axles-differ', 'axles', `${axles}, ${weighed}`)
    const sum = loads.reduce<number>((total, load) => total + (load ?? 0), 0)
    const tolerance = Math.max(MAX_SUM_DIFFERENCE.kg, (gross ?? 0) * MAX_SUM_DIFFERENCE.share)
    if (gross !== null && loads.length > 0 && Math.abs(sum - gross) > tolerance)
      return reject('gross-differs', 'gross', `${gross}, ${sum}`)

    return {
      vehicle: {
        station,
        lane,
        ...at,
        isHour: false,
        sequence: sequence === null || sequence < 1 ? null : sequence,
        // 0: not measured.
        speed: values.speed || null,
        length: values.length ?? null,
        height: values.height ?? null,
        ctg8p1: categoryOf(values.class ?? null, single.get('class')?.column.unit ?? null),
        gross,
        loads,
        gaps: loads.length > 0 ? Array.from({ length: loads.length - 1 }, (_, index) => gaps[index] ?? null) : [],
        plate: textOf('plate') || null,
        nationality: textOf('nationality') || null,
      },
    }
  }
}

/** Names of the values in measurements. */
const PATHS = {
  sequence: 'sequence',
  speed: 'speed',
  length: 'vehLength',
  height: 'vehHeight',
  class: 'ctg8p1',
  gross: 'gross',
  axles: 'axles',
} as const

type TimeRefusal = { code: 'invalid-date'; value: string }

/** The time of a row; null if it has none. */
function timeOf(
  textOf: (field: SingleField) => string,
  single: ReadonlyMap<SingleField, MappedColumn | undefined>,
): { at: number; isLocal: boolean } | TimeRefusal | null {
  if (single.get('dateTime')) {
    const text = textOf('dateTime')
    return parseDateTime(text, single.get('dateTime')?.column.unit ?? null) ?? { code: 'invalid-date', value: text }
  }
  const [date, time] = [textOf('date'), textOf('time')]
  const [day, clock] = [parseDate(date, single.get('date')?.column.unit ?? null), parseTime(time)]
  if (day === null || clock === null) return { code: 'invalid-date', value: `${date} ${time}` }
  return { at: day + clock, isLocal: true }
}

function categoryOf(value: number | null, unit: string | null): number {
  if (value === null) return 0
  return unit === 'swiss10' ? fromSwiss10(value) : unit === 'fhwa' ? fromFhwaClass(value) : value
}

/** Without the axles behind the last one that has a load. */
function trimEnd(loads: readonly (number | null)[]): (number | null)[] {
  const last = loads.findLastIndex((load) => (load ?? 0) > 0)
  return loads.slice(0, last + 1)
}
