import type { Language } from '@rogatka/contract/languages.ts'
import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { currentLanguage, watchLanguage } from './language.ts'

export type Texts = Record<string, unknown>
type TextSources = Record<string, () => Promise<Texts>>

/** Texts of the layout (`core`), the components (`ui`) and the login with its second step, by path: one namespace per folder. */
const featureTexts: TextSources = import.meta.glob<Texts>('/src/{core,factors,session,ui}/{pl,en,lt,de,ro}.json', {
  import: 'default',
})

/** Adds where the texts of features are, which the login does not need. */
export const addTexts = (sources: TextSources): void => void Object.assign(featureTexts, sources)

const errorTexts: Record<Language, () => Promise<{ default: Texts }>> = {
  pl: () => import('@rogatka/contract/errors/pl.json'),
  en: () => import('@rogatka/contract/errors/en.json'),
  lt: () => import('@rogatka/contract/errors/lt.json'),
  de: () => import('@rogatka/contract/errors/de.json'),
  ro: () => import('@rogatka/contract/errors/ro.json'),
}

const FALLBACK: Language = 'pl'
/** Needed on every page; texts of errors follow once there can be errors. */
const ALWAYS_LOADED = ['core', 'ui']

const needed = new Set<string>()
const loaded = new Map<string, Promise<unknown>>()

/** Loads the texts of a feature in a language, once. */
function load(language: Language, feature: string): Promise<unknown> {
  const path = `/src/${feature}/${language}.json`
  const existing = loaded.get(path)
  if (existing) return existing
  const texts = feature === 'errors' ? errorTexts[language]().then((texts) => texts.default) : featureTexts[path]?.()
  const loading = Promise.resolve(texts).then((texts) =>
    i18next.addResourceBundle(language, feature, texts, true, true),
  )
  loaded.set(path, loading)
  loading.catch(() => loaded.delete(path))
  return loading
}

const loadAll = (language: Language) =>
  Promise.all([...needed].flatMap((feature) => [load(language, feature), load(FALLBACK, feature)]))

/** Loads the texts of features in the current language, and in every language selected later. */
export async function loadTexts(features: readonly string[]): Promise<void> {
  for (const feature of features) needed.add(feature)
  await loadAll(currentLanguage())
}

async function applyLanguage(language: Language): Promise<void> {
  await loadAll(language)
  if (language !== currentLanguage()) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}

/** Initialises i18next with the stored language and follows later changes. */
export async function initTexts(): Promise<void> {
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
  await loadTexts(ALWAYS_LOADED)
  await applyLanguage(currentLanguage())
  watchLanguage(() => void applyLanguage(currentLanguage()).catch(() => undefined))
}
