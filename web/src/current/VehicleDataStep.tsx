import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/publicApi.ts'
import { Columns, Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { DataFields } from '../ui/vehicle/DataFields.tsx'
import { useDataFields, useFilterTexts } from '../vehicle/publicApi.ts'

type Props = {
  draft: VehicleFilters
  /** Changes measured values; applied later. */
  onDraft: (changes: Partial<VehicleFilters>) => void
  /** Changes other filters; applied at once, as in step 1. */
  onChange: (changes: Partial<VehicleFilters>) => void
  /** Contains the fields, to find the first invalid one. */
  fields: RefObject<HTMLDivElement | null>
}

/** Step 2: bounds of measured values in the displayed units, and the other conditions. */
export function VehicleDataStep({ draft, onDraft, onChange, fields }: Props) {
  const { t } = useTranslation('vehicle')
  const { criteriaTexts } = useFilterTexts()
  const { lanes } = useStations()
  const criteria = { filters: draft, onChange, texts: criteriaTexts }
  return (
    <Columns ref={fields}>
      <Panel>
        <CategorySection {...criteria} />
        <Section title={criteriaTexts.data} hint={t('vehicle-data-hint')}>
          <DataFields {...useDataFields(draft, onDraft)} />
        </Section>
      </Panel>
      <Panel>
        <ViolationSection {...criteria} />
        <LaneSection {...criteria} lanes={lanes} />
      </Panel>
    </Columns>
  )
}
