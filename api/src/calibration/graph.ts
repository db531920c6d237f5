import { type CalibrationReference, REFERENCE_VEHICLES } from '@rogatka/contract/calibration.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { drawInThread } from '../core/chart-thread.ts'
import { createTexts } from '../core/texts.ts'
import de from './de.json' with { type: 'json' }
import type { ChartInput } from './draw.ts'
import en from './en.json' with { type: 'json' }
import type { CalibrationResult } from './lanes.ts'
import lt from './lt.json' with { type: 'json' }
import pl from './pl.json' with { type: 'json' }
import ro from './ro.json' with { type: 'json' }

const DRAW_MODULE = new URL('./draw.ts', import.meta.url).href

/** The texts of calibration charts and reports. */
export const calibrationTexts = createTexts('calibration', { pl, en, lt, de, ro })

/** The reference as text: load, number of vehicles and last calibration. */
export function referenceText(
  { firstAxleAvg, counter, collected, finishedAt }: CalibrationReference,
  language: Language,
): string {
  const progress = { collected, needed: REFERENCE_VEHICLES }
  const values = {
    ...progress,
    load: firstAxleAvg,
    count: counter,
    at: finishedAt ? periodLabel(finishedAt, 'minute') : '',
  }
  const key = finishedAt === null ? 'never' : counter > 0 ? 'reference' : 'provisional'
  return calibrationTexts.format(language, key, values)
}

export type Size = { graphWidth: number; graphHeight: number }

type Options = { shows: 'load' | 'deviation'; language: Language; scale?: number; signal?: AbortSignal }

/** The chart of a lane as PNG in light colours. */
export function laneChartPng(
  lane: CalibrationResult['lanes'][number],
  starts: readonly Date[],
  { graphWidth: width, graphHeight: height }: Size,
  { shows, language, scale = 1, signal }: Options,
): Promise<Buffer> {
  const texts = calibrationTexts(language)
  const chart: ChartInput['chart'] = {
    shows,
    starts,
    labels: starts.map((start) => periodLabel(start, 'hour')),
    periods: lane.periods,
    reference: lane.reference.firstAxleAvg,
    finishes: lane.finishes,
    sections: lane.sections.map(({ firstPeriod, reference }) => ({ firstPeriod, reference: reference.firstAxleAvg })),
    title: {
      name: calibrationTexts.format(language, 'lane', {
        location: lane.location.shortName,
        lane: String(lane.laneNumber),
      }),
      subtitle: texts[shows],
      range: referenceText(lane.reference, language),
    },
    texts,
  }
  const input: ChartInput = { chart, language, width, height, scale }
  return drawInThread({ module: DRAW_MODULE, input }, signal)
}
