import { useTranslation } from 'react-i18next'
import { ArchiveLink } from '../vehicle/publicApi.ts'
import { BarChart } from './BarChart.tsx'
import { BarFigure } from './BarFigure.tsx'
import { aboveLimit, type LoadBin, loadBins } from './bins.ts'
import { grossLimitOf, type SelectedLanes, toleranceOf, toneOf } from './limits.ts'
import { Panel } from './Panel.tsx'
import { shareOf } from './share.ts'
import css from './Traffic.module.css'
import type { Result, StationLoads } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** The scale has room for the limit, t. */
const MIN_SCALE = 60

type Props = {
  result: Result<StationLoads>
  of: SelectedLanes
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
      {(loads) => {
        const { gross, weighed } = loads
        const bins = loadBins(gross.width, gross.counts, MIN_SCALE)
        const limit = grossLimitOf(loads.limits)
        const over = limit === null ? null : aboveLimit(bins, limit)
        const tolerance = toleranceOf(of, loads, 'gross')
        const share = percent(over && shareOf(over.count, weighed))
        const aboveText = over && t('above-tonnes', { limit: number(over.from) })
        return (
          <>
            <BarChart
              label={[`${t('gross')}, ${kinds}`, aboveText && `${aboveText} ${share} %`].filter(Boolean).join('. ')}
              bars={bins.map(({ from, to, count }) => ({
                key: from,
                name: to === null ? `≥ ${number(from)} t` : `${number(from)}–${number(to)} t`,
                value: count,
                tone: toneOf(from, limit, tolerance),
              }))}
              axis={bins.flatMap(({ from }, at) => (from % 10 === 0 ? [{ at, text: `${number(from)}` }] : []))}
              lines={
                limit !== null && bins.length > limit
                  ? [{ at: limit, text: t('permitted', { limit: number(limit, limit % 1 ? 1 : 0) }) }]
                  : []
              }
              panel={(bar, at) => (
                <BarFigure bar={bar}>
                  <ArchiveLink count={bar.value ?? 0} search={{ ...archive, ...weightsOf(bins[at]) }} />
                </BarFigure>
              )}
            />
            {over && (
              <p className={css.facts}>
                <span>
                  {aboveText} <b>{share} %</b>
                </span>
                <ArchiveLink count={over.count} search={{ ...archive, minTotalLoad: over.from * 1_000 }} />
              </p>
            )}
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
