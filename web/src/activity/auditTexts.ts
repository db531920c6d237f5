import { rangeFields } from '@rogatka/contract/wire.ts'

/** `minSpeed`: bound and measure of a range; null for other fields. */
export function rangeOf(field: string): { end: 'min' | 'max'; measure: string } | null {
  const [, end, measure] = /^(min|max)([A-Z]\w+)$/.exec(field) ?? []
  const measureField = rangeFields.find((option) => option === measure)
  return measureField && (end === 'min' || end === 'max') ? { end, measure: measureField } : null
}

/** Field names of sort levels end with a number: `orderDirection2`. */
export function levelOf(field: string): { column: string; level: string } | null {
  const [, column, level] = /^(orderByColumnName|orderDirection)([1-3])$/.exec(field) ?? []
  return column && level ? { column, level } : null
}

const VIOLATIONS = ['overload', 'overheight', 'overspeed', 'overlane', 'wrongDirection']

/** Text key of a field, with namespace. Ranges additionally use `ui:min` or `ui:max`. */
export function fieldKey(field: string): string {
  const range = rangeOf(field)
  if (range) return `vehicle:sort-${range.measure[0]?.toLowerCase()}${range.measure.slice(1)}`
  if (VIOLATIONS.includes(field)) return `vehicle:violation-${field}`
  return `activity:field-${levelOf(field)?.column ?? field}`
}

/** Path segments to display; the prefix `search` of filters is omitted. */
export const displayedSegments = (path: string): string[] =>
  path.split('.').filter((part, at, { length }) => part !== 'search' || at === length - 1)
