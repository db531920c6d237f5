import { useTranslation } from 'react-i18next'
import { MISSING } from '../core/format.ts'
import type { Column } from '../ui/DataTable.tsx'
import { Plate } from '../ui/vehicle/Plate.tsx'

type VehicleRow = { plateLpr: string | null; nationality: string | null; location: { shortName: string } }

/** Columns with the plate of a vehicle and with its station. */
export function usePlaceColumns<R extends VehicleRow>(): { plate: Column<R>; station: Column<R> } {
  const { t } = useTranslation('wanted')
  // In a box of its own, as on a phone it would be as wide as the card.
  const plate = (row: R) => (
    <span>
      <Plate plate={row.plateLpr} nationality={row.nationality} size="s" unreadable={MISSING} />
    </span>
  )
  return {
    plate: { key: 'plate', title: t('read-as'), share: 20, cell: plate },
    station: { key: 'station', title: t('ui:station'), share: 16, cell: (row) => row.location.shortName },
  }
}
