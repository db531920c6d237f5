import type { Language } from '@rogatka/contract/languages.ts'

/** A language is found by its own name, whatever language the screen speaks. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  pl: 'Polski',
  en: 'English',
  lt: 'Lietuvių',
  de: 'Deutsch',
  ro: 'Română',
}
