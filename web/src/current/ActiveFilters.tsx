import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { FilterPanel } from '../core/frame/FilterPanel.tsx'
import { useStore } from '../core/store.ts'
import { useStations } from '../locations/publicApi.ts'
import { PurposeInForce } from '../trail/publicApi.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveCriteria } from '../ui/vehicle/ActiveCriteria.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
import { live } from './live.ts'
import { entriesOf } from './liveList.ts'
import { type CurrentSearch, orderOf } from './search.ts'
import { useCounters } from './useCounters.ts'

type Props = {
  search: CurrentSearch
  /** Whether the list is shown: then stations have counts. */
  watching: boolean
  onChange: (changes: Partial<VehicleFilters>) => void
}

export function ActiveFilters({ search, watching, onChange }: Props) {
  const { t } = useTranslation('current')
  const { activeData, columnName, criteriaTexts, directionName } = useFilterTexts()
  const { orderByColumnName, orderDirection } = orderOf(search)

  return (
    <FilterPanel>
      <Stations search={search} watching={watching} onChange={onChange} />
      <ActiveCriteria filters={search} data={activeData(search)} onChange={onChange} texts={criteriaTexts} />
      <FilterSection title={t('order')}>
        <FilterLines>
          <FilterLine>
            {columnName(orderByColumnName)}, {directionName(orderDirection)}
          </FilterLine>
        </FilterLines>
      </FilterSection>
      {search.plateLpr && <PurposeInForce />}
    </FilterPanel>
  )
}

function Stations({ search, watching, onChange }: Props) {
  const counters = useCounters(search, watching)
  const { stations } = useStations(
    counters && new Map(counters.map(({ locationId, lastVehicleTime }) => [locationId, lastVehicleTime])),
  )
  // Counts the displayed vehicles: the server keeps them longer, for the user with the longest additional time.
  const entries = entriesOf(useStore(live).list)
  const countAt = (id: number) =>
    watching ? entries.filter(({ vehicle }) => vehicle.location.id === id).length : undefined
  return (
    <ActiveStations
      stations={stations}
      selected={search.locations}
      onChange={onChange}
      figureOf={({ location, status, noDataTime }) => (status === 'unavailable' ? noDataTime : countAt(location.id))}
    />
  )
}
