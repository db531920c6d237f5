import { useTranslation } from 'react-i18next'
import { BarChart } from './BarChart.tsx'
import { BarFigure } from './BarFigure.tsx'
import { Panel } from './Panel.tsx'
import css from './Traffic.module.css'
import type { Result, StationHeadways } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** End of the last bin, s. */
const LONGEST = 600

type Props = {
  result: Result<StationHeadways>
}

/** Vehicles by the time to the one before in the lane. */
export function HeadwayPanel({ result }: Props) {
  const { t } = useTranslation('traffic')
  const { number, percent } = useTrafficTexts()
  return (
    <Panel title={t('headway')} note={t('headway-note')} result={result}>
      {({ edges, counts, heavyCounts, mean, shareBelow1, shareBelow2 }) => (
        <>
          <BarChart
            label={`${t('headway')}. ${t('mean')} ${number(mean, 1)} s`}
            bars={edges.map((from, bin) => ({
              key: from,
              name: `${number(from, from % 1 ? 1 : 0)}–${number(edges[bin + 1] ?? LONGEST, (edges[bin + 1] ?? 0) % 1 ? 1 : 0)} s`,
              value: counts[bin] ?? 0,
            }))}
            axis={edges.flatMap((from, at) => (from % 2 === 0 || from > 10 ? [{ at, text: number(from) }] : []))}
            panel={(bar, bin) => (
              <BarFigure bar={bar}>
                {t('of-heavy', { number: number(heavyCounts[bin] ?? 0) })}
                <br />
                {t('not-in-archive')}
              </BarFigure>
            )}
          />
          {mean === null && <p className={css.facts}>{t('headway-none')}</p>}
          <p className={css.facts}>
            <span>
              {t('mean')} <b>{number(mean, 1)} s</b>
            </span>
            <span>
              {t('below-seconds', { seconds: 1 })} <b>{percent(shareBelow1)} %</b>
            </span>
            <span>
              {t('below-seconds', { seconds: 2 })} <b>{percent(shareBelow2)} %</b>
            </span>
          </p>
        </>
      )}
    </Panel>
  )
}
