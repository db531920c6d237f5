/** [start, end) in a text. */
export type Range = readonly [start: number, end: number]

/** `rank`: 0 the text begins with the search, 1 one of its words does, 2 it is within a word. */
export type Match = { rank: number; ranges: Range[] }

/** Letters that do not decompose into a base letter and a mark. */
const BASE_LETTERS: Record<string, string> = { ł: 'l', ø: 'o', đ: 'd', ß: 's', æ: 'a', œ: 'o', ı: 'i' }

const plainCharacter = (character: string) => {
  const base = character.normalize('NFD').charAt(0).toLowerCase()
  return BASE_LETTERS[base] ?? base
}

/** Lower case without diacritics; of the same length if the text is composed (NFC). */
const plainText = (text: string) =>
  Array.from({ length: text.length }, (_, at) => plainCharacter(text[at] ?? '')).join('')

const isWordStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')

/** Index of a word in a text: at its start, else at the start of a word, else anywhere; -1 if it is not there. */
function indexOfWord(text: string, word: string): number {
  const first = text.indexOf(word)
  for (let at = first; at >= 0; at = text.indexOf(word, at + 1)) if (isWordStart(text, at)) return at
  return first
}

/**
 * Finds all words of a search in a label or in its further terms, regardless of case and diacritics; null unless each is
 * found. The ranges are those of the label.
 */
export function findMatch(search: string, label: string, terms = ''): Match | null {
  const words = plainText(search.normalize('NFC')).split(/\s+/).filter(Boolean)
  const text = plainText(`${label}\n${terms}`)
  const matches = words.map((word) => ({ at: indexOfWord(text, word), length: word.length }))
  if (matches.some(({ at }) => at < 0)) return null
  const rank = Math.max(0, ...matches.map(({ at }) => (isWordStart(text, at) ? Number(at > 0) : 2)))
  const ranges = matches.flatMap(({ at, length }): Range[] => {
    const end = Math.min(at + length, label.length)
    return at < end ? [[at, end]] : []
  })
  return { rank, ranges: mergeRanges(ranges) }
}

/** The same ranges in order, without overlaps. */
function mergeRanges(ranges: readonly Range[]): Range[] {
  const result: Range[] = []
  for (const [start, end] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last && start <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)]
    else result.push([start, end])
  }
  return result
}
