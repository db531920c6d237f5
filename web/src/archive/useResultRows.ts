import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useOpenVehicle, useRowKeys, useTag } from '../vehicle/publicApi.ts'

export type ResultRows = {
  open: (vehicle: WireVehicle) => void
  tag: (vehicle: WireVehicle) => void
}

/** The last opened vehicle, to focus its row on return. */
let openedKey: string | null = null

/** Row actions of the result, open and tag, with the shortcuts ↑ ↓, J K, Enter and T. */
export function useResultRows(area: RefObject<HTMLElement | null>, vehicles: readonly WireVehicle[]): ResultRows {
  const { t } = useTranslation('archive')
  const openVehicle = useOpenVehicle('archive')
  const tag = useTag('archive')

  const tagByKey = (key: string) => {
    const vehicle = vehicles.find((candidate) => vehicleKey(candidate) === key)
    if (vehicle) void tag(vehicle)
  }
  useRowKeys(area, tagByKey, { up: t('vehicle:key-up'), down: t('vehicle:key-down'), tag: t('vehicle:key-tag') })

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
  }
}
