import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { type RefObject, useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useStations } from '../locations/publicApi.ts'
import { CheckboxGroup } from '../ui/CheckboxGroup.tsx'
import { Columns, Panel, Section } from '../ui/Panel.tsx'
import { CategorySection, LaneSection, ViolationSection } from '../ui/vehicle/CriteriaSections.tsx'
import { DataFields } from '../ui/vehicle/DataFields.tsx'
import { ClassCountrySections, TimeSections, useDataFields, useFilterTexts } from '../vehicle/publicApi.ts'
import css from './Steps.module.css'
import type { ArchiveSearch } from './search.ts'

type Props = {
  search: ArchiveSearch
  onChange: (changes: Partial<ArchiveSearch>) => void
  /** Called while the user types. */
  onDraft: (changes: Partial<VehicleFilters>) => void
  /** Called on blur of a field. */
  onCommit: () => void
  /** Focus the plate field. */
  isPlateFocused: boolean
  /** Contains the fields, to find the first invalid one. */
  fields: RefObject<HTMLFieldSetElement | null>
}

const TAGGED = ['tagged'] as const

/** Step 2: conditions on the vehicles. */
export function CriteriaStep({ search, onChange, onDraft, onCommit, isPlateFocused, fields }: Props) {
  const { t } = useTranslation('archive')
  const { criteriaTexts } = useFilterTexts()
  const { lanes } = useStations()
  const dataFields = useDataFields(search, onDraft)
  const focusPlate = useCallback(
    (field: HTMLInputElement | null) => void (isPlateFocused && field?.focus()),
    [isPlateFocused],
  )
  const criteria = { filters: search, onChange, texts: criteriaTexts }

  return (
    <Columns>
      <Panel>
        <CategorySection {...criteria} />
        <Section title={criteriaTexts.data} hint={t('vehicle:vehicle-data-hint')}>
          <fieldset ref={fields} className={css.fields} aria-label={criteriaTexts.data} onBlur={onCommit}>
            <DataFields {...dataFields} plateRef={focusPlate} />
          </fieldset>
        </Section>
      </Panel>
      <Panel>
        <ViolationSection {...criteria} />
        <LaneSection {...criteria} lanes={lanes} />
        <TimeSections search={search} onChange={onChange} />
        <ClassCountrySections search={search} onChange={onChange} />
        <Section title={t('tag')}>
          <CheckboxGroup
            label={t('tag')}
            options={[{ value: 'tagged', label: t('tagged-only') }]}
            selected={search.taggedOnly ? TAGGED : []}
            onToggle={() => onChange({ taggedOnly: !search.taggedOnly })}
          />
        </Section>
      </Panel>
    </Columns>
  )
}
