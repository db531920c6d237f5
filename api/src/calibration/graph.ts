import type { CalibrationReference } from '@rogatka/contract/calibration.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { calibrationOption } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { themes } from '@rogatka/domain/statistics/theme.ts'
import { chartImage } from '../core/chart-image.ts'
import { fillIn, numberFormat } from '../core/text.ts'
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import type { CalibrationAnswer } from './lanes.ts'
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

const wording: Record<Language, typeof pl> = { pl, en, lt, de, ro }

export const calibrationTexts = (language: Language): typeof pl => wording[language]

/** The reference in words: its load, from how many vehicles, and the last calibration. */
export function referenceText({ firstAxleAvg, counter, finishedAt }: CalibrationReference, language: Language): string {
  const words = wording[language]
  const values = { load: firstAxleAvg, vehicles: counter, at: finishedAt ? periodLabel(finishedAt, 'minute') : '' }
  return fillIn(finishedAt === null ? words.never : counter > 0 ? words.reference : words.provisional, values, language)
}

export type Size = { graphWidth: number; graphHeight: number }

/** The chart of a lane as PNG, in the light colours. */
export function graphOf(
  lane: CalibrationAnswer['lanes'][number],
  starts: readonly Date[],
  { graphWidth: width, graphHeight: height }: Size,
  { shows, language, scale = 1 }: { shows: 'load' | 'deviation'; language: Language; scale?: number },
): Promise<Buffer> {
  const words = wording[language]
  const [whole, tenths] = [numberFormat(language), numberFormat(language, 1)]
  const option = calibrationOption(
    {
      shows,
      starts,
      labels: starts.map((start) => periodLabel(start, 'hour')),
      periods: lane.periods,
      reference: lane.reference.firstAxleAvg,
      finishes: lane.finishes,
      title: {
        name: fillIn(words.lane, { location: lane.location.shortName, lane: String(lane.laneNumber) }),
        what: words[shows],
        range: referenceText(lane.reference, language),
      },
      texts: words,
    },
    {
      theme: themes.light,
      width,
      height,
      format: (figure) => (Number.isInteger(figure) ? whole : tenths).format(figure),
      interactive: false,
    },
  )
  return chartImage(option, width, height, scale)
}
