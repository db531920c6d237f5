import type { Period } from './search.ts'

/**
 * Rows of a station: figures and categories 70, hours of the week 168, speeds about 110, headways 48, gross weights about 50,
 * axle loads about 250.
 */
const ROWS_OF_STATION = 700
/** Equivalent axles, their shares, and the factor of a month. */
const ROWS_OF_MONTH = 5
const ROUNDED_TO = 100

const monthOf = (day: string) => 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7))

/** Rows of the file of traffic figures, estimated. */
export function figureRows(stations: number, { from, until }: Period): number {
  const months = monthOf(until) - monthOf(from) + 1
  return Math.round((stations * (ROWS_OF_STATION + ROWS_OF_MONTH * months)) / ROUNDED_TO) * ROUNDED_TO
}
