import type { Language } from '@rogatka/contract/languages.ts'
import type { Category, Vehicle, Violation } from '@rogatka/contract/vehicle.ts'
import { categories, violations } from '@rogatka/contract/vehicle.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

const wording: Record<Language, typeof pl> = { pl, en, lt, de, ro }

/** What reports of every room say: pages, criteria, and the names of categories, violations and pictures. */
export const reportTexts = (language: Language): typeof pl => wording[language]

/** A category [8+1] by name; what is not classified has a name too. */
export const categoryName = (ctg8p1: number | null, language: Language): string =>
  reportTexts(language).categories[categories.find((one) => one === String(ctg8p1)) ?? ('lack' satisfies Category)]

/** What a vehicle did wrong, in the contract's order. */
export const violationsOf = (vehicle: Pick<Vehicle, Violation>): Violation[] =>
  violations.filter((violation) => vehicle[violation])
