import type { WireInspection } from '@rogatka/contract/inspections.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { Excess } from '@rogatka/contract/vehicle-weighing.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'

/** First and last of consecutive axles: `3–5`; others one by one, as with a lifted axle between them: `3, 5`. */
function axlesText(axles: readonly number[]): string {
  const [first = 0, last = first] = [axles[0], axles.at(-1)]
  if (last - first + 1 !== axles.length) return axles.join(', ')
  return first === last ? String(first) : `${first}–${last}`
}

type WeighedAxles = { axles: readonly unknown[] | null; lifted?: readonly number[] | undefined }

type VehiclePlate = Pick<WireVehicle, 'plateLpr' | 'nationality'>

/** Plate and number of an inspection, by which a dialog identifies it. */
export const aboutOf = (number: string | null | undefined, vehicle: VehiclePlate | null): string =>
  [vehicle?.plateLpr && displayPlate(vehicle.plateLpr, vehicle.nationality), number].filter(Boolean).join(' · ')

/** Names of loads and states of inspections. */
export function useInspectionTexts() {
  const { t } = useTranslation('inspections')
  const { tonnes, excess } = useFormat()
  return {
    /** "oś 2", "grupa 3–5", "masa". */
    loadName: ({ kind, axles }: Pick<Excess, 'kind' | 'axles'>): string =>
      kind === 'gross' ? t('gross') : t(kind === 'axle' ? 'axle-number' : 'group-number', { axles: axlesText(axles) }),
    axlesText,
    /** Which axles were lifted, and by how many the gross weight is limited. */
    liftedText: ({ axles, lifted = [] }: WeighedAxles): string =>
      t('lifted-axles', { axles: lifted.join(', '), total: (axles?.length ?? 0) + lifted.length }),
    stateName: ({ state }: Pick<WireInspection, 'state'>): string => t(`state-${state}`),
    /** With unit and sign of the difference. */
    difference: (percent: number): string => excess(Math.round(percent * 10) / 10),
    withUnit: (kg: number): string => `${tonnes(kg)}\u00a0t`,
  }
}
