import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { useStations } from '../locations/useStations.ts'
import { DateTimeRange } from '../ui/DateTimeRange.tsx'
import { type DateRange, lastDays } from '../ui/dateRange.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import css from './Steps.module.css'
import type { ArchiveSearch } from './search.ts'

type Props = {
  search: ArchiveSearch
  missing: { range: boolean; locations: boolean }
  onChange: (changes: Partial<ArchiveSearch>) => void
}

/** Ranges that are asked for most, in days up to now. */
const PERIOD_DAYS = [1, 7, 31]

/** Step 1: where and when. */
export function StationTimeStep({ search, missing, onChange }: Props) {
  const { t } = useTranslation('archive')
  const { stations, expected, error, refetch } = useStations()
  const { locations = [], dateTimeStart = null, dateTimeEnd = null } = search
  const setRange = ({ start, end }: DateRange) =>
    onChange({ dateTimeStart: start ?? undefined, dateTimeEnd: end ?? undefined })

  return (
    <div className={css.columns}>
      <Panel>
        <StationSection
          stations={stations?.map(({ location, status, silence }) => ({
            id: location.id,
            name: location.shortName,
            detail: [location.roadNumber, location.chainage, location.direction].filter(Boolean).join(' · '),
            status,
            silence,
          }))}
          expected={expected}
          error={error}
          retry={() => void refetch()}
          chosen={locations}
          onChange={(ids) => onChange({ locations: ids })}
          missing={missing.locations}
          texts={{
            title: t('stations'),
            missing: t('stations-missing'),
            all: t('all'),
            failed: t('stations-failed'),
            loading: t('stations-loading'),
            empty: t('stations-empty'),
          }}
        />
      </Panel>
      <Panel>
        <Section title={t('range')} wrong={missing.range} hint={missing.range && t('range-missing')}>
          <DateTimeRange label={t('range')} range={{ start: dateTimeStart, end: dateTimeEnd }} onChange={setRange} />
          <div className={css.spans}>
            {PERIOD_DAYS.map((days) => (
              <LinkButton key={days} onClick={() => setRange(lastDays(days, serverNow()))}>
                {t('last-days', { count: days })}
              </LinkButton>
            ))}
          </div>
          <p className={css.hint}>{t('range-hint')}</p>
        </Section>
      </Panel>
    </div>
  )
}
