import type { Language } from '@rogatka/contract/languages.ts'
import type { Division, StatName } from '@rogatka/contract/statistics.ts'
import type { Category, Violation } from '@rogatka/contract/vehicle.ts'
import { figureTexts } from '@rogatka/domain/statistics/figures.ts'
import type { Resolution } from '@rogatka/domain/statistics/periods.ts'
import { OVERSPEED_RANGES, OVERSPEED_STEP, SPEED_STEPS } from '@rogatka/domain/statistics/ranges.ts'
import { UNKNOWN } from '@rogatka/domain/statistics/series.ts'
import { interpolate, numberFormat } from '../core/text.ts'
import { reportTexts } from '../reports/public-api.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

const wording: Record<Language, typeof pl> = { pl, en, lt, de, ro }

/** What charts, tables and reports of statistics say. */
export const statisticTexts = (language: Language): typeof pl => wording[language]

/** A series of a division by name; the value is the one that travels. */
export function seriesName(division: Division, value: string, language: Language): string {
  const words = statisticTexts(language)
  const range = Number(value)
  switch (division) {
    case 'lane':
      return interpolate(words.lane, { lane: value })
    case 'category':
      return reportTexts(language).categories[value as Category] ?? value
    case 'violation':
      return reportTexts(language).violations[value as Violation]
    case 'speedRange': {
      if (value === UNKNOWN) return words['speed-unknown']
      const [from, to] = [SPEED_STEPS[range - 2], SPEED_STEPS[range - 1]]
      if (from === undefined) return interpolate(words['speed-below'], { to: String(to) })
      if (to === undefined) return interpolate(words['speed-above'], { from: String(from) })
      return interpolate(words['speed-between'], { from: String(from), to: String(to - 1) })
    }
    case 'overSpeed': {
      if (range === 0) return words['over-none']
      const from = (range - 1) * OVERSPEED_STEP
      if (range === OVERSPEED_RANGES) return interpolate(words['over-above'], { from: String(from) })
      return interpolate(words['over-between'], { from: String(from + 1), to: String(from + OVERSPEED_STEP) })
    }
  }
}

/** What the column at the right holds: sums of what adds up, else the same figure of all vehicles together. */
export const sumName = (statName: StatName, language: Language): string => {
  const words = statisticTexts(language)
  return statName === 'traffic' ? words.sum : words.all
}

/** `10 min` */
export const resolutionName = ({ unit, value }: Resolution, language: Language): string =>
  `${value} ${statisticTexts(language).units[unit]}`

/** Figures of a statistic for people. */
export const formatFigures = (statName: StatName, language: Language) =>
  figureTexts(statName, (value, decimals) => numberFormat(language, decimals).format(value))
