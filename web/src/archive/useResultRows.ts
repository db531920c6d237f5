import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type RefObject, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useOpenVehicle, useRowKeys, useTag } from '../vehicle/publicApi.ts'

export type ResultRows = {
  open: (vehicle: WireVehicle) => void
  tag: (vehicle: WireVehicle) => void
}

/** The last opened vehicle, to focus its row on return. */
let openedId: number | null = null

/** Row actions of the result, open and tag, with the shortcuts ↑ ↓, J K, Enter and T. */
export function useResultRows(area: RefObject<HTMLElement | null>, vehicles: readonly WireVehicle[]): ResultRows {
  const { t } = useTranslation('archive')
  const openVehicle = useOpenVehicle('archive')
  const tag = useTag('archive')

  const tagById = (id: number) => {
    const vehicle = vehicles.find((candidate) => candidate.id === id)
    if (vehicle) void tag(vehicle)
  }
  useRowKeys(area, tagById, { up: t('vehicle:key-up'), down: t('vehicle:key-down'), tag: t('vehicle:key-tag') })

  useEffect(() => {
    area.current?.querySelector<HTMLElement>(`[data-vehicle="${openedId}"] a`)?.focus()
    openedId = null
  }, [area])

  return {
    open: (vehicle) => {
      openedId = vehicle.id
      openVehicle(vehicle)
    },
    tag: (vehicle) => void tag(vehicle),
  }
}
