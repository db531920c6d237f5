import type { Language } from '@rogatka/contract/languages.ts'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { currentLanguage, watchLanguage } from './language.ts'

type Texts = Record<string, unknown>
type Load = () => Promise<Texts>

/** The words of every room, of the frame (`core`) and of the pieces (`ui`): one namespace a folder. */
const rooms = import.meta.glob<Texts>('/src/*/{pl,en,lt,de,ro}.json', { import: 'default' })

const errors: Record<Language, () => Promise<{ default: Texts }>> = {
  pl: () => import('@rogatka/contract/errors/pl.json'),
  en: () => import('@rogatka/contract/errors/en.json'),
  lt: () => import('@rogatka/contract/errors/lt.json'),
  de: () => import('@rogatka/contract/errors/de.json'),
  ro: () => import('@rogatka/contract/errors/ro.json'),
}

const FALLBACK: Language = 'pl'
const loaded = new Map<Language, Promise<unknown>>()

/** Loads all words of a language, once. */
function load(language: Language): Promise<unknown> {
  const known = loaded.get(language)
  if (known) return known
  const ofRooms = Object.entries(rooms).flatMap(([path, texts]: [string, Load]) => {
    const [, namespace = '', of] = /([^/]+)\/(\w+)\.json$/.exec(path) ?? []
    return of === language ? [texts().then((words) => add(language, namespace, words))] : []
  })
  const ofErrors = errors[language]().then((words) => add(language, 'errors', words.default))
  const loading = Promise.all([...ofRooms, ofErrors])
  loaded.set(language, loading)
  loading.catch(() => loaded.delete(language))
  return loading
}

const add = (language: Language, namespace: string, words: Texts) =>
  i18next.addResourceBundle(language, namespace, words, true, true)

async function speak(language: Language): Promise<void> {
  await Promise.all([load(language), load(FALLBACK)])
  if (language !== currentLanguage()) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** Loads the words of the kept language; later choices follow by themselves. */
export async function startTexts(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: currentLanguage(),
    fallbackLng: FALLBACK,
    resources: {},
    defaultNS: 'core',
    keySeparator: false,
    nsSeparator: ':',
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
    saveMissing: true,
    missingKeyHandler: (_languages, namespace, key) => console.error(`No text for ${namespace}:${key}`),
  })
  await speak(currentLanguage())
  watchLanguage(() => void speak(currentLanguage()).catch(() => undefined))
}
