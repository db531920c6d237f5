import { countryOf, type Iso } from '../vehicle/country.ts'
import { latinForm } from '../vehicle/lookalikes.ts'
import { isIndividualPolish, isPolishArea } from './grammar.ts'

/*
 * Forms of a plate by which repeat offenders are recognised (docs/domain.md, Repeat offenders). Searches and wanted lists
 * have forms of their own.
 */

/**
 * Identity form: upper-case Latin letters and digits, without spaces, punctuation and accents, Cyrillic and Greek
 * look-alikes in Latin; null if nothing remains.
 */
export const identityForm = (plate: string | null): string | null => latinForm(plate ?? '') || null

/** Letters and the digits with which cameras confuse them. */
export const STRONG_PAIRS: Readonly<Record<string, string>> = {
  O: '0',
  Q: '0',
  D: '0',
  I: '1',
  B: '8',
  S: '5',
  Z: '2',
  G: '6',
}

/** Form with all characters of strong pairs as digits; equal for plates that differ only in these. */
export const foldOf = (form: string): string => form.replace(/[OQDIBSZG]/g, (letter) => STRONG_PAIRS[letter] as string)

/** Letters that digits of an area code are read as. */
const AREA_LETTERS: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', 8: 'B', 5: 'S', 2: 'Z', 6: 'G' }
/** Digits that letters after an area code are read as: Polish series do not contain these letters. */
const SERIES_DIGITS: Readonly<Record<string, string>> = { B: '8', D: '0', I: '1', O: '0', Z: '2' }
const AREA_LENGTHS = [2, 3]
/** Characters after the area code. */
const SERIES_LENGTHS = [4, 5]

const replaceBy = (text: string, table: Readonly<Record<string, string>>): string =>
  [...text].map((character) => table[character] ?? character).join('')

/**
 * The form that Polish grammar allows for a plate of Poland: digits of the area code as letters, letters that do not
 * occur after it as digits. The form itself if no reading has a known area code, if several different ones have, or if it
 * is an individual plate, which may contain them all.
 */
export function polishForm(form: string): string {
  if (isIndividualPolish(form)) return form
  const readings = new Set(
    AREA_LENGTHS.filter((length) => SERIES_LENGTHS.includes(form.length - length)).flatMap((length) => {
      const area = replaceBy(form.slice(0, length), AREA_LETTERS)
      return isPolishArea(area) ? [area + replaceBy(form.slice(length), SERIES_DIGITS)] : []
    }),
  )
  const [reading = form] = readings
  return readings.size === 1 ? reading : form
}

/** Plate as read, by which detections are counted. */
export type PlateIdentity = {
  /** Identity form. */
  form: string
  /** ISO 3166 code; null if unknown. */
  country: Iso | null
}

/** Identity of a plate; null without one. */
export function identityOf(plate: string | null, nationality: string | null): PlateIdentity | null {
  const form = identityForm(plate)
  return form === null ? null : { form, country: countryOf(nationality)?.iso ?? null }
}
