import { NativeSelect } from '@mantine/core'
import { sortColumns, type VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { useOpenStations } from '../locations/publicApi.ts'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Columns, Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { StationSection } from '../ui/vehicle/StationSection.tsx'
import { useFilterTexts } from '../vehicle/publicApi.ts'
import css from './Steps.module.css'
import { type CurrentSearch, orderOf } from './search.ts'

type Props = {
  search: CurrentSearch
  /** The SG variant shows only stations and sorting. */
  sg: boolean
  stationsMissing: boolean
  onChange: (changes: Partial<VehicleFilters>) => void
  onOrder: (order: Pick<CurrentSearch, 'orderByColumnName' | 'orderDirection'>) => void
  onVehicleData: () => void
}

/** Step 1: stations, conditions, sorting. */
export function FilterStep({ search, sg, stationsMissing, onChange, onOrder, onVehicleData }: Props) {
  const { t } = useTranslation('current')
  const { activeData, criteriaTexts } = useFilterTexts()
  const stations = useOpenStations()
  const data = activeData(search)
  const criteria = { filters: search, onChange, texts: criteriaTexts }

  return (
    <Columns>
      <Panel>
        <StationSection list={stations} search={search} onChange={onChange} missing={{ locations: stationsMissing }} />
        {!sg && <CategorySection {...criteria} />}
      </Panel>
      <Panel>
        {!sg && (
          <>
            <ViolationSection {...criteria} />
            <LaneSection {...criteria} lanes={stations.lanes} />
            <Section
              title={criteriaTexts.data}
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
    </Columns>
  )
}

function OrderChoice({ search, onOrder }: Pick<Props, 'search' | 'onOrder'>) {
  const { t } = useTranslation('current')
  const { columnName, directionName } = useFilterTexts()
  const { orderByColumnName, orderDirection } = orderOf(search)
  return (
    <div className={css.order}>
      <NativeSelect
        label={t('vehicle:order-column')}
        data={sortColumns.map((column) => ({ value: column, label: columnName(column) }))}
        value={orderByColumnName}
        onChange={({ currentTarget }) =>
          onOrder({ orderByColumnName: sortColumns.find((option) => option === currentTarget.value) })
        }
      />
      <NativeSelect
        label={t('vehicle:direction')}
        data={(['desc', 'asc'] as const).map((direction) => ({ value: direction, label: directionName(direction) }))}
        value={orderDirection}
        onChange={({ currentTarget }) => onOrder({ orderDirection: currentTarget.value === 'asc' ? 'asc' : 'desc' })}
      />
    </div>
  )
}
