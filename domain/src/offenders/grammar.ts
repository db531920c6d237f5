import type { Iso } from '../vehicle/country.ts'
import areaCodes from './areaCodes-pl.json' with { type: 'json' }

/*
 * Formats of registration plates by country, without gaps and accents (docs/domain.md, Repeat offenders). They accept more
 * than is issued: a plate outside them is misread, or of a rare kind.
 */

/** Area codes of Poland; the keys of the file are the letters of the voivodeships. */
const polishAreas = new Set(
  Object.entries(areaCodes).flatMap(([letter, rest]) => rest.split(' ').map((code) => letter + code)),
)

export const isPolishArea = (code: string): boolean => polishAreas.has(code)

/** Letter of the voivodeship, a digit, and three to five characters of choice, of which the last two may be digits. */
const INDIVIDUAL_POLISH = /^[A-Z]\d[A-Z]{1,3}[A-Z\d]{2}$/

export const isIndividualPolish = (form: string): boolean => INDIVIDUAL_POLISH.test(form)

/** Series: `9` a digit, `A` a letter other than B, D, I, O, Q and Z. */
const seriesOf = (...series: string[]): RegExp =>
  new RegExp(`^(${series.map((one) => one.replaceAll('9', '\\d').replaceAll('A', '[ACE-HJ-NPR-Y]')).join('|')})$`)

/** Series after area codes of two and of three letters. */
const POLISH_SERIES: readonly [areaLength: number, RegExp][] = [
  [2, seriesOf('99999', '9999A', '999AA', '9A999', '9AA99')],
  [3, seriesOf('A999', '99AA', '9A99', '99A9', '9AA9', 'AA99', '99999', '9999A', '999AA', '9A999', '9AA99')],
]

const isPolish = (form: string): boolean =>
  isIndividualPolish(form) ||
  POLISH_SERIES.some(
    ([areaLength, series]) => series.test(form.slice(areaLength)) && isPolishArea(form.slice(0, areaLength)),
  )

const FORMATS: Partial<Record<Iso, RegExp>> = {
  CZ: /^(\d[A-Z][A-Z\d]\d{4}|[A-Z]{2,3}\d{4})$/,
  DE: /^(?=.{3,8}$)[A-Z]{2,5}\d{1,4}[EH]?$/,
  EE: /^\d{3}[A-Z]{3}$/,
  LT: /^[A-Z]{3}\d{3}$/,
  LV: /^[A-Z]{2}\d{1,4}$/,
  RO: /^(B\d{2,3}|[A-Z]{2}\d{2})[A-Z]{3}$/,
  SK: /^[A-Z]{2}\d{3}[A-Z]{2}$/,
  UA: /^[ABCEHIKMOPTX]{2}\d{4}[ABCEHIKMOPTX]{2}$/,
}

/** Whether a form has a format of its country; null for a country without a grammar. */
export function isWellFormed(form: string, country: Iso | null): boolean | null {
  if (country === 'PL') return isPolish(form)
  return (country && FORMATS[country]?.test(form)) ?? null
}
