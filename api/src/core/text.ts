import type { Language } from '@rogatka/contract/languages.ts'

/** The text as PostgreSQL can keep it: no NUL, no half of a character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** The text with each `{{name}}` replaced; numbers are grouped as the language does. */
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

/** Making one is slow, so each is made once. With just so many decimals. */
export function numberFormat(language: Language, decimals = 0): Intl.NumberFormat {
  const key = `${language} ${decimals}`
  let format = formats.get(key)
  if (!format) {
    // Polish would leave four digits together; in a column they have to look like their neighbours.
    format = new Intl.NumberFormat(language, {
      useGrouping: 'always',
      minimumFractionDigits: decimals,
      maximumFractionDigits: decimals,
    })
    formats.set(key, format)
  }
  return format
}
