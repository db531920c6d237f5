import { useTranslation } from 'react-i18next'
import { ArchiveLink } from '../vehicle/publicApi.ts'
import { BarChart } from './BarChart.tsx'
import { BarFigure } from './BarFigure.tsx'
import { speedBins } from './bins.ts'
import { Panel } from './Panel.tsx'
import css from './Traffic.module.css'
import type { Result, StationSpeeds } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Props = {
  result: Result<StationSpeeds>
  archive: Record<string, unknown>
}

/** Vehicles by speed, with the limit and V85. */
export function SpeedPanel({ result, archive }: Props) {
  const { t } = useTranslation('traffic')
  const { number, percent } = useTrafficTexts()
  const bins = result.data ? speedBins(result.data.first, result.data.counts) : []
  const width = bins[0] ? bins[0].to - bins[0].from : 1
  return (
    <Panel title={t('speed')} note={t('vehicles-bin', { width: `${number(width)} km/h` })} result={result}>
      {({ v85, speedLimit, measured, aboveLimit, aboveLimitBy10 }) => {
        const start = bins[0]?.from ?? 0
        const positionOf = (speed: number) => (speed - start) / width
        const isDrawn = (speed: number | null): speed is number =>
          speed !== null && positionOf(speed) >= 0 && positionOf(speed) <= bins.length
        return (
          <>
            <BarChart
              label={`${t('speed')}. V85 ${number(v85)} km/h, ${t('limit-of', { limit: number(speedLimit) })}`}
              bars={bins.map(({ from, to, count }) => ({
                key: from,
                name: width === 1 ? `${to} km/h` : `${from + 1}–${to} km/h`,
                value: count,
                tone: speedLimit !== null && from >= speedLimit ? 'above' : undefined,
              }))}
              axis={bins.flatMap(({ from }, at) => (from % 20 === 0 ? [{ at, text: String(from) }] : []))}
              lines={[
                ...(isDrawn(speedLimit)
                  ? [
                      {
                        at: positionOf(speedLimit),
                        text: t('limit-of', { limit: number(speedLimit) }),
                        isLeft: v85 === null || speedLimit <= v85,
                      },
                    ]
                  : []),
                ...(isDrawn(v85)
                  ? [
                      {
                        at: positionOf(v85),
                        text: `V85 ${number(v85)}`,
                        isDashed: true,
                        isLeft: speedLimit !== null && v85 < speedLimit,
                      },
                    ]
                  : []),
              ]}
              panel={(bar, at) => (
                <BarFigure bar={bar}>
                  <ArchiveLink
                    count={bar.value ?? 0}
                    search={{ ...archive, minSpeed: (bins[at]?.from ?? 0) + 1, maxSpeed: bins[at]?.to }}
                  />
                </BarFigure>
              )}
            />
            <p className={css.facts}>
              <span>
                V85 <b>{number(v85)} km/h</b>
              </span>
              <span>
                {t('limit')} <b>{number(speedLimit)}</b>
              </span>
              {aboveLimit !== null && (
                <>
                  <span>
                    {t('above-limit')} <b>{percent(measured > 0 ? aboveLimit / measured : null)} %</b>
                  </span>
                  <span>
                    {t('above-by-10')} <b>{percent(measured > 0 ? (aboveLimitBy10 ?? 0) / measured : null)} %</b>
                  </span>
                </>
              )}
            </p>
          </>
        )
      }}
    </Panel>
  )
}
