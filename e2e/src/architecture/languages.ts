import { languages } from '@rogatka/contract/languages.ts'

type Texts = { [key: string]: string | Texts }

/** Plural ending of a key. */
export const PLURAL = /_(zero|one|two|few|many|other)$/

/** All texts by their dotted key. */
export const flat = (texts: Texts, above = ''): Map<string, string> =>
  new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[above + key, value] as const] : [...flat(value, `${above}${key}.`)],
    ),
  )

/** The plural forms that whole numbers need in a language. */
const pluralForms = (language: string): Set<string> => {
  const rules = new Intl.PluralRules(language)
  return new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)))
}

/** Names of the values in a text: `{{name}}`. */
export const placeholdersOf = (text: string): string[] =>
  Array.from(text.matchAll(/{{\s*-?\s*([\w.]+)/g), ([, name = '']) => name)

const placeholderList = (text: string): string => placeholdersOf(text).sort().join()

/**
 * Translation errors between the five languages of a feature: a key that one of them lacks, an empty text,
 * a plural form that the language needs, other placeholders than in Polish.
 */
export function translationErrors(byLanguage: Record<string, Texts>): string[] {
  const errors: string[] = []
  const all = new Map(languages.map((language) => [language, flat(byLanguage[language] ?? {})]))
  const keys = new Set([...all.values()].flatMap((texts) => [...texts.keys()].map((key) => key.replace(PLURAL, ''))))
  for (const key of keys) {
    const isPlural = [...all.values()].some((texts) => texts.has(`${key}_other`))
    const expected = placeholderList(all.get('pl')?.get(key) ?? '')
    for (const [language, texts] of all) {
      const needed = isPlural ? [...pluralForms(language)].map((form) => `${key}_${form}`) : [key]
      for (const name of needed) if (!texts.get(name)?.trim()) errors.push(`${language}: ${name} has no text`)
      const own = texts.get(key)
      if (!isPlural && own?.trim() && placeholderList(own) !== expected)
        errors.push(`${language}: ${key} has other {{…}} than pl`)
    }
  }
  return errors
}

/** The texts of a feature in each language. */
export type FeatureTexts = { feature: string; byLanguage: Record<string, Texts> }

/** `source`: the text as `Polish | English`; `error`: its translations into the language, each with its features and keys. */
export type Divergence = { language: string; source: string; error: string }

/**
 * Texts that are the same in Polish and in English, but not in every other language. All plural forms of a key are one text.
 */
export function divergingTexts(all: readonly FeatureTexts[]): Divergence[] {
  const texts = all.flatMap(({ feature, byLanguage }) => {
    const forms = languages.map((language) => [language, formsByKey(byLanguage[language] ?? {})] as const)
    const keys = [...(forms[0]?.[1].keys() ?? [])]
    return keys.map((key) => ({
      name: `${feature}:${key}`,
      in: Object.fromEntries(forms.map(([language, byKey]) => [language, byKey.get(key) ?? ''])),
    }))
  })
  return [...Map.groupBy(texts, (text) => `${text.in.pl} | ${text.in.en}`)].flatMap(([source, same]) =>
    languages.flatMap((language) => {
      const translations = [...Map.groupBy(same, (text) => text.in[language])]
      if (translations.length === 1) return []
      const listed = translations.map(([text, uses]) => `${text} (${uses.map(({ name }) => name).join(', ')})`)
      return [{ language, source, error: `${language}: ${source}: ${listed.join(', ')}` }]
    }),
  )
}

/** Texts by key without its plural ending, with their forms separated by slashes. */
const formsByKey = (texts: Texts): Map<string, string> =>
  new Map(
    [...Map.groupBy(flat(texts), ([key]) => key.replace(PLURAL, ''))].map(([key, forms]) => [
      key,
      forms.map(([, text]) => text).join(' / '),
    ]),
  )
