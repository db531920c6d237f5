import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { openStates } from '@rogatka/contract/options.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { withOwnTags } from './ownTags.ts'

/** Live list and archive have the same endpoints under different paths. */
export type Source = 'live' | 'archive'

export const endpointsOf = (source: Source) => (source === 'live' ? current : archive)

/** Where a vehicle is found: in the live list, which does not need its time, or in the archive. */
export type VehicleLocator = { source: Source; id: number; locationId: number; createdAt?: string | undefined }

export const locatorOf = (source: Source, vehicle: WireVehicle): VehicleLocator => ({
  source,
  id: vehicle.id,
  locationId: vehicle.location.id,
  createdAt: vehicle.createdAt,
})

export const keyOf = ({ locationId, createdAt }: VehicleLocator) => ({ locationId, ...(createdAt && { createdAt }) })

export const vehicleQuery = (locator: VehicleLocator) =>
  queryOptions({
    queryKey: ['vehicle', locator.source, locator.id, locator.locationId, locator.createdAt ?? null],
    queryFn: async ({ signal }) => {
      const requestedAt = performance.now()
      const vehicle = await call(endpointsOf(locator.source).detail, {
        params: { id: locator.id },
        query: {
          ...keyOf(locator),
          withAxles: true,
          withImages: true,
          withShapeSamples: true,
          withTags: true,
          withDataImages: true,
        },
        signal,
        background: true,
      })
      return withOwnTags(vehicle, requestedAt)
    },
  })

/** Images arrive one by one, some seconds after their vehicle: how long and how often to poll for them. */
const IMAGE_POLL_TIMEOUT_MS = { first: 60_000, others: 20_000 }
const IMAGE_POLL_MS = 2_000

/** Open inspections change at any time. */
const INSPECTION_POLL_MS = 2_000

const isInspected = ({ inspection }: WireVehicle): boolean =>
  inspection !== undefined && (openStates as readonly string[]).includes(inspection.state)

/** One vehicle with all data. */
export const useVehicle = (locator: VehicleLocator) =>
  useQuery({
    ...vehicleQuery(locator),
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false
      const otherwise = isInspected(data) ? INSPECTION_POLL_MS : false
      if (locator.source !== 'live') return otherwise
      const timeout = data.images?.length ? IMAGE_POLL_TIMEOUT_MS.others : IMAGE_POLL_TIMEOUT_MS.first
      return serverNow() - Date.parse(data.createdAt) < timeout ? IMAGE_POLL_MS : otherwise
    },
  })
