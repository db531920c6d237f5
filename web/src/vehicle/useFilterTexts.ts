import type { Category, SortColumn, VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { type RangeField, rangeFields, type SortDirection } from '@rogatka/contract/wire.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import type { CriteriaTexts } from '../ui/vehicle/CriteriaSections.tsx'
import { type FilterKey, fromWire, rangeUnits } from './vehicleFilters.ts'

/** An active condition on measured values, with the filters that it stands for. */
type ActiveData = { name: string; value: string; keys: FilterKey[] }

/** Texts of filters and sort orders. */
export function useFilterTexts() {
  const { t } = useTranslation('vehicle')
  const { number } = useFormat()

  const bound = (field: RangeField, wire: number) => {
    const { unit, decimals } = rangeUnits[field]
    return `${number(fromWire(field, wire), decimals)}${unit && `\u00a0${unit}`}`
  }
  const rangeText = (field: RangeField, min: number | undefined, max: number | undefined) => {
    if (min && max) return `${number(fromWire(field, min), rangeUnits[field].decimals)}\u2013${bound(field, max)}`
    return min ? `${t('ui:from')} ${bound(field, min)}` : `${t('ui:to')} ${bound(field, max ?? 0)}`
  }
  const rangeName = (field: RangeField) => t(`range-${field}`)

  const activeData = (filters: VehicleFilters): ActiveData[] => [
    ...(filters.plateLpr ? [{ name: t('plate'), value: filters.plateLpr, keys: ['plateLpr' as const] }] : []),
    ...(filters.similarity
      ? [{ name: t('similarity'), value: `${filters.similarity}\u00a0%`, keys: ['similarity' as const] }]
      : []),
    ...rangeFields.flatMap((field) => {
      const keys = [`min${field}`, `max${field}`] as const
      const [min, max] = keys.map((key) => filters[key])
      return min || max ? [{ name: rangeName(field), value: rangeText(field, min, max), keys: [...keys] }] : []
    }),
  ]

  /** With its number, except for not classified. */
  const categoryName = (category: Category) =>
    category === 'lack' ? t('category-lack') : `${category} · ${t(`category-${category}`)}`
  const criteriaTexts: CriteriaTexts = {
    categories: t('categories'),
    lanes: t('lanes'),
    violations: t('violations'),
    allViolations: t('violations-all'),
    data: t('vehicle-data'),
    categoryName,
    violationName: (violation) => t(`violation-${violation}`),
  }

  return {
    categoryName,
    criteriaTexts,
    rangeName,
    activeData,
    columnName: (column: SortColumn) => t(`sort-${column}`),
    directionName: (direction: SortDirection) => t(`sort-${direction}`),
  }
}
