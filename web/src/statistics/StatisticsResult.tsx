import { Button, Switch } from '@mantine/core'
import type { WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Loading } from '../ui/Loading.tsx'
import type { StatisticsSearch } from './address.ts'
import { LocationResult } from './LocationResult.tsx'
import css from './Result.module.css'
import { setPatterns, usePatterns } from './usePatterns.ts'
import { useStatistics } from './useStatistics.ts'

type Props = { search: StatisticsSearch; question: WireStatisticFilters }

/** What was counted, station by station. */
export function StatisticsResult({ search, question }: Props) {
  const { t } = useTranslation('statistics')
  const { data: statistics, error, refetch, isFetching } = useStatistics(question)
  const patterns = usePatterns()

  if (!statistics) {
    if (isFetching || !error) return <Loading label={t('counting')} bones={<div className={css.bones} />} />
    return (
      <EmptyState title={t('failed')}>
        <Button variant="default" onClick={() => void refetch()}>
          {t('try-again')}
        </Button>
      </EmptyState>
    )
  }
  return (
    <div className={css.result}>
      <div className={css.bar}>
        <Switch
          label={t('patterns')}
          checked={patterns}
          onChange={({ currentTarget }) => setPatterns(currentTarget.checked)}
        />
      </div>
      {statistics.map((statistic) => (
        <LocationResult key={statistic.location.id} search={search} question={question} statistic={statistic} />
      ))}
    </div>
  )
}
