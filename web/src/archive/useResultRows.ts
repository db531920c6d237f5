import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type ReactNode, type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnounce } from '../inspections/publicApi.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useOpenVehicle, useRowKeys, useTag } from '../vehicle/publicApi.ts'

export type ResultRows = {
  open: (vehicle: WireVehicle) => void
  tag: (vehicle: WireVehicle) => void
  /** Running announcements of inspections, to be rendered. */
  announcing: ReactNode
}

/** The last opened vehicle, to focus its row on return. */
let openedKey: string | null = null

/** Row actions of the result: open, tag and announce an inspection, with the shortcuts ↑ ↓, J K, Enter, T and I. */
export function useResultRows(area: RefObject<HTMLElement | null>, vehicles: readonly WireVehicle[]): ResultRows {
  const { t } = useTranslation('archive')
  const openVehicle = useOpenVehicle('archive')
  const tag = useTag('archive')

  const { isAllowed, announce, tasks } = useAnnounce()
  const onRow = (act: (vehicle: WireVehicle) => unknown) => (key: string) => {
    const vehicle = vehicles.find((candidate) => vehicleKey(candidate) === key)
    if (vehicle) act(vehicle)
  }
  useRowKeys(
    area,
    onRow(tag),
    { up: t('vehicle:key-up'), down: t('vehicle:key-down'), tag: t('vehicle:key-tag') },
    isAllowed ? [{ key: 'i', label: t('vehicle:announce'), run: onRow((vehicle) => announce(vehicle)) }] : [],
  )

  useEffect(() => {
    area.current?.querySelector<HTMLElement>(`[data-vehicle="${openedKey}"] a`)?.focus()
    openedKey = null
  }, [area])

  return {
    open: (vehicle) => {
      openedKey = vehicleKey(vehicle)
      openVehicle(vehicle)
    },
    tag: (vehicle) => void tag(vehicle),
    announcing: tasks,
  }
}
