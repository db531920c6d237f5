import type { Language } from '@rogatka/contract/languages.ts'

/** The text without NUL and unpaired surrogates, which PostgreSQL cannot store. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Replaces each `{{name}}`; numbers are grouped as in the language. */
export const interpolate = (
  text: string,
  values: Record<string, string | number> = {},
  language: Language = 'pl',
): string =>
  text.replace(/\{\{(\w+)\}\}/g, (place, name: string) => {
    const value = values[name]
    return typeof value === 'number' ? numberFormat(language).format(value) : (value ?? place)
  })

const formats = new Map<string, Intl.NumberFormat>()

/** A cached number format with exactly `decimals` decimals; creating one is slow. */
export function numberFormat(language: Language, decimals = 0): Intl.NumberFormat {
  const key = `${language} ${decimals}`
  let format = formats.get(key)
  if (!format) {
    // Polish would not group four digits; in a column they must match their neighbours.
    format = new Intl.NumberFormat(language, {
      useGrouping: 'always',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    formats.set(key, format)
  }
  return format
}
