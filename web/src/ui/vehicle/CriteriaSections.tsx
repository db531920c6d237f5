import {
  type Category,
  categories,
  type VehicleFilters,
  type Violation,
  violations,
} from '@rogatka/contract/vehicle.ts'
import { toggle, toggleAll } from '@rogatka/domain/vehicle/toggle.ts'
import { CheckboxGroup } from '../CheckboxGroup.tsx'
import { LinkButton } from '../LinkButton.tsx'
import { Section } from '../Panel.tsx'
import { CategoryChoice } from './CategoryChoice.tsx'
import { LaneChoice } from './LaneChoice.tsx'

/*
 * The sections in which one chooses what the vehicles must be; each shows its part of the filters and changes it.
 */

type Props = {
  title: string
  filters: VehicleFilters
  onChange: (changes: Partial<VehicleFilters>) => void
}
type WithAll<T> = Props & {
  /** "wszystkie": chooses everything, or nothing where everything was chosen. */
  all: string
  nameOf: (one: T) => string
}

/** The categories [8+1] as tiles. */
export const CategorySection = ({ title, filters: { ctg8p1 = [] }, onChange, all, nameOf }: WithAll<Category>) => (
  <Section
    title={title}
    action={<LinkButton onClick={() => onChange({ ctg8p1: toggleAll(categories, ctg8p1) })}>{all}</LinkButton>}
  >
    <CategoryChoice
      label={title}
      chosen={ctg8p1}
      onToggle={(category) => onChange({ ctg8p1: toggle(ctg8p1, category) })}
      nameOf={nameOf}
    />
  </Section>
)

/** The five violations. */
export function ViolationSection({ title, filters, onChange, all, nameOf }: WithAll<Violation>) {
  const chosen = violations.filter((violation) => filters[violation])
  const choose = (wanted: readonly Violation[]) =>
    onChange(Object.fromEntries(violations.map((violation) => [violation, wanted.includes(violation)])))
  return (
    <Section
      title={title}
      action={<LinkButton onClick={() => choose(toggleAll(violations, chosen))}>{all}</LinkButton>}
    >
      <CheckboxGroup
        label={title}
        options={violations.map((violation) => ({ value: violation, label: nameOf(violation) }))}
        chosen={chosen}
        onToggle={(violation) => choose(toggle(chosen, violation))}
      />
    </Section>
  )
}

/** The lane numbers that there are; undefined: not loaded, which takes the same place. */
export const LaneSection = ({
  title,
  filters: { laneNumbers = [] },
  onChange,
  lanes,
}: Props & { lanes: readonly number[] | undefined }) =>
  lanes?.length !== 0 && (
    <Section title={title}>
      <LaneChoice
        label={title}
        lanes={lanes}
        chosen={laneNumbers}
        onToggle={(lane) => onChange({ laneNumbers: toggle(laneNumbers, lane).toSorted((a, b) => a - b) })}
      />
    </Section>
  )
