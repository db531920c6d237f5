import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { CheckboxGroup } from '../ui/CheckboxGroup.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FilterSection } from '../ui/FilterSection.tsx'
import { StationMark } from '../ui/vehicle/StationMark.tsx'
import css from './StationFilter.module.css'
import { expectedStations } from './useLocations.ts'
import { useStations } from './useStations.ts'

/** Height of a station in the list, px, for its place while loading. */
const STATION_HEIGHT = 32

type Props = {
  /** Empty: all. */
  selected: readonly number[]
  onChange: (ids: number[]) => void
}

/** Filter by stations, in a filter panel. */
export function StationFilter({ selected, onChange }: Props) {
  const { t } = useTranslation('ui')
  const { stations, error, refetch } = useStations()
  return (
    <FilterSection
      title={selected.length > 0 ? t('stations') : t('all-stations')}
      {...(selected.length > 0 && { onRemove: () => onChange([]) })}
    >
      <div className={css.options}>
        {error && !stations ? (
          <ErrorBanner error={error} title={t('stations-failed')} retry={() => void refetch()} />
        ) : null}
        {!stations && !error && <div style={{ height: (expectedStations() ?? 6) * STATION_HEIGHT }} />}
        <CheckboxGroup
          label={t('stations')}
          selected={selected}
          onToggle={(id) => onChange(toggle(selected, id))}
          options={(stations ?? []).map(({ location, status }) => ({
            value: location.id,
            label: (
              <span className={css.station}>
                <StationMark status={status} />
                {location.shortName}
              </span>
            ),
          }))}
        />
      </div>
    </FilterSection>
  )
}
