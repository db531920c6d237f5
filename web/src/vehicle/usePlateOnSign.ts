import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { cancelPlate, plateStatus, showPlate } from '@rogatka/contract/vms.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { showError } from '../core/errors.ts'

/** Asked about each second, until the vehicle has passed its checkpoint. */
const POLL_MS = 1_000

type OnRoad = Pick<WireVehicle, 'id' | 'createdAt' | 'checkpointTime'>

/** What is put on the sign: the vehicle's plate, or all trucks in its place. */
export type SignContent = 'plate' | 'trucks'

/** How long to wait before asking again; false: what the sign shows is of no more matter to this vehicle. */
export const nextPollMs = (checkpointTime: string | null, now: number): number | false =>
  // Once more behind it, so that the last answer is one from there.
  checkpointTime !== null && now < Date.parse(checkpointTime) + POLL_MS ? POLL_MS : false

const statusQuery = ({ id, createdAt }: OnRoad) =>
  queryOptions({
    queryKey: ['plate-on-sign', id, createdAt],
    queryFn: ({ signal }) => call(plateStatus, { params: { id }, query: { createdAt }, signal, background: true }),
    staleTime: 0,
    // A sign that is not known about is not commanded: the button says so at once, and the next second asks again.
    retry: false,
  })

/** What the server lets be done with the sign for this vehicle. */
export const usePlateStatus = (vehicle: OnRoad) =>
  useQuery({ ...statusQuery(vehicle), refetchInterval: () => nextPollMs(vehicle.checkpointTime, serverNow()) })

/** Puts the vehicle on the sign or takes it down; a refusal goes above the page. */
export function usePlateCommand(vehicle: OnRoad) {
  const { t } = useTranslation('vehicle')
  const client = useQueryClient()
  const { queryKey } = statusQuery(vehicle)
  const passage = { params: { id: vehicle.id }, query: { createdAt: vehicle.createdAt } }
  return useMutation({
    mutationFn: (order: SignContent | 'cancel') =>
      order === 'cancel'
        ? call(cancelPlate, passage)
        : call(showPlate, { ...passage, query: { ...passage.query, allTrucks: order === 'trucks' } }),
    onSuccess: async (status) => {
      // A question that is still under way knows less than this answer.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, status)
    },
    onError: (error, order) => {
      showError(error, { title: t(order === 'cancel' ? 'sign-cancel-failed' : 'sign-show-failed') })
      void client.invalidateQueries({ queryKey })
    },
  })
}
