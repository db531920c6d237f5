import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { toggle } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { Rail } from '../core/frame/Rail.tsx'
import { useStore } from '../core/store.ts'
import { useStations } from '../locations/useStations.ts'
import { FilterLine, FilterLines, FilterSection } from '../ui/FilterSection.tsx'
import { ActiveCriteria } from '../ui/vehicle/ActiveCriteria.tsx'
import { ActiveStations } from '../ui/vehicle/ActiveStations.tsx'
import { useFilterTexts } from '../vehicle/useFilterTexts.ts'
import { useFindingTexts } from '../vehicle/useFindings.ts'
import { live } from './live.ts'
import { entriesOf } from './liveList.ts'
import { type CurrentSearch, orderOf } from './search.ts'
import { useCounters } from './useCounters.ts'

type Props = {
  search: CurrentSearch
  /** Whether the list is on the screen: then stations have their counts. */
  watching: boolean
  onChange: (changes: Partial<VehicleFilters>) => void
}

/** The rail: what was chosen, each with its bin. */
export function ActiveFilters({ search, watching, onChange }: Props) {
  const { t } = useTranslation('current')
  const { categoryName, chosenData, columnName, directionName } = useFilterTexts()
  const { violationName } = useFindingTexts()
  const { orderByColumnName, orderDirection } = orderOf(search)

  return (
    <Rail>
      <Stations search={search} watching={watching} onChange={onChange} />
      <ActiveCriteria
        filters={search}
        data={chosenData(search)}
        onChange={onChange}
        texts={{
          categories: t('categories'),
          lanes: t('lanes'),
          violations: t('violations'),
          allViolations: t('violations-all'),
          data: t('vehicle-data'),
          categoryName,
          violationName,
        }}
      />
      <FilterSection title={t('order')}>
        <FilterLines>
          <FilterLine>
            {columnName(orderByColumnName)}, {directionName(orderDirection)}
          </FilterLine>
        </FilterLines>
      </FilterSection>
    </Rail>
  )
}

function Stations({ search, watching, onChange }: Props) {
  const { t } = useTranslation('current')
  const { locations = [] } = search
  const counters = useCounters(search, watching)
  const { stations } = useStations(
    counters && new Map(counters.map(({ locationId, lastVehicleTime }) => [locationId, lastVehicleTime])),
  )
  // What the operator sees: the server keeps vehicles longer, for whoever watches longest.
  const entries = entriesOf(useStore(live).list)
  const countAt = (id: number) =>
    watching ? entries.filter(({ vehicle }) => vehicle.location.id === id).length : undefined
  if (locations.length === 0) return null
  return (
    <ActiveStations
      title={t('stations')}
      stations={(stations ?? [])
        .filter(({ location }) => locations.includes(location.id))
        .map(({ location, status, silence }) => ({
          id: location.id,
          name: location.shortName,
          status,
          figure: status === 'unavailable' ? silence : countAt(location.id),
        }))}
      onRemove={(id) => onChange({ locations: toggle(locations, id) })}
      onRemoveAll={() => onChange({ locations: [] })}
    />
  )
}
