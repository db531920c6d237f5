import { normalisePlate } from './plate.ts'

/**
 * Letters that cameras confuse with digits, and these digits in the same order; SQL uses them as translate(plate,
 * MISREAD_LETTERS, MISREAD_DIGITS).
 */
export const MISREAD_LETTERS = 'OIBSZ'
export const MISREAD_DIGITS = '01852'

/** Unifies characters of a plate that cameras confuse. */
export const misreadForm = (plate: string): string =>
  plate.replace(/[OIBSZ]/g, (letter) => MISREAD_DIGITS.charAt(MISREAD_LETTERS.indexOf(letter)))

type Trigrams = Set<string>

/** Trigrams like pg_trgm: each word with two blanks before and one after. */
const trigrams = (text: string): Trigrams => {
  const found: Trigrams = new Set()
  for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const padded = `  ${word} `
    for (let from = 0; from + 3 <= padded.length; from++) found.add(padded.slice(from, from + 3))
  }
  return found
}

/**
 * Similarity of two plates, 0 to 1: common trigrams over all trigrams, after unifying confused characters, so that live
 * list and database search find the same plates (docs/domain.md).
 */
export const plateSimilarity = (one: string, other: string): number => {
  const [a, b] = [one, other].map((plate) => trigrams(misreadForm(normalisePlate(plate) ?? ''))) as [Trigrams, Trigrams]
  const shared = [...a].filter((trigram) => b.has(trigram)).length
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

/** Whether the plate equals the pattern, both normalised; `*` stands for any characters, `?` for exactly one. */
const plateEquals = (plate: string, pattern: string): boolean => {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 'u').test(plate)
}

/**
 * Whether a plate matches the filter. With a similarity (percent, over 0) by similarity; else equal except for
 * wildcards. A filter that is empty after normalising matches everything.
 */
export const plateMatches = (plate: string | null, filter: string | undefined, similarityPercent = 0): boolean => {
  const pattern = normalisePlate(filter)
  if (pattern === null) return true
  const normalised = normalisePlate(plate)
  if (normalised === null) return false
  return similarityPercent > 0
    ? plateSimilarity(normalised, pattern.replace(/[*?]/g, '')) * 100 >= similarityPercent
    : plateEquals(normalised, pattern)
}
