import { normalisePlate } from './plate.ts'

/** Letters that cameras mistake for digits, each above its digit; SQL reads them as translate(plate, LETTERS, DIGITS). */
export const MISREAD_LETTERS = 'OIBSZ'
export const MISREAD_DIGITS = '01852'

/** The plate with characters that cameras confuse made equal. */
export const misreadForm = (plate: string): string =>
  plate.replace(/[OIBSZ]/g, (letter) => MISREAD_DIGITS.charAt(MISREAD_LETTERS.indexOf(letter)))

/** Trigrams as PostgreSQL's pg_trgm counts them: each word with two blanks before and one after. */
const trigrams = (text: string): Set<string> => {
  const found = new Set<string>()
  for (const word of text.split(/[^\p{L}\p{N}]+/u).filter(Boolean)) {
    const padded = `  ${word} `
    for (let from = 0; from + 3 <= padded.length; from++) found.add(padded.slice(from, from + 3))
  }
  return found
}

/**
 * Likeness of two plates, 0 to 1: shared trigrams over all trigrams, after misread characters are made equal,
 * so that the live list and a search in the database find the same plates (docs/domain.md).
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
  const wanted = normalisePlate(pattern) ?? ''
  const expression = wanted
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${expression}$`, 'u').test(normalisePlate(plate) ?? '')
}

/**
 * Whether a vehicle's plate meets the filter. With a similarity (percent, over 0) the plates need only be alike
 * so much; else they must be equal but for wildcards. A filter that is empty after normalising asks nothing.
 */
export const plateMatches = (plate: string | null, wanted: string | undefined, similarityPercent = 0): boolean => {
  const pattern = normalisePlate(wanted)
  if (pattern === null) return true
  if (plate === null) return false
  return similarityPercent > 0
    ? plateSimilarity(plate, pattern.replace(/[*?]/g, '')) * 100 >= similarityPercent
    : plateEquals(plate, pattern)
}
