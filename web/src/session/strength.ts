import type { OptionsType } from '@zxcvbn-ts/core'

export type Strength = 'weak' | 'medium' | 'strong'

/**
 * What zxcvbn's scores mean here: up to 2 a password is a word and a little more, 3 withstands guessing at the login,
 * 4 a stolen hash too (docs/decisions/040-client-side-password-strength.md).
 */
export const strengthOf = (score: number): Strength => (score <= 2 ? 'weak' : score === 3 ? 'medium' : 'strong')

/** The time that judging takes grows with the length: of longer passwords the beginning counts. */
const JUDGED = 32

type Texts = Pick<OptionsType, 'dictionary'>

/** Words of a language that people build passwords from; of languages without a list, the English ones. */
const texts: Record<string, () => Promise<Texts>> = {
  pl: () => import('@zxcvbn-ts/language-pl'),
  de: () => import('@zxcvbn-ts/language-de'),
  en: () => import('@zxcvbn-ts/language-en'),
}

/** Judges a password; what the attacker may know of its owner (`own`) makes it weaker. */
type Judge = (password: string, own: readonly string[]) => Strength

/** Fetches the judge with the words of a language: most of a megabyte that only these pages need. */
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
