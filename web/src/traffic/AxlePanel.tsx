import { useTranslation } from 'react-i18next'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { BarChart } from './BarChart.tsx'
import { BarFigure } from './BarFigure.tsx'
import { aboveLimit, type LoadBin, loadBins } from './bins.ts'
import { axleLimitOf, hasAxleLimit, KN_PER_TONNE, type SelectedLanes, toleranceOf, toneOf, tonnes } from './limits.ts'
import { Panel } from './Panel.tsx'
import { type LoadUnit, loadUnits, type SpectrumKind, spectrumKinds, type TrafficSearch } from './search.ts'
import { shareOf } from './share.ts'
import css from './Traffic.module.css'
import type { Result, StationLoads } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** The scale has room for the limits, t. */
const MIN_SCALE = 18

type Props = {
  result: Result<StationLoads>
  n100: number | undefined
  of: SelectedLanes
  kind: SpectrumKind
  unit: LoadUnit
  onChange: (changes: Partial<TrafficSearch>) => void
}

/** Axle load spectrum of first and other single axles, or of groups. */
export function AxlePanel({ result, n100, of, kind, unit, onChange }: Props) {
  const { t } = useTranslation('traffic')
  const { number, percent } = useTrafficTexts()
  const spectrum = result.data?.spectra.find((one) => one.kind === kind)
  const histogram = unit === 't' ? spectrum?.tonnes : spectrum?.kilonewtons
  const width = histogram?.width ?? 1
  const decimals = width % 1 === 0 ? 0 : 1
  const hasLimit = hasAxleLimit(kind)
  const inUnit = (load: number) => (unit === 't' ? load : load * KN_PER_TONNE)
  return (
    <Panel
      title={t('axle-load')}
      note={t('axles-bin', { width: `${number(width, decimals)} ${unit}` })}
      result={result}
    >
      {(loads) => {
        const { axles, weighed, limits } = loads
        const limit = axleLimitOf(kind, limits)
        const tolerance = toleranceOf(of, loads, 'singleAxle')
        const driving = inUnit(tonnes(limits.drivingAxle))
        const other = inUnit(tonnes(limits.otherAxle))
        const bins = loadBins(width, histogram?.counts ?? [], inUnit(MIN_SCALE))
        const nameOf = ({ from, to }: LoadBin) =>
          to === null
            ? `≥ ${number(from, decimals)} ${unit}`
            : `${number(from, decimals)}–${number(to, decimals)} ${unit}`
        const every = Math.max(1, Math.ceil(bins.length / 10))
        const over = aboveLimit(bins, limit)
        return (
          <>
            <div className={css.choices}>
              <SegmentedControl
                label={t('axle-kind')}
                options={spectrumKinds.map((value) => ({ value, label: t(`axle-${value}`) }))}
                value={kind}
                onChange={(axle) => onChange({ axle: axle === 'single' ? undefined : axle })}
              />
              <SegmentedControl
                label={t('unit')}
                options={loadUnits.map((value) => ({ value, label: value }))}
                value={unit}
                onChange={(value) => onChange({ unit: value === 't' ? undefined : value })}
              />
            </div>
            <BarChart
              label={`${t('axle-load')}, ${t(`axle-${kind}`)}, ${unit}. ${t('groups', { count: spectrum?.groups ?? 0 })}`}
              bars={bins.map((bin) => ({
                key: bin.from,
                name: nameOf(bin),
                value: bin.count,
                tone: hasLimit ? toneOf(bin.from, inUnit(limit), tolerance) : undefined,
              }))}
              axis={bins.flatMap(({ from }, at) =>
                at % every === 0 ? [{ at, text: number(from, from % 1 ? 1 : 0) }] : [],
              )}
              lines={
                hasLimit
                  ? [
                      { at: other / width, text: number(other, 1), isLeft: true },
                      ...(kind === 'first'
                        ? []
                        : [
                            {
                              at: driving / width,
                              text: t('driven-limit', { limit: number(driving, 1) }),
                            },
                          ]),
                    ].filter(({ at }) => at < bins.length)
                  : []
              }
              panel={(bar) => <BarFigure bar={bar}>{t('not-in-archive')}</BarFigure>}
            />
            <p className={css.facts}>
              {hasLimit && unit === 't' && (
                <span>
                  {t('above-tonnes', { limit: number(over.from, 1) })}{' '}
                  <b>{percent(shareOf(over.count, spectrum?.groups ?? 0))} %</b>
                </span>
              )}
              <span>
                {t('axles-per-vehicle')} <b>{number(weighed > 0 ? axles / weighed : null, 1)}</b>
              </span>
              <span>
                {t('equivalents-per-vehicle')}{' '}
                <b>{number(n100 !== undefined && weighed > 0 ? n100 / weighed : null, 2)}</b>
              </span>
            </p>
          </>
        )
      }}
    </Panel>
  )
}
