import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import { ArchiveLink } from '../vehicle/publicApi.ts'
import { HeatMap } from './HeatMap.tsx'
import { Panel } from './Panel.tsx'
import type { Period } from './search.ts'
import type { Result, StationProfile } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Props = {
  result: Result<StationProfile>
  before: StationProfile | undefined
  period: Period
  /** Filters of the archive that find all vehicles. */
  archive: Record<string, unknown>
}

/** Mean vehicles per hour by weekday. */
export function WeekPanel({ result, before, period, archive }: Props) {
  const { t } = useTranslation('traffic')
  const { number, days } = useTrafficTexts()
  const figure = (value: number | null | undefined) => (value == null ? MISSING : number(value))
  return (
    <Panel title={t('week')} note={t('vehicles-per-hour')} result={result}>
      {({ weekdays, weekdayMeans: rows }) => {
        const earlierRows = before?.weekdayMeans ?? []
        const text = (weekday: number, hour: number) =>
          [
            figure(rows[weekday]?.[hour]),
            earlierRows.length > 0 && t('previously', { value: figure(earlierRows[weekday]?.[hour]) }),
          ]
            .filter(Boolean)
            .join(', ')
        return (
          <HeatMap
            label={`${t('week')}, ${t('vehicles-per-hour')}, ${days(period)}`}
            rows={rows}
            nameOf={text}
            figures={(weekday, hour) => (
              <>
                <b>{figure(rows[weekday]?.[hour])}</b>
                {earlierRows.length > 0 && ` ${t('previously', { value: figure(earlierRows[weekday]?.[hour]) })}`}
              </>
            )}
            link={(weekday, hour) => (
              <ArchiveLink
                count={weekdays[weekday]?.[hour] ?? 0}
                search={{ ...archive, weekdays: [weekday], hours: [hour] }}
              />
            )}
          />
        )
      }}
    </Panel>
  )
}
