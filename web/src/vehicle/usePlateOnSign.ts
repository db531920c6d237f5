import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { cancelPlate, plateStatus, showPlate } from '@rogatka/contract/vms.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { showError } from '../core/errors.ts'

/** Poll interval until the vehicle has passed its checkpoint. */
const POLL_MS = 1_000

type VehicleOnRoad = Pick<WireVehicle, 'id' | 'createdAt' | 'checkpointTime'>

/** Shown on the sign: the vehicle's plate, or all lorries. */
export type SignContent = 'plate' | 'trucks'

/** Delay until the next poll; false: the sign no longer matters to this vehicle. */
export const nextPollMs = (checkpointTime: string | null, now: number): number | false =>
  // One more poll after the checkpoint, for the final state.
  checkpointTime !== null && now < Date.parse(checkpointTime) + POLL_MS ? POLL_MS : false

const statusQuery = ({ id, createdAt }: VehicleOnRoad) =>
  queryOptions({
    queryKey: ['plate-on-sign', id, createdAt],
    queryFn: ({ signal }) => call(plateStatus, { params: { id }, query: { createdAt }, signal, background: true }),
    staleTime: 0,
    // Without a status the sign cannot be commanded: shows the error at once; the next poll retries.
    retry: false,
  })

/** What the user may do with the sign for this vehicle. */
export const usePlateStatus = (vehicle: VehicleOnRoad) =>
  useQuery({ ...statusQuery(vehicle), refetchInterval: () => nextPollMs(vehicle.checkpointTime, serverNow()) })

/** Shows the vehicle on the sign or clears it; shows errors above the page. */
export function usePlateCommand(vehicle: VehicleOnRoad) {
  const { t } = useTranslation('vehicle')
  const client = useQueryClient()
  const { queryKey } = statusQuery(vehicle)
  const key = { params: { id: vehicle.id }, query: { createdAt: vehicle.createdAt } }
  return useMutation({
    mutationFn: (content: SignContent | 'cancel') =>
      content === 'cancel'
        ? call(cancelPlate, key)
        : call(showPlate, { ...key, query: { ...key.query, allTrucks: content === 'trucks' } }),
    onSuccess: async (status) => {
      // A running poll would overwrite the result with older data.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, status)
    },
    onError: (error, content) => {
      showError(error, { title: t(content === 'cancel' ? 'sign-cancel-failed' : 'sign-show-failed') })
      void client.invalidateQueries({ queryKey })
    },
  })
}
