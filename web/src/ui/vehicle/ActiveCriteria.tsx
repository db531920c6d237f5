import { VisuallyHidden } from '@mantine/core'
import { type VehicleFilters, violations } from '@rogatka/contract/vehicle.ts'
import { FilterLine, FilterLines, FilterSection } from '../FilterSection.tsx'
import css from './ActiveCriteria.module.css'
import { categoryNumber } from './CategoryChoice.tsx'
import type { CriteriaTexts } from './CriteriaSections.tsx'
import { Silhouette } from './Silhouette.tsx'

type Props = {
  filters: VehicleFilters
  /** Conditions on measured values as text, each with the filters that it stands for. */
  data?: readonly { name: string; value: string; keys: readonly (keyof VehicleFilters)[] }[]
  onChange: (changes: Partial<VehicleFilters>) => void
  texts: CriteriaTexts
}

/** Active filters on the vehicle, each with a remove button. */
export function ActiveCriteria({ filters, data = [], onChange, texts }: Props) {
  const { ctg8p1 = [], laneNumbers = [] } = filters
  const selectedViolations = violations.filter((violation) => filters[violation])
  return (
    <>
      {ctg8p1.length > 0 && (
        <FilterSection title={texts.categories} onRemove={() => onChange({ ctg8p1: [] })}>
          <ul className={css.categories}>
            {ctg8p1.map((category) => (
              <li key={category} title={texts.categoryName(category)}>
                <VisuallyHidden>{texts.categoryName(category)}</VisuallyHidden>
                <Silhouette category={categoryNumber(category)} height={18} />
              </li>
            ))}
          </ul>
        </FilterSection>
      )}
      {laneNumbers.length > 0 && (
        <FilterSection title={texts.lanes} onRemove={() => onChange({ laneNumbers: [] })}>
          <FilterLines>
            <FilterLine>{laneNumbers.join(', ')}</FilterLine>
          </FilterLines>
        </FilterSection>
      )}
      {selectedViolations.length > 0 && (
        <FilterSection
          title={texts.violations}
          onRemove={() => onChange(Object.fromEntries(violations.map((violation) => [violation, false])))}
        >
          <FilterLines>
            {selectedViolations.length === violations.length ? (
              <FilterLine>{texts.allViolations}</FilterLine>
            ) : (
              selectedViolations.map((violation) => (
                <FilterLine
                  key={violation}
                  onRemove={{ name: texts.violationName(violation), run: () => onChange({ [violation]: false }) }}
                >
                  {texts.violationName(violation)}
                </FilterLine>
              ))
            )}
          </FilterLines>
        </FilterSection>
      )}
      {data.length > 0 && (
        <FilterSection title={texts.data}>
          <FilterLines>
            {data.map(({ name, value, keys }) => (
              <FilterLine
                key={name}
                figure={value}
                onRemove={{
                  name,
                  run: () => onChange(Object.fromEntries(keys.map((key) => [key, undefined]))),
                }}
              >
                {name}
              </FilterLine>
            ))}
          </FilterLines>
        </FilterSection>
      )}
    </>
  )
}
