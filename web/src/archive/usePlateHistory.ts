import { HISTORY_DAYS, history } from '@rogatka/contract/archive.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'

export const dayChoices = [30, HISTORY_DAYS, 366] as const
export type Days = (typeof dayChoices)[number]
export const HISTORY_PAGE_SIZE = 100

export type PlateHistoryPage = WireOf<typeof history, 'response'>
export type PlateDetection = PlateHistoryPage['content'][number]

/** At first the usual days, or all, if the vehicle is older. */
const firstDays = ({ createdAt }: WireVehicle): Days =>
  serverNow() - Date.parse(createdAt) > HISTORY_DAYS * DAY_MS ? dayChoices[2] : HISTORY_DAYS

/** The detections of the plate of a vehicle, by days and page. While others load, the previous ones stay. */
export function usePlateHistory(vehicle: WireVehicle) {
  const [days, setDays] = useState(() => firstDays(vehicle))
  const [page, setPage] = useState(1)
  const { id, location, createdAt } = vehicle
  const list = useQuery({
    queryKey: ['plate-history', id, createdAt, days, page],
    queryFn: ({ signal }) =>
      call(history, {
        params: { id },
        query: { locationId: location.id, createdAt, days, page, limit: HISTORY_PAGE_SIZE },
        signal,
      }),
    placeholderData: keepPreviousData,
  })
  const changeDays = (changed: Days) => {
    setDays(changed)
    setPage(1)
  }
  return { list, days, setDays: changeDays, page, setPage }
}
