import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import type { RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel, Section } from '../ui/Panel.tsx'
import { DataFields } from '../ui/vehicle/DataFields.tsx'
import { useDataFields } from '../vehicle/useDataFields.ts'
import css from './Steps.module.css'

type Props = {
  draft: VehicleFilters
  onChange: (changes: Partial<VehicleFilters>) => void
  /** Around the fields, so that the first wrong one can be found. */
  fields: RefObject<HTMLDivElement | null>
}

/** Step 2: bounds on what was measured, in the units of the screen. */
export function VehicleDataStep({ draft, onChange, fields }: Props) {
  const { t } = useTranslation('current')
  return (
    <div className={css.single} ref={fields}>
      <Panel>
        <Section title={t('vehicle-data')} hint={t('vehicle-data-hint')}>
          <DataFields {...useDataFields(draft, onChange)} />
        </Section>
      </Panel>
    </div>
  )
}
