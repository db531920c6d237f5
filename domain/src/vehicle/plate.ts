/** Upper case, without spaces and dashes; null if empty. */
export const normalisePlate = (plate: string | null | undefined): string | null =>
  plate?.replace(/[\s\p{Pd}\u2212]/gu, '').toUpperCase() || null

/** County of two or three letters, then four or five characters with a digit. */
const POLISH = /^[A-Z]{2,3}(?=[A-Z]*\d)[A-Z\d]{4,5}$/

/** A Polish plate in a text, with or without a gap, in upper case as on the plate: other words have digits, too. */
const POLISH_IN_TEXT = /(?<![\p{L}\d])[A-Z]{2,3}[\s-]?(?=[A-Z]*\d)[A-Z\d]{4,5}(?![\p{L}\d])/gu

/** A text with an ellipsis instead of each Polish plate. */
export const maskPlates = (text: string): string => text.replace(POLISH_IN_TEXT, '…')

/**
 * Formats a normalised plate with the gaps of its country: Polish after the county (letters up to the first digit, at
 * most three), Czech after the third character, others between letters and digits. Plates of unknown country in Polish
 * form count as Polish. A plate of only letters or only digits stays whole.
 */
export const displayPlate = (plate: string, nationality: string | null): string => {
  if (nationality === 'PL' || (nationality === null && POLISH.test(plate)))
    return plate.replace(/^([A-Z]{2,3})(?=[A-Z0-9]*\d)/, '$1 ')
  if (nationality === 'CZ' && plate.length === 7) return `${plate.slice(0, 3)} ${plate.slice(3)}`
  return plate.replace(/(?<=\d)(?=[A-Z])|(?<=[A-Z])(?=\d)/g, ' ')
}
