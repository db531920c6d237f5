import type { Language } from '@rogatka/contract/languages.ts'
import type { Division, StatName } from '@rogatka/contract/options.ts'
import type { Category, Violation } from '@rogatka/contract/vehicle.ts'
import { figureFormats } from '@rogatka/domain/statistics/figures.ts'
import type { Resolution } from '@rogatka/domain/statistics/periods.ts'
import { OVERSPEED_RANGES, OVERSPEED_STEP, SPEED_STEPS } from '@rogatka/domain/statistics/ranges.ts'
import { UNKNOWN } from '@rogatka/domain/statistics/series.ts'
import { numberFormat } from '../core/text.ts'
import { createTexts } from '../core/texts.ts'
import { reportTexts } from '../reports/public-api.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

/** The texts of statistics charts, tables and reports. */
export const statisticTexts = createTexts('statistics', { pl, en, lt, de, ro })

/** The name of a series of a division; `value` as in the API. */
export function seriesName(division: Division, value: string, language: Language): string {
  const texts = statisticTexts(language)
  const range = Number(value)
  switch (division) {
    case 'lane':
      return statisticTexts.format(language, 'lane', { lane: value })
    case 'category':
      return reportTexts(language).categories[value as Category] ?? value
    case 'violation':
      return reportTexts(language).violations[value as Violation]
    case 'speedRange': {
      if (value === UNKNOWN) return texts['speed-unknown']
      const [from, to] = [SPEED_STEPS[range - 2], SPEED_STEPS[range - 1]]
      if (from === undefined) return statisticTexts.format(language, 'speed-below', { to: String(to) })
      if (to === undefined) return statisticTexts.format(language, 'speed-above', { from: String(from) })
      return statisticTexts.format(language, 'speed-between', { from: String(from), to: String(to - 1) })
    }
    case 'overSpeed': {
      if (range === 0) return texts['over-none']
      const from = (range - 1) * OVERSPEED_STEP
      if (range === OVERSPEED_RANGES) return statisticTexts.format(language, 'over-above', { from: String(from) })
      return statisticTexts.format(language, 'over-between', {
        from: String(from + 1),
        to: String(from + OVERSPEED_STEP),
      })
    }
  }
}

/** The title of the last column: the sum for counts, else the figure of all vehicles together. */
export const sumName = (statName: StatName, language: Language): string => {
  const texts = statisticTexts(language)
  return statName === 'traffic' ? texts.sum : texts.all
}

/** `10 min` */
export const resolutionName = ({ unit, value }: Resolution, language: Language): string =>
  `${value} ${statisticTexts(language).units[unit]}`

/** Formats figures of a statistic. */
export const formatFigures = (statName: StatName, language: Language) =>
  figureFormats(statName, (value, decimals) => numberFormat(language, decimals).format(value))
