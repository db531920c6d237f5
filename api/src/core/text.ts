import type { Language } from '@rogatka/contract/languages.ts'

/** The text without NUL and unpaired surrogates, which PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

const MINUS = '\u2212'

type NumberFormat = { format: (value: number) => string }

const formats = new Map<string, NumberFormat>()

/** A cached number format with exactly `decimals` decimals and the sign of the screen; creating one is slow. */
export function numberFormat(language: Language, decimals = 0): NumberFormat {
  const key = `${language} ${decimals}`
  let format = formats.get(key)
  if (!format) {
    // Polish would not group four digits; in a column they must match their neighbours.
    const numbers = new Intl.NumberFormat(language, {
      useGrouping: 'always',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
      // None on what is rounded to zero.
      signDisplay: 'negative',
    })
    format = { format: (value) => numbers.format(value).replace('-', MINUS) }
    formats.set(key, format)
  }
  return format
}

/** Formats whole numbers without decimals, others with one, as the axes of charts. */
export const axisFormat =
  (language: Language) =>
  (figure: number): string =>
    numberFormat(language, Number.isInteger(figure) ? 0 : 1).format(figure)
