import { Switch } from '@mantine/core'
import { comparisons, type StatName } from '@rogatka/contract/options.ts'
import { useTranslation } from 'react-i18next'
import { toServerTime } from '../core/clock.ts'
import { formatClock } from '../core/format.ts'
import { FailedState } from '../ui/EmptyState.tsx'
import { Loading } from '../ui/Loading.tsx'
import { SegmentedControl } from '../ui/SegmentedControl.tsx'
import { LocationResult } from './LocationResult.tsx'
import { Multiples } from './Multiples.tsx'
import { PeriodPanel } from './PeriodPanel.tsx'
import { isMoving } from './presets.ts'
import css from './Result.module.css'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { setPatterns, useForcedColors, usePatterns } from './usePatterns.ts'
import { useStatistics } from './useStatistics.ts'

/** What each figure means. */
const DEFINITIONS = {
  traffic: 'traffic',
  trafficDensity: 'density',
  minSpeed: 'speed',
  avgSpeed: 'speed',
  maxSpeed: 'speed',
  minTotalLoad: 'load',
  avgTotalLoad: 'load',
  maxTotalLoad: 'load',
} as const satisfies Record<StatName, string>

type Props = {
  search: StatisticsSearch
  /** Changes what is shown, and keeps the result. */
  onChange: (changes: Partial<StatisticsSearch>) => void
}

/** Result by station; with the update time if the range moves. */
export function StatisticsResult({ search, onChange }: Props) {
  const { t } = useTranslation('statistics')
  const { data: loaded, dataUpdatedAt, error, refetch, isFetching } = useStatistics(search)
  const patterns = usePatterns()
  const isForced = useForcedColors()

  if (!loaded) {
    if (isFetching || !error) return <Loading label={t('ui:calculating')} skeleton={<div className={css.skeleton} />} />
    return <FailedState title={t('failed')} retry={() => void refetch()} />
  }
  const { query, statistics } = loaded
  const { dateTimeStart, dateTimeEnd } = query
  const displayed = { ...search, dateTimeStart, dateTimeEnd }
  return (
    <div className={css.result}>
      <div className={css.bar}>
        <p className={css.definition}>{t(`definition-${DEFINITIONS[defaultDisplay(search).statName]}`)}</p>
        {isMoving(search) && (
          <span className={css.asOf}>{t('as-of', { time: formatClock(new Date(toServerTime(dataUpdatedAt))) })}</span>
        )}
        <span className={css.compare}>
          {t('compare')}
          <SegmentedControl
            label={t('compare')}
            options={(['none', ...comparisons] as const).map((value) => ({ value, label: t(`compare-${value}`) }))}
            value={search.compare ?? 'none'}
            onChange={(value) => onChange({ compare: value === 'none' ? undefined : value })}
          />
        </span>
        <Switch
          label={t('patterns')}
          checked={patterns}
          disabled={isForced}
          onChange={({ currentTarget }) => setPatterns(currentTarget.checked)}
        />
      </div>
      {statistics.length > 1 && (
        <Multiples
          label={t('stations-together')}
          plain
          search={displayed}
          periods={statistics[0]?.periods ?? []}
          items={statistics.map((statistic) => ({
            key: String(statistic.location.id),
            value: '1',
            name: statistic.location.shortName,
            total: statistic.summary,
            figures: statistic.periods.map(({ summary }) => summary),
            earlier: statistic.earlier && {
              total: statistic.earlier.summary,
              figures: statistic.periods.map(({ earlier }) => earlier ?? null),
            },
            limit: statistic.speedLimit,
            panel: (period) => <PeriodPanel search={displayed} statistic={statistic} period={period} series={null} />,
          }))}
        />
      )}
      {statistics.map((statistic) => (
        <LocationResult
          key={statistic.location.id}
          search={displayed}
          query={query}
          statistic={statistic}
          onChange={onChange}
        />
      ))}
    </div>
  )
}
