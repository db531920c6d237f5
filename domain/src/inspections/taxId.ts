const WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7]

/** Polish tax number (NIP) of ten digits with a valid check digit. */
export function isValidNip(digits: string): boolean {
  if (!/^\d{10}$/.test(digits)) return false
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(digits[at]), 0)
  return sum % 11 === Number(digits[9])
}

/**
 * A tax number without separators, in upper case; a Polish one without its prefix. Null if it is a Polish one (ten
 * digits, or with PL) whose check digit is wrong; foreign ones are not checked.
 */
export function parseTaxId(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s.-]/g, '')
  const polish = /^(?:PL)?(\d{10})$/.exec(plain)?.[1]
  if (polish !== undefined) return isValidNip(polish) ? polish : null
  return plain.startsWith('PL') || plain === '' ? null : plain
}
