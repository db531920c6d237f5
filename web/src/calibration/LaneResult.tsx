import { calibrationOption } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useChartOption } from '../core/useChartOption.ts'
import { Chart } from '../ui/chart/Chart.tsx'
import { ChartHead } from '../ui/chart/ChartHead.tsx'
import { useOnceVisible } from '../vehicle/publicApi.ts'
import { DeviationTable, type Lane, LoadTable } from './LaneTable.tsx'
import css from './Result.module.css'
import type { Kind } from './search.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

type Props = { kind: Kind; location: string; result: Lane }

const HEIGHT = 340

/** Result of a lane: chart with reference and tolerance band, and the table of mean loads. */
export function LaneResult({ kind, location, result }: Props) {
  const { t } = useTranslation('calibration')
  const { reference } = useCalibrationTexts()
  const frame = useRef<HTMLElement>(null)
  const wasVisible = useOnceVisible(frame)
  const optionFor = useLaneOption(kind, result)
  const name = t('lane', { location, lane: result.lane.laneNumber })
  const chartTitle = t(`shows-${kind}`)
  const table = t('ui:table', { of: name })
  return (
    <section ref={frame} aria-label={name} className={css.lane}>
      <ChartHead title={name} description={chartTitle}>
        <span className={css.reference}>{reference(result.reference)}</span>
      </ChartHead>
      <div style={{ minHeight: HEIGHT }}>
        {wasVisible && (
          <Chart label={`${name}: ${chartTitle}`} image={result.graphBase64} height={HEIGHT} optionFor={optionFor} />
        )}
      </div>
      {result.finishes.length > 0 && <p className={css.note}>{t('sections')}</p>}
      {kind === 'load' ? <LoadTable label={table} result={result} /> : <DeviationTable label={table} result={result} />}
    </section>
  )
}

function useLaneOption(kind: Kind, { periods, reference, finishes, sections }: Lane) {
  const { t } = useTranslation('calibration')
  const chart = useMemo(() => {
    const starts = periods.map(({ dateTime }) => new Date(dateTime))
    return {
      shows: kind,
      starts,
      labels: starts.map((start) => periodLabel(start, 'hour')),
      periods,
      reference: reference.firstAxleAvg,
      finishes: finishes.map((at) => new Date(at)),
      sections: sections.map(({ firstPeriod, reference }) => ({ firstPeriod, reference: reference.firstAxleAvg })),
      title: null,
      texts: {
        load: t('shows-load'),
        deviation: t('shows-deviation'),
        confidence: t('column-confidence'),
        empty: t('too-few'),
      },
    }
  }, [kind, periods, reference, finishes, sections, t])
  return useChartOption(calibrationOption, chart, HEIGHT)
}
