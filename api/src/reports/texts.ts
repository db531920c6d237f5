import type { Language } from '@rogatka/contract/languages.ts'
import type { Category, TimeClassCountry, Vehicle, Violation } from '@rogatka/contract/vehicle.ts'
import { categories, violations } from '@rogatka/contract/vehicle.ts'
import { formatHours, weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { createTexts } from '../core/texts.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

/** Texts shared by all reports: pages, criteria, and names of categories, violations and images. */
export const reportTexts = createTexts('reports', { pl, en, lt, de, ro })

/** The name of a category [8+1]; unclassified has one too. */
export const categoryName = (ctg8p1: number | null, language: Language): string =>
  reportTexts(language).categories[categories.find((one) => one === String(ctg8p1)) ?? ('lack' satisfies Category)]

/** The violations of a vehicle, in the contract's order. */
export const violationsOf = (vehicle: Pick<Vehicle, Violation>): Violation[] =>
  violations.filter((violation) => vehicle[violation])

/** Filters by hour, weekday, COST class and country as label and text; those that are not set are omitted. */
export function timeClassCountryCriteria(filters: TimeClassCountry, language: Language): [string, string][] {
  const { hours = [], weekdays = [], ctg323 = [], nationalities = [] } = filters
  const texts = reportTexts(language)['time-class-country']
  const dayNames = weekdayNames(language, 'long')
  const lines: [string, string][] = [
    [texts.hours, formatHours(hours)],
    [texts.weekdays, weekdays.map((weekday) => dayNames[weekday]).join(', ')],
    [texts.costClasses, ctg323.map((one) => (one === 0 ? texts.unclassified : one)).join(', ')],
    [texts.nationalities, nationalities.map((one) => (one === '-' ? texts['no-nationality'] : one)).join(', ')],
  ]
  return lines.filter(([, text]) => text !== '')
}
