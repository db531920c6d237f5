import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { type RangeField, rangeFields } from '@rogatka/contract/wire.ts'
import { useTranslation } from 'react-i18next'
import { useRight } from '../core/useSelf.ts'
import type { DataFieldsProps } from '../ui/vehicle/DataFields.tsx'
import { useFilterTexts } from './useFilterTexts.ts'
import { fromWire, rangeUnits, toWire } from './vehicleFilters.ts'

const toDisplayed = (field: RangeField, wire: number | undefined) => (wire ? fromWire(field, wire) : null)
const toWireOrUndefined = (field: RangeField, value: number | null) =>
  value === null ? undefined : toWire(field, value)

/** Similarity in percent of two plates of seven characters that differ in one. */
const ONE_MISREAD_PERCENT = 45

/** Props of the data fields; converts between wire units and displayed units. */
export function useDataFields(
  filters: VehicleFilters,
  onChange: (changes: Partial<VehicleFilters>) => void,
): DataFieldsProps {
  const { t } = useTranslation('vehicle')
  const { rangeName } = useFilterTexts()
  const anonymous = useRight('Anonymization')
  return {
    plate: anonymous ? null : (filters.plateLpr ?? ''),
    onPlate: (plateLpr) => onChange({ plateLpr }),
    similarity: filters.similarity ?? null,
    onSimilarity: (similarity) => onChange({ similarity: similarity ?? undefined }),
    suggestedSimilarity: ONE_MISREAD_PERCENT,
    texts: {
      plate: t('plate'),
      plateHint: t('plate-hint'),
      similarity: t('similarity-label'),
      similarityHint: t('similarity-hint'),
      propose: t('similarity-propose', { percent: ONE_MISREAD_PERCENT }),
    },
    ranges: rangeFields.map((field) => ({
      field,
      label: rangeName(field),
      unit: rangeUnits[field].unit,
      decimals: rangeUnits[field].decimals,
      value: { min: toDisplayed(field, filters[`min${field}`]), max: toDisplayed(field, filters[`max${field}`]) },
      onChange: ({ min, max }) =>
        onChange({ [`min${field}`]: toWireOrUndefined(field, min), [`max${field}`]: toWireOrUndefined(field, max) }),
    })),
  }
}
