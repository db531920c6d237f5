import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { Rail } from '../core/frame/Rail.tsx'
import { useStations } from '../locations/useStations.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { ChartLegend } from './ChartLegend.tsx'
import { type CalibrationSearch, DEFAULT_HOURS, type Kind } from './search.ts'
import { useCalibrationTexts } from './useCalibrationTexts.ts'

type Props = {
  kind: Kind
  search: CalibrationSearch
  /** Charts are on the screen. */
  charted: boolean
  onChange: (changes: Partial<CalibrationSearch>) => void
}

/** The rail: what was chosen, each with its bin. */
export function ActiveFilters({ kind, search, charted, onChange }: Props) {
  const { t } = useTranslation('calibration')
  const { at, hoursName } = useCalibrationTexts()
  const { stations } = useStations()
  const { locations = [], dateTimeStart, dateTimeEnd, statResolutionValue = DEFAULT_HOURS } = search
  return (
    <Rail {...(charted && { legend: <ChartLegend /> })}>
      {locations.length > 0 && (
        <ActiveStations
          title={t('stations')}
          stations={(stations ?? [])
            .filter(({ location }) => locations.includes(location.id))
            .map(({ location, status, silence }) => ({
              id: location.id,
              name: location.shortName,
              status,
              figure: silence,
            }))}
          onRemove={(id) => onChange({ locations: toggle(locations, id) })}
          onRemoveAll={() => onChange({ locations: [] })}
        />
      )}
      {dateTimeStart && dateTimeEnd && (
        <FilterSection
          title={t('range')}
          onRemove={() => onChange({ dateTimeStart: undefined, dateTimeEnd: undefined })}
        >
          <FilterLines>
            <FilterLine figure={at(dateTimeStart)}>{t('from')}</FilterLine>
            <FilterLine figure={at(dateTimeEnd)}>{t('to')}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
      {kind === 'load' && (
        <FilterSection title={t('resolution')}>
          <FilterLines>
            <FilterLine>{hoursName(statResolutionValue)}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
    </Rail>
  )
}
