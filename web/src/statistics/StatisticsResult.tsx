import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { toServerTime } from '../core/clock.ts'
import { formatClock } from '../core/format.ts'
import { FailedState } from '../ui/EmptyState.tsx'
import { Loading } from '../ui/Loading.tsx'
import { LocationResult } from './LocationResult.tsx'
import { isMoving } from './presets.ts'
import css from './Result.module.css'
import type { StatisticsSearch } from './urlParams.ts'
import { setPatterns, useForcedColors, usePatterns } from './usePatterns.ts'
import { useStatistics } from './useStatistics.ts'

/** Result by station; with the update time if the range moves. */
export function StatisticsResult({ search }: { search: StatisticsSearch }) {
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
  return (
    <div className={css.result}>
      <div className={css.bar}>
        {isMoving(search) && (
          <span className={css.asOf}>{t('as-of', { time: formatClock(new Date(toServerTime(dataUpdatedAt))) })}</span>
        )}
        <Switch
          label={t('patterns')}
          checked={patterns}
          disabled={isForced}
          onChange={({ currentTarget }) => setPatterns(currentTarget.checked)}
        />
      </div>
      {statistics.map((statistic) => (
        <LocationResult
          key={statistic.location.id}
          search={{ ...search, dateTimeStart, dateTimeEnd }}
          query={query}
          statistic={statistic}
        />
      ))}
    </div>
  )
}
