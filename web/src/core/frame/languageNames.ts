import type { Language } from '@rogatka/contract/languages.ts'

/** Languages by their native names, in every interface language. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  pl: 'Polski',
  en: 'English',
  lt: 'Lietuvių',
  de: 'Deutsch',
  ro: 'Română',
}
