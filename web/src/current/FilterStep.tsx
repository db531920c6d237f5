import { Select } from '@mantine/core'
import { sortColumns, type VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { laneOptions } from '@rogatka/domain/locations/availability.ts'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/useStations.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import { useFilterTexts } from '../vehicle/useFilterTexts.ts'
import { useFindingTexts } from '../vehicle/useFindings.ts'
import css from './Steps.module.css'
import { type CurrentSearch, orderOf } from './search.ts'

type Props = {
  search: CurrentSearch
  /** The SG variant shows stations and order alone. */
  sg: boolean
  stationsMissing: boolean
  onChange: (changes: Partial<VehicleFilters>) => void
  onOrder: (order: Pick<CurrentSearch, 'orderByColumnName' | 'orderDirection'>) => void
  onVehicleData: () => void
}

/** Step 1: where to look, for what, and in which order. */
export function FilterStep({ search, sg, stationsMissing, onChange, onOrder, onVehicleData }: Props) {
  const { t } = useTranslation('current')
  const { violationName } = useFindingTexts()
  const { categoryName, chosenData } = useFilterTexts()
  const { stations, expected, error, refetch } = useStations()
  const lanes = stations && laneOptions(stations.map(({ location }) => location))
  const data = chosenData(search)
  const criteria = { filters: search, onChange }

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
          chosen={search.locations ?? []}
          onChange={(locations) => onChange({ locations })}
          missing={stationsMissing}
          texts={{
            title: t('stations'),
            missing: t('stations-missing'),
            all: t('all'),
            failed: t('stations-failed'),
            loading: t('stations-loading'),
            empty: t('stations-empty'),
          }}
        />
        {!sg && <CategorySection {...criteria} title={t('categories')} all={t('all')} nameOf={categoryName} />}
      </Panel>
      <Panel>
        {!sg && (
          <>
            <ViolationSection {...criteria} title={t('violations')} all={t('all')} nameOf={violationName} />
            <LaneSection {...criteria} title={t('lanes')} lanes={lanes} />
            <Section
              title={t('vehicle-data')}
              action={<LinkButton onClick={onVehicleData}>{t('vehicle-data-edit')}</LinkButton>}
            >
              {data.length === 0 && <p className={css.none}>{t('vehicle-data-none')}</p>}
              <ul className={css.data}>
                {data.map(({ name, value }) => (
                  <li key={name}>
                    <span>{name}</span>
                    <b>{value}</b>
                  </li>
                ))}
              </ul>
            </Section>
          </>
        )}
        <Section title={t('order')}>
          <OrderChoice search={search} onOrder={onOrder} />
        </Section>
      </Panel>
    </div>
  )
}

function OrderChoice({ search, onOrder }: Pick<Props, 'search' | 'onOrder'>) {
  const { t } = useTranslation('current')
  const { columnName, directionName } = useFilterTexts()
  const { orderByColumnName, orderDirection } = orderOf(search)
  return (
    <div className={css.order}>
      <Select
        label={t('order-column')}
        data={sortColumns.map((column) => ({ value: column, label: columnName(column) }))}
        value={orderByColumnName}
        allowDeselect={false}
        onChange={(column) => onOrder({ orderByColumnName: sortColumns.find((known) => known === column) })}
      />
      <Select
        label={t('order-direction')}
        data={(['desc', 'asc'] as const).map((direction) => ({ value: direction, label: directionName(direction) }))}
        value={orderDirection}
        allowDeselect={false}
        onChange={(direction) => onOrder({ orderDirection: direction === 'asc' ? 'asc' : 'desc' })}
      />
    </div>
  )
}
