import { HEAVY_CATEGORIES } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { useTranslation } from 'react-i18next'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
import { Panel } from './Panel.tsx'
import { shareOf } from './share.ts'
import css from './Traffic.module.css'
import type { Result, StationSummary } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

/** Weighed, judged and overloaded vehicles by category. The total has heavy vehicles only, like the share on the traffic page. */
export function CategoryPanel({ result }: { result: Result<StationSummary> }) {
  const { t } = useTranslation('traffic')
  const { number, percent } = useTrafficTexts()
  const { categoryName } = useFilterTexts()
  const overloadedPercent = (overloaded: number, judged: number) => percent(shareOf(overloaded, judged))
  return (
    <Panel title={t('by-category')} note={t('by-category-note')} result={result}>
      {({ categories, notCounted }) => {
        if (notCounted) return <p className={css.definitions}>{t(`not-counted-${notCounted}`)}</p>
        const heavy = categories.filter(({ category }) => HEAVY_CATEGORIES.includes(Number(category)))
        const total = (figure: 'vehicles' | 'weighed' | 'judged' | 'overloaded') =>
          heavy.reduce((sum, row) => sum + row[figure], 0)
        return (
          <VirtualTable
            label={t('ui:table', { of: t('by-category') })}
            rows={categories}
            keyOf={({ category }) => category}
            columns={[
              {
                key: 'category',
                head: t('category'),
                cell: ({ category }) => categoryName(category),
                foot: t('heavy-vehicles'),
              },
              {
                key: 'vehicles',
                head: t('vehicles'),
                cell: ({ vehicles }) => number(vehicles),
                foot: number(total('vehicles')),
              },
              {
                key: 'weighed',
                head: t('head-weighed'),
                cell: ({ weighed }) => number(weighed),
                foot: number(total('weighed')),
              },
              {
                key: 'judged',
                head: t('head-judged'),
                cell: ({ judged }) => number(judged),
                foot: number(total('judged')),
              },
              {
                key: 'overloaded',
                head: t('overloaded'),
                cell: ({ overloaded }) => number(overloaded),
                foot: number(total('overloaded')),
              },
              {
                key: 'share',
                head: t('head-overloaded'),
                cell: ({ overloaded, judged }) => <b>{overloadedPercent(overloaded, judged)}</b>,
                foot: overloadedPercent(total('overloaded'), total('judged')),
              },
            ]}
          />
        )
      }}
    </Panel>
  )
}
