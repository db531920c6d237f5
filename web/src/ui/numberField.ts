/** A number as it is typed: decimal comma or point, spaces anywhere. Null when empty, undefined when it is none. */
export function parseNumber(text: string): number | null | undefined {
  const plain = text.replace(/\s/g, '').replace(',', '.')
  if (plain === '') return null
  return /^\d+(\.\d*)?$|^\.\d+$/.test(plain) ? Number(plain) : undefined
}

/** A number as it stands in a field: at most so many decimals, with the comma of the language. */
export function formatField(value: number | null | undefined, decimals: number, language: string): string {
  if (value === null || value === undefined) return ''
  const text = String(Number(value.toFixed(decimals)))
  return language === 'en' ? text : text.replace('.', ',')
}
