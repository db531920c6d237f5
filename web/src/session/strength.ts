import type { OptionsType } from '@zxcvbn-ts/core'

export type Strength = 'weak' | 'medium' | 'strong'

/**
 * Meaning of zxcvbn scores: up to 2 a word and a little more, 3 resists online guessing, 4 also a stolen hash
 * (docs/decisions/040-client-side-password-strength.md).
 */
export const strengthOf = (score: number): Strength => (score <= 2 ? 'weak' : score === 3 ? 'medium' : 'strong')

/** The run time grows with the length: only this many characters count. */
const JUDGED = 32

type Texts = Pick<OptionsType, 'dictionary'>

/** Dictionary of a language; the English one for languages without. */
const texts: Record<string, () => Promise<Texts>> = {
  pl: () => import('@zxcvbn-ts/language-pl'),
  de: () => import('@zxcvbn-ts/language-de'),
  en: () => import('@zxcvbn-ts/language-en'),
}

/** Rates a password; personal data of the user (`own`) makes it weaker. */
type Judge = (password: string, own: readonly string[]) => Strength

/** Loads zxcvbn with the dictionary of a language: almost 1 MB, only for these pages. */
export async function loadJudge(language: string): Promise<Judge> {
  const load = texts[language] ?? texts.en
  const [{ ZxcvbnFactory }, common, spoken] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    load?.(),
  ])
  const zxcvbn = new ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...spoken?.dictionary },
    graphs: common.adjacencyGraphs,
  })
  return (password, own) => strengthOf(zxcvbn.check(password.slice(0, JUDGED), [...own]).score)
}
