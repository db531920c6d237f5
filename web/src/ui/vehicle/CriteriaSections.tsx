import {
  type Category,
  categories,
  type VehicleFilters,
  type Violation,
  violations,
} from '@rogatka/contract/vehicle.ts'
import { toggle, toggleAll } from '@rogatka/domain/vehicle/toggle.ts'
import { useTranslation } from 'react-i18next'
import { CheckboxGroup } from '../CheckboxGroup.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { Section } from '../Panel.tsx'
import { CategoryChoice } from './CategoryChoice.tsx'
import { LaneChoice } from './LaneChoice.tsx'

/*
 * Wizard sections for vehicle filters; each reads and changes its own part of the filters.
 */

export type CriteriaTexts = {
  categories: string
  lanes: string
  violations: string
  allViolations: string
  data: string
  categoryName: (category: Category) => string
  violationName: (violation: Violation) => string
}

type Props = {
  filters: VehicleFilters
  onChange: (changes: Partial<VehicleFilters>) => void
  texts: CriteriaTexts
}

/** Selects all, or deselects all if all are selected. */
function SelectAllButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('ui')
  return <LinkButton onClick={onClick}>{t('all')}</LinkButton>
}

export const CategorySection = ({ filters: { ctg8p1 = [] }, onChange, texts }: Props) => (
  <Section
    title={texts.categories}
    action={<SelectAllButton onClick={() => onChange({ ctg8p1: toggleAll(categories, ctg8p1) })} />}
  >
    <CategoryChoice
      label={texts.categories}
      selected={ctg8p1}
      onToggle={(category) => onChange({ ctg8p1: toggle(ctg8p1, category) })}
      nameOf={texts.categoryName}
    />
  </Section>
)

export function ViolationSection({ filters, onChange, texts }: Props) {
  const selected = violations.filter((violation) => filters[violation])
  const select = (selection: readonly Violation[]) =>
    onChange(Object.fromEntries(violations.map((violation) => [violation, selection.includes(violation)])))
  return (
    <Section
      title={texts.violations}
      action={<SelectAllButton onClick={() => select(toggleAll(violations, selected))} />}
    >
      <CheckboxGroup
        label={texts.violations}
        options={violations.map((violation) => ({ value: violation, label: texts.violationName(violation) }))}
        selected={selected}
        onToggle={(violation) => select(toggle(selected, violation))}
      />
    </Section>
  )
}

/** Lane numbers; undefined while loading, with a skeleton of the same size. */
export const LaneSection = ({
  filters: { laneNumbers = [] },
  onChange,
  texts,
  lanes,
}: Props & { lanes: readonly number[] | undefined }) =>
  lanes?.length !== 0 && (
    <Section title={texts.lanes}>
      <LaneChoice
        label={texts.lanes}
        lanes={lanes}
        selected={laneNumbers}
        onToggle={(lane) => onChange({ laneNumbers: toggle(laneNumbers, lane).toSorted((a, b) => a - b) })}
      />
    </Section>
  )
