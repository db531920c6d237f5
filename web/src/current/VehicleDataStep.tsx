import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { laneOptions } from '@rogatka/domain/locations/availability.ts'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/useStations.ts'
import { Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { DataFields } from '../ui/vehicle/DataFields.tsx'
import { useDataFields } from '../vehicle/useDataFields.ts'
import { useFilterTexts } from '../vehicle/useFilterTexts.ts'
import { useFindingTexts } from '../vehicle/useFindings.ts'
import css from './Steps.module.css'

type Props = {
  draft: VehicleFilters
  /** Of what was measured; takes effect when it is applied. */
  onDraft: (changes: Partial<VehicleFilters>) => void
  /** Of all else; takes effect at once, as in step 1. */
  onChange: (changes: Partial<VehicleFilters>) => void
  /** Around the fields, so that the first wrong one can be found. */
  fields: RefObject<HTMLDivElement | null>
}

/** Step 2: bounds on what was measured, in the units of the screen, beside what else the vehicles must be. */
export function VehicleDataStep({ draft, onDraft, onChange, fields }: Props) {
  const { t } = useTranslation('current')
  const { violationName } = useFindingTexts()
  const { categoryName } = useFilterTexts()
  const { stations } = useStations()
  const criteria = { filters: draft, onChange }
  return (
    <div className={css.columns} ref={fields}>
      <Panel>
        <CategorySection {...criteria} title={t('categories')} all={t('all')} nameOf={categoryName} />
        <Section title={t('vehicle-data')} hint={t('vehicle-data-hint')}>
          <DataFields {...useDataFields(draft, onDraft)} />
        </Section>
      </Panel>
      <Panel>
        <ViolationSection {...criteria} title={t('violations')} all={t('all')} nameOf={violationName} />
        <LaneSection
          {...criteria}
          title={t('lanes')}
          lanes={stations && laneOptions(stations.map(({ location }) => location))}
        />
      </Panel>
    </div>
  )
}
