import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/useStations.ts'
import { DateTimeRange } from '../ui/DateTimeRange.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import css from './Steps.module.css'
import { type CalibrationSearch, DEFAULT_HOURS, hoursIn, type Kind, type missingFields } from './search.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

type Props = {
  kind: Kind
  search: CalibrationSearch
  missing: ReturnType<typeof missingFields>
  onChange: (changes: Partial<CalibrationSearch>) => void
}

/** Step 1: where, when, and of mean loads how fine. */
export function StationTimeStep({ kind, search, missing, onChange }: Props) {
  const { t } = useTranslation('calibration')
  const { hours } = useCalibrationTexts()
  const { stations, expected, error, refetch } = useStations()
  const { locations = [], dateTimeStart = null, dateTimeEnd = null, statResolutionValue = DEFAULT_HOURS } = search
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
        {kind === 'load' && (
          <Section title={t('resolution')}>
            <Select
              aria-label={t('resolution')}
              data={hours}
              value={String(statResolutionValue)}
              allowDeselect={false}
              onChange={(value) => onChange({ statResolutionValue: hoursIn(value) })}
            />
          </Section>
        )}
        <Section title={t('range')} wrong={missing.range} hint={missing.range && t('range-missing')}>
          <DateTimeRange
            label={t('range')}
            range={{ start: dateTimeStart, end: dateTimeEnd }}
            onChange={({ start, end }) =>
              onChange({ dateTimeStart: start ?? undefined, dateTimeEnd: end ?? undefined })
            }
          />
        </Section>
      </Panel>
    </div>
  )
}
