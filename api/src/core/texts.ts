import { type Language, languages } from '@rogatka/contract/languages.ts'
import { createInstance, type FormatterModule } from 'i18next'
import { numberFormat } from './text.ts'

/** Groups digits of numbers as usual in the language. */
const formatter: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value, _format, language) =>
    typeof value === 'number' ? numberFormat(language as Language).format(value) : value,
}

const engine = createInstance()
await engine.use(formatter).init({
  resources: {},
  fallbackLng: false,
  interpolation: { escapeValue: false, alwaysFormat: true },
})

type PluralSuffix = `_${Intl.LDMLPluralRule}`
type WithoutSuffix<Key> = Key extends `${infer Base}${PluralSuffix}` ? Base : Key

/** The path of each text, with dots; plural forms of a text share one. */
type TextKey<Texts> = {
  [Key in keyof Texts & string]: Texts[Key] extends string
    ? WithoutSuffix<Key>
    : Texts[Key] extends readonly string[]
      ? `${Key}.${number}`
      : `${Key}.${TextKey<Texts[Key]>}`
}[keyof Texts & string]

/** Plural forms differ between languages; a repository test compares all other keys. */
type TranslatedTexts<Texts> = {
  [Key in keyof Texts as Key extends `${string}${PluralSuffix}` ? never : Key]: Texts[Key] extends object
    ? Texts[Key] extends readonly string[]
      ? readonly string[]
      : TranslatedTexts<Texts[Key]>
    : string
}

type Values = Record<string, string | number>

/** Returns the texts of a language; `format` fills the `{{values}}` of one, whose plural form is that of `count`. */
export type FeatureTexts<Texts> = ((language: Language) => TranslatedTexts<Texts>) & {
  format: (language: Language, key: TextKey<Texts>, values: Values) => string
}

/** Registers the texts of a feature in i18next, in all languages. `pl` has all keys. */
export function createTexts<Texts extends object>(
  namespace: string,
  byLanguage: { pl: Texts } & Record<Language, TranslatedTexts<Texts>>,
): FeatureTexts<Texts> {
  for (const language of languages) engine.addResourceBundle(language, namespace, byLanguage[language])
  return Object.assign((language: Language) => byLanguage[language], {
    format: (language: Language, key: TextKey<Texts>, values: Values): string =>
      engine.t(key as string, { ...values, lng: language, ns: namespace }),
  })
}
