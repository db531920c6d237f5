import type { Language } from '@rogatka/contract/languages.ts'
import type { Category, Vehicle, Violation } from '@rogatka/contract/vehicle.ts'
import { categories, violations } from '@rogatka/contract/vehicle.ts'
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
