/** Letters without accents, in lower case: `Zażółć` is `zazolc`. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').replace(/[łŁ]/g, 'l').toLowerCase()

/** Shorter names occur in other words by chance. */
const MIN_NAME = 4
/** Letters and digits that a password must have besides names. */
const MIN_REST = 6

let commonPasswords: Promise<Set<string>> | undefined

/** 49,000 passwords by frequency in leaks, in lower case; loaded with the first new password. */
function loadCommon(): Promise<Set<string>> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map(String)),
  )
  return commonPasswords
}

/** Without digits and punctuation around: `2026-Monkey!` is `monkey`. */
const trimNonLetters = (password: string): string => password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')

/** Whether a password is among the common ones, also with digits and punctuation around. */
export async function isCommon(password: string): Promise<boolean> {
  const common = await loadCommon()
  const folded = fold(password)
  return common.has(folded) || common.has(trimNonLetters(folded))
}

/**
 * Whether little but these names is left of a password: what remains without them is short or common. Names may be texts
 * with several words.
 */
export async function isMadeOfNames(password: string, names: readonly (string | null | undefined)[]): Promise<boolean> {
  const words = names
    .flatMap((name) => fold(name ?? '').split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= MIN_NAME)
    .toSorted((a, b) => b.length - a.length)
  const folded = fold(password)
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), folded)
  if (rest === folded) return false
  const letters = rest.replace(/[^\p{L}\p{N}]/gu, '')
  return letters.length < MIN_REST || isCommon(letters)
}
