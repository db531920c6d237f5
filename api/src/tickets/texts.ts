import type { Language } from '@rogatka/contract/languages.ts'
import type { Month } from '@rogatka/domain/tickets/downtime.ts'
import { createTexts } from '../core/texts.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

/** The texts of the monthly report and of automatic tickets. */
export const ticketTexts = createTexts('tickets', { pl, en, lt, de, ro })

/** The name of a month, stand-alone form. */
export const monthName = ({ year, month }: Month, language: Language): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(year, month - 1, 1))
