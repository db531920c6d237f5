import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRight } from '../core/useSelf.ts'

export const vehicleTabs = ['measurement', 'history'] as const
export type VehicleTab = (typeof vehicleTabs)[number]

/**
 * The tab of the page, from the URL. The history of a plate is a search of the archive by plate, which users of
 * anonymised data must not do.
 */
export function useVehicleTab(vehicle: WireVehicle | undefined) {
  const navigate = useNavigate()
  const search = useSearch({ strict: false })
  const seesArchive = useRight('ArchiveMeasurements')
  const isAnonymised = useRight('Anonymization')
  // While loading as if it had a plate, which nearly all vehicles have, so that the tabs do not shift the page.
  const hasHistory = (!vehicle || Boolean(vehicle.plateLpr)) && seesArchive && !isAnonymised
  const tab: VehicleTab = hasHistory && search.tab === 'history' ? 'history' : 'measurement'
  const open = (next: VehicleTab) => {
    const { tab: _, ...rest } = search
    // The way back to the list is in the state of the entry.
    void navigate({ to: '.', search: next === 'history' ? { ...rest, tab: next } : rest, replace: true, state: true })
  }
  return { hasHistory, tab, open }
}
