import { useTranslation } from 'react-i18next'
import { ArchiveLink } from '../vehicle/publicApi.ts'
import { BarChart } from './BarChart.tsx'
import { BarFigure } from './BarFigure.tsx'
import { countFrom, type LoadBin, loadBins } from './bins.ts'
import { GROSS_LIMIT, type JudgedLanes, toleranceOf, toneOf } from './limits.ts'
import { Panel } from './Panel.tsx'
import css from './Traffic.module.css'
import type { Result, StationLoads } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** The scale has room for the limit, t. */
const MIN_SCALE = 60

type Props = {
  result: Result<StationLoads>
  of: Omit<JudgedLanes, 'judged'>
  /** Which vehicles, for example "pojazdy ciężkie". */
  kinds: string
  archive: Record<string, unknown>
}

/** Weighed vehicles by gross weight. */
export function GrossPanel({ result, of, kinds, archive }: Props) {
  const { t } = useTranslation('traffic')
  const { number, percent } = useTrafficTexts()
  return (
    <Panel title={t('gross')} note={`${kinds}, ${t('bin', { width: '1 t' })}`} result={result}>
      {({ gross, weighed, judged }) => {
        const bins = loadBins(gross.width, gross.counts, MIN_SCALE)
        const over = countFrom(bins, GROSS_LIMIT)
        const tolerance = toleranceOf({ ...of, judged }, 'gross')
        return (
          <>
            <BarChart
              label={`${t('gross')}, ${kinds}. ${t('above-tonnes', { limit: number(GROSS_LIMIT) })} ${percent(weighed > 0 ? over / weighed : null)} %`}
              bars={bins.map(({ from, to, count }) => ({
                key: from,
                name: to === null ? `≥ ${number(from)} t` : `${number(from)}–${number(to)} t`,
                value: count,
                tone: toneOf(from, GROSS_LIMIT, tolerance),
              }))}
              axis={bins.flatMap(({ from }, at) => (from % 10 === 0 ? [{ at, text: `${number(from)}` }] : []))}
              lines={
                bins.length > GROSS_LIMIT
                  ? [{ at: GROSS_LIMIT, text: t('permitted', { limit: number(GROSS_LIMIT) }) }]
                  : []
              }
              panel={(bar, at) => (
                <BarFigure bar={bar}>
                  <ArchiveLink count={bar.value ?? 0} search={{ ...archive, ...weightsOf(bins[at]) }} />
                </BarFigure>
              )}
            />
            <p className={css.facts}>
              <span>
                {t('above-tonnes', { limit: number(GROSS_LIMIT) })}{' '}
                <b>{percent(weighed > 0 ? over / weighed : null)} %</b>
              </span>
              <ArchiveLink count={over} search={{ ...archive, minTotalLoad: GROSS_LIMIT * 1_000 }} />
            </p>
          </>
        )
      }}
    </Panel>
  )
}

/** Bounds of a bin in whole kg, both included; the lowest has no lower one, since 0 is no bound, the last no upper one. */
const weightsOf = (bin: LoadBin | undefined) =>
  bin && {
    ...(bin.from > 0 && { minTotalLoad: bin.from * 1_000 }),
    ...(bin.to !== null && { maxTotalLoad: bin.to * 1_000 - 1 }),
  }
