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

/** Trigrams like pg_trgm: each word with two blanks before and one after. */
const trigrams = (text: string): Set<string> => {
  const found = new Set<string>()
  for (const word of text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)) {
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
  const a = trigrams(misreadForm(normalisePlate(one) ?? ''))
  const b = trigrams(misreadForm(normalisePlate(other) ?? ''))
  const shared = [...a].filter((trigram) => b.has(trigram)).length
  const all = a.size + b.size - shared
  return all === 0 ? 0 : shared / all
}

/** Whether the plate equals the pattern, both normalised; `*` stands for any characters, `?` for exactly one. */
const plateEquals = (plate: string, pattern: string): boolean => {
  const filter = normalisePlate(pattern) ?? ''
  const expression = filter
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 'u').test(normalisePlate(plate) ?? '')
}

/**
 * Whether a plate matches the filter. With a similarity (percent, over 0) by similarity; else equal except for
 * wildcards. A filter that is empty after normalising matches everything.
 */
export const plateMatches = (plate: string | null, filter: string | undefined, similarityPercent = 0): boolean => {
  const pattern = normalisePlate(filter)
  if (pattern === null) return true
  if (plate === null) return false
  return similarityPercent > 0
    ? plateSimilarity(plate, pattern.replace(/[*?]/g, '')) * 100 >= similarityPercent
    : plateEquals(plate, pattern)
}
