import type { Language } from '@rogatka/contract/languages.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

const texts: Record<Language, typeof pl> = { pl, en, lt, de, ro }

/** The texts of messages to contacts and of the list export. */
export const wantedTexts = (language: Language): typeof pl => texts[language]
