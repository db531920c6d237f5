import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../core/language.ts'
import { VirtualTable } from '../ui/VirtualTable.tsx'
import { Panel } from './Panel.tsx'
import type { Result, StationSummary } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Row = { name: string; mean: number | null; factor: number | null }

/** Average daily traffic of the range, of parts of the day, and by weekday and month with their factors. */
export function AveragesPanel({ result }: { result: Result<StationSummary> }) {
  const { t } = useTranslation('traffic')
  const { number } = useTrafficTexts()
  const weekdays = weekdayNames(useLanguage(), 'long')
  const whole = (value: number | null) => number(value === null ? null : Math.round(value))
  return (
    <Panel title={t('averages')} note={t('per-day')} result={result}>
      {({ adt, adtOfDayparts, adtTuesdayToThursday, aadt, months, monthFactors, weekdayFactors, completeDays }) => {
        const rowOf = (name: string, mean: number | null): Row => ({ name, mean, factor: null })
        const rows: Row[] = [
          rowOf(t('adt-of-days', { count: completeDays }), adt),
          rowOf(t('adt-day'), adtOfDayparts.day),
          rowOf(t('adt-evening'), adtOfDayparts.evening),
          rowOf(t('adt-night'), adtOfDayparts.night),
          rowOf(t('adt-midweek'), adtTuesdayToThursday),
          rowOf(t('aadt-of-months', { count: months }), aadt),
          ...weekdayFactors.map(({ weekday, ...row }) => ({ name: weekdays[weekday] ?? '', ...row })),
          ...monthFactors.map(({ month, ...row }) => ({ name: `${month.slice(5, 7)}.${month.slice(0, 4)}`, ...row })),
        ]
        return (
          <VirtualTable
            label={t('ui:table', { of: t('averages') })}
            rows={rows}
            keyOf={({ name }) => name}
            columns={[
              { key: 'name', head: t('average'), cell: ({ name }) => name },
              { key: 'mean', head: t('head-adt'), cell: ({ mean }) => <b>{whole(mean)}</b> },
              { key: 'factor', head: t('head-factor'), cell: ({ factor }) => number(factor, 4) },
            ]}
          />
        )
      }}
    </Panel>
  )
}
