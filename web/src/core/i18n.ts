import type { Language } from '@rogatka/contract/languages.ts'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { currentLanguage, watchLanguage } from './language.ts'

type Texts = Record<string, unknown>

/** Texts of every feature, of the layout (`core`) and of the components (`ui`): one namespace per folder. */
const rooms = import.meta.glob<Texts>('/src/*/{pl,en,lt,de,ro}.json', { import: 'default' })

const errors: Record<Language, () => Promise<{ default: Texts }>> = {
  pl: () => import('@rogatka/contract/errors/pl.json'),
  en: () => import('@rogatka/contract/errors/en.json'),
  lt: () => import('@rogatka/contract/errors/lt.json'),
  de: () => import('@rogatka/contract/errors/de.json'),
  ro: () => import('@rogatka/contract/errors/ro.json'),
}

const FALLBACK: Language = 'pl'
/** Needed on every page. */
const ALWAYS = ['core', 'ui', 'errors']

const needed = new Set<string>()
const loaded = new Map<string, Promise<unknown>>()

/** Loads the texts of a feature in a language, once. */
function load(language: Language, room: string): Promise<unknown> {
  const path = `/src/${room}/${language}.json`
  const known = loaded.get(path)
  if (known) return known
  const texts = room === 'errors' ? errors[language]().then((words) => words.default) : rooms[path]?.()
  const loading = Promise.resolve(texts).then((words) => i18next.addResourceBundle(language, room, words, true, true))
  loaded.set(path, loading)
  loading.catch(() => loaded.delete(path))
  return loading
}

const loadAll = (language: Language) =>
  Promise.all([...needed].flatMap((room) => [load(language, room), load(FALLBACK, room)]))

/** Loads the texts of features in the current language, and in every language selected later. */
export async function loadTexts(ofRooms: readonly string[]): Promise<void> {
  for (const room of ofRooms) needed.add(room)
  await loadAll(currentLanguage())
}

async function speak(language: Language): Promise<void> {
  await loadAll(language)
  if (language !== currentLanguage()) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** Initialises i18next with the stored language and follows later changes. */
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
  await loadTexts(ALWAYS)
  await speak(currentLanguage())
  watchLanguage(() => void speak(currentLanguage()).catch(() => undefined))
}
