/** Upper case, without spaces and dashes of any kind; null when nothing is left. */
export const normalisePlate = (plate: string | null | undefined): string | null =>
  plate?.replace(/[\s\p{Pd}\u2212]/gu, '').toUpperCase() || null

/** A county of two or three letters, then four or five signs with a digit among them. */
const POLISH = /^[A-Z]{2,3}(?=[A-Z]*\d)[A-Z\d]{4,5}$/

/**
 * A normalised plate with the gaps that its country paints on it, for the eye: a Polish one after its county
 * (letters up to the first digit, at most three), a Czech one after its third sign, others where letters and
 * digits meet. One of no known country that has the Polish form is taken for Polish. A plate without both letters and
 * digits stays whole.
 */
export const displayPlate = (plate: string, nationality: string | null): string => {
  if (nationality === 'PL' || (nationality === null && POLISH.test(plate)))
    return plate.replace(/^([A-Z]{2,3})(?=[A-Z0-9]*\d)(.+)$/, '$1 $2')
  if (nationality === 'CZ' && plate.length === 7) return `${plate.slice(0, 3)} ${plate.slice(3)}`
  return plate.replace(/(?<=\d)(?=[A-Z])|(?<=[A-Z])(?=\d)/g, ' ')
}
