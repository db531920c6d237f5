const WITH_NATIONALITY = /^(.*):\s*([a-z]{0,3})\s*$/isu

/** A plate with its nationality as sent, which may be empty: `WGM4K281:PL`. */
export const readingText = (plate: string, nationality: string): string => `${plate}:${nationality}`

/** The plate and its nationality as sent, empty for none; null without one: any. */
export function splitReading(text: string): [plate: string, nationality: string | null] {
  const [, plate, nationality] = WITH_NATIONALITY.exec(text) ?? []
  return plate === undefined || nationality === undefined ? [text, null] : [plate, nationality.toUpperCase()]
}
