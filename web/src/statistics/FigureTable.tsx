import type { WireStatistic } from '@rogatka/contract/statistics.ts'
import { useTranslation } from 'react-i18next'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import css from './Result.module.css'
import { type SeriesStyle, Swatch } from './Swatch.tsx'
import type { StatisticsSearch } from './urlParams.ts'
import { useStatisticsTexts } from './useStatisticsTexts.ts'

type Props = {
  search: StatisticsSearch
  statistic: WireStatistic
  styles: readonly SeriesStyle[]
  label: string
}

/** Table of a chart's figures: periods by series, with a total column. */
export function FigureTable({
  search,
  statistic: { labelPeriods, groups, periods, summary, earlier },
  styles,
  label,
}: Props) {
  const { t } = useTranslation('statistics')
  const { figure, sum } = useStatisticsTexts(search)
  return (
    <VirtualTable
      label={label}
      summed={!earlier}
      rows={periods}
      keyOf={({ start }) => start}
      columns={[
        { key: 'period', head: labelPeriods, cell: (period) => period.label, foot: t('whole-range') },
        ...groups.map(({ value, labelSeriesValue, series, summary }, at) => ({
          key: `series ${value}`,
          head: (
            <span className={css.series}>
              <Swatch style={styles[at]} />
              {labelSeriesValue}
            </span>
          ),
          cell: (_: unknown, index: number) => figure(series[index] ?? null),
          foot: figure(summary),
        })),
        {
          key: 'sum',
          head: sum,
          cell: (period) => (earlier ? <b>{figure(period.summary)}</b> : figure(period.summary)),
          foot: figure(summary),
        },
        ...(earlier
          ? [
              {
                key: 'earlier',
                head: t('earlier'),
                cell: (period: WireStatistic['periods'][number]) => figure(period.earlier ?? null),
                foot: figure(earlier.summary),
              },
            ]
          : []),
      ]}
    />
  )
}
