import type { OptionsType } from '@zxcvbn-ts/core'

export type Strength = 'weak' | 'medium' | 'strong'

/**
 * Meaning of zxcvbn scores: up to 2 a word and a little more, 3 resists online guessing, 4 also a stolen hash
 * (docs/decisions/040-client-side-password-strength.md).
 */
export const strengthOf = (score: number): Strength => (score <= 2 ? 'weak' : score === 3 ? 'medium' : 'strong')

/** The run time grows with the length: only this many characters count. */
const MAX_RATED_LENGTH = 32

type Dictionary = Pick<OptionsType, 'dictionary'>

/** Dictionary of a language; the English one for languages without. */
const dictionaries: Record<string, () => Promise<Dictionary>> = {
  pl: () => import('@zxcvbn-ts/language-pl'),
  de: () => import('@zxcvbn-ts/language-de'),
  en: () => import('@zxcvbn-ts/language-en'),
}

/** Rates a password; personal data of the user makes it weaker. */
type RatePassword = (password: string, personalData: readonly string[]) => Strength

/** Loads zxcvbn with the dictionary of a language: almost 1 MB, only for these pages. */
export async function loadPasswordRating(language: string): Promise<RatePassword> {
  const load = dictionaries[language] ?? dictionaries.en
  const [{ ZxcvbnFactory }, common, dictionary] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    load?.(),
  ])
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...dictionary?.dictionary },
    graphs: common.adjacencyGraphs,
  })
  return (password, personalData) =>
    strengthOf(zxcvbn.check(password.slice(0, MAX_RATED_LENGTH), [...personalData]).score)
}
