import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterLine, FilterLines, FilterSection } from '../FilterSection.tsx'
import css from './ActiveCriteria.module.css'
import { StationMark } from './StationMark.tsx'
import type { Station } from './StationSection.tsx'

type Props = {
  /** Undefined while loading. */
  stations: readonly Station[] | undefined
  /** Undefined or empty: renders nothing. */
  selected: readonly number[] | undefined
  onChange: (changes: { locations: number[] }) => void
  /** Right-aligned: number of vehicles; absent: time without data. */
  figureOf?: (station: Station) => ReactNode
}

/** Active filters: the selected stations, each with its status mark and a remove button. */
export function ActiveStations({
  stations = [],
  selected = [],
  onChange,
  figureOf = ({ noDataTime }) => noDataTime,
}: Props) {
  const { t } = useTranslation('ui')
  if (selected.length === 0) return null
  return (
    <FilterSection title={t('stations')} onRemove={() => onChange({ locations: [] })}>
      <FilterLines>
        {stations
          .filter(({ location }) => selected.includes(location.id))
          .map((station) => {
            const { id, shortName: name } = station.location
            const onRemove = { name, run: () => onChange({ locations: toggle(selected, id) }) }
            return (
              <FilterLine key={id} figure={figureOf(station)} onRemove={onRemove}>
                <StationMark status={station.status} />
                <span className={station.status === 'available' ? undefined : css.unavailable}>{name}</span>
              </FilterLine>
            )
          })}
      </FilterLines>
    </FilterSection>
  )
}
