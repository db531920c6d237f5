import type { WireStatistic } from '@rogatka/contract/statistics.ts'
import { useTranslation } from 'react-i18next'
import { ArchiveLink } from '../vehicle/publicApi.ts'
import { archiveSearch } from './archiveSearch.ts'
import css from './PeriodChart.module.css'
import { defaultDisplay } from './search.ts'
import type { StatisticsSearch } from './urlParams.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

type Props = {
  search: StatisticsSearch
  statistic: WireStatistic
  /** Index. */
  period: number
  /** Value of a series that was chosen, too; null: none. */
  series: string | null
}

/** A period of a chart: its figure, the earlier one, and the way to its vehicles. */
export function PeriodPanel({ search, statistic: { location, groups, periods }, period, series }: Props) {
  const { t } = useTranslation('statistics')
  const { figure } = useStatisticsTexts(search)
  const isCount = defaultDisplay(search).statName === 'traffic'
  const { start = '', label, summary = null, earlier } = periods[period] ?? {}
  const end = periods[period + 1]?.start ?? search.dateTimeEnd ?? ''
  const group = groups.find(({ value }) => value === series)
  const ofGroup = group?.series[period] ?? null
  const scope = { location: location.id, start, end }
  const ofAll = archiveSearch(search, { ...scope, series: null })
  const ofSeries = group && archiveSearch(search, { ...scope, series: group.value })
  const hasVehicles = (value: number | null) => value !== null && value !== 0
  return (
    <>
      <span>
        {label} <b>{figure(summary)}</b> {earlier !== undefined && t('previously', { value: figure(earlier) })}
      </span>
      {ofAll && hasVehicles(summary) && <ArchiveLink count={isCount ? summary : null} search={ofAll} />}
      {group && (
        <span className={css.series}>
          {group.labelSeriesValue} <b>{figure(ofGroup)}</b>
        </span>
      )}
      {ofSeries && hasVehicles(ofGroup) && <ArchiveLink count={isCount ? ofGroup : null} search={ofSeries} />}
    </>
  )
}
