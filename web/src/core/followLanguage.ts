import { readStored } from './browserStorage.ts'
import { chooseLanguage, LANGUAGE_KEY, languageFrom } from './language.ts'

/** Follows changes of the language in other tabs. */
export const followLanguage = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === null || key === LANGUAGE_KEY) chooseLanguage(languageFrom(readStored('local', LANGUAGE_KEY)))
  })
