import { type Language, languages } from '@rogatka/contract/languages.ts'
import { readStored, writeStored } from './browserStorage.ts'
import { createStore, useStore } from './store.ts'

/** Where the browser stores the language, for all tabs. */
export const LANGUAGE_KEY = 'lang'

/** The stored language; pl if none or unknown. */
export const languageFrom = (stored: string | null): Language =>
  languages.find((language) => language === stored) ?? 'pl'

const language = createStore<Language>(languageFrom(readStored('local', LANGUAGE_KEY)))

export const currentLanguage = (): Language => language.get()
export const useLanguage = (): Language => useStore(language)
export const watchLanguage = language.subscribe

/** The texts follow once loaded (see i18n.ts). */
export function chooseLanguage(selected: Language): void {
  writeStored('local', LANGUAGE_KEY, selected)
  language.set(selected)
}
