import { STRONG_PAIRS } from '../offenders/identity.ts'
import { countryOf } from '../vehicle/country.ts'
import { normalisePlate } from '../vehicle/plate.ts'
import { readingText } from '../vehicle/reading.ts'

/*
 * The history of a plate: its detections, and those of readings that a camera probably made of it (docs/domain.md,
 * History of a plate).
 */

/** A character that cameras confuse counts as this share of a wrong one. */
const CONFUSED = 0.3
/** Readings that are less alike, in percent, are not listed. */
export const MIN_LIKENESS = 90

const digitOf = (character: string) => STRONG_PAIRS[character] ?? character

/** What cameras read in place of a character, without itself. */
function confusedWith(character: string): string[] {
  const digit = digitOf(character)
  const letters = Object.keys(STRONG_PAIRS).filter((letter) => STRONG_PAIRS[letter] === digit)
  return letters.length > 0 ? [digit, ...letters].filter((other) => other !== character) : []
}

/**
 * Likely readings of a plate, itself included, with their likeness in percent: 100 less the share of confused
 * characters, each of which counts as 0.3. Empty without a plate.
 */
export function likelyReadings(plate: string): Map<string, number> {
  const own = normalisePlate(plate)
  const found = new Map<string, number>()
  if (own === null) return found
  const characters = [...own]
  const likenessOf = (confused: number) => 100 - (100 * CONFUSED * confused) / characters.length
  let readings: { text: string[]; from: number }[] = [{ text: characters, from: 0 }]
  for (let confused = 0; readings.length > 0 && likenessOf(confused) >= MIN_LIKENESS; confused++) {
    for (const { text } of readings) found.set(text.join(''), Math.round(likenessOf(confused)))
    readings = readings.flatMap(({ text, from }) =>
      text.flatMap((character, at) =>
        at < from ? [] : confusedWith(character).map((other) => ({ text: text.with(at, other), from: at + 1 })),
      ),
    )
  }
  return found
}

/**
 * The readings of a plate as a search of the archive has them. One of a country is no reading of a plate of another
 * country, but may be one of unknown country.
 */
export function searchedReadings(plate: string, nationality: string | null): string[] {
  const readings = [...likelyReadings(plate).keys()]
  if (!nationality || !countryOf(nationality)) return readings
  return readings.flatMap((reading) => [readingText(reading, nationality), readingText(reading, '')])
}
