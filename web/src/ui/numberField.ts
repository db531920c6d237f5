/** Parses a typed number: decimal comma or point, spaces anywhere. Null if empty, undefined if not a number. */
export function parseNumber(text: string): number | null | undefined {
  const normalised = text.replace(/\s/g, '').replace(',', '.')
  if (normalised === '') return null
  return /^\d+(\.\d*)?$|^\.\d+$/.test(normalised) ? Number(normalised) : undefined
}

/** Formats a number for a field: at most this many decimals, decimal comma except in English. */
export function formatField(value: number | null | undefined, decimals: number, language: string): string {
  if (value === null || value === undefined) return ''
  const text = String(Number(value.toFixed(decimals)))
  return language === 'en' ? text : text.replace('.', ',')
}
