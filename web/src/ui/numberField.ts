/** Parses a typed number: decimal comma or point, spaces anywhere. Null if empty, undefined if not a number. */
export function parseNumber(text: string): number | null | undefined {
  const plain = text.replace(/\s/g, '').replace(',', '.')
  if (plain === '') return null
  return /^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : undefined
}

/** Formats a number for a field: at most this many decimals, decimal comma except in English. */
export function formatField(value: number | null | undefined, decimals: number, language: string): string {
  if (value === null || value === undefined) return ''
  const text = String(Number(value.toFixed(decimals)))
  return language === 'en' ? text : text.replace('.', ',')
}
