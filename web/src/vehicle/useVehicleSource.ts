import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { openStates } from '@rogatka/contract/options.ts'
import type { Image, imageVersions, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, callCached } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { connection } from '../core/connection.ts'
import { ApiFailure, Unavailable } from '../core/failure.ts'
import { useStore } from '../core/store.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'
import { withOwnTags } from './ownTags.ts'

/** Live list and archive have the same endpoints under different paths. */
export type Source = 'live' | 'archive'

export const endpointsOf = (source: Source) => (source === 'live' ? current : archive)

/** Identifies one detection. The live list identifies vehicles without the time. */
export type PassageKey = { source: Source; id: number; locationId: number; createdAt?: string | undefined }

export const passageKeyOf = (source: Source, vehicle: WireVehicle): PassageKey => ({
  source,
  id: vehicle.id,
  locationId: vehicle.location.id,
  createdAt: vehicle.createdAt,
})

export const keyOf = ({ locationId, createdAt }: PassageKey) => ({ locationId, ...(createdAt && { createdAt }) })

export const vehicleQuery = (passage: PassageKey) =>
  queryOptions({
    queryKey: ['vehicle', passage.source, passage.id, passage.locationId, passage.createdAt ?? null],
    queryFn: async ({ signal }) => {
      const requestedAt = performance.now()
      const vehicle = await call(endpointsOf(passage.source).detail, {
        params: { id: passage.id },
        query: {
          ...keyOf(passage),
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
export const useVehicle = (passage: PassageKey) =>
  useQuery({
    ...vehicleQuery(passage),
    refetchInterval: ({ state: { data } }) => {
      if (!data) return false
      const otherwise = isInspected(data) ? INSPECTION_POLL_MS : false
      if (passage.source !== 'live') return otherwise
      const timeout = data.images?.length ? IMAGE_POLL_TIMEOUT_MS.others : IMAGE_POLL_TIMEOUT_MS.first
      return serverNow() - Date.parse(data.createdAt) < timeout ? IMAGE_POLL_MS : otherwise
    },
  })

const BUSY_RETRIES = 3
const BUSY_RETRY_MS = 5_000

type ImageOptions = { version?: (typeof imageVersions)[number]; enabled?: boolean }

/** Object URL of an image: undefined while loading, null if there is none or it is unavailable. Errors are only logged, but not that the server is away. */
export function useImage(
  image: Image | null,
  { version = 'thumbnail', enabled = true }: ImageOptions = {},
): string | null | undefined {
  // Without the server each one would fail, and log an error; they are loaded when it is back.
  const isLost = useStore(connection).state === 'lost'
  const { data: blob, isError } = useQuery({
    queryKey: ['image', image?.path, version],
    queryFn: async ({ signal }) => {
      try {
        return await callCached(`${image?.path}/${version}`, { signal, background: true })
      } catch (error) {
        if (!signal.aborted && !(error instanceof Unavailable))
          console.warn(`The image ${image?.path} could not be loaded.`, error)
        throw error
      }
    },
    enabled: enabled && image !== null && !isLost,
    staleTime: Number.POSITIVE_INFINITY,
    // So many versions are being created that the server refuses further ones for a while.
    retry: (failures, error) => failures < BUSY_RETRIES && error instanceof ApiFailure && error.status === 503,
    retryDelay: BUSY_RETRY_MS,
  })
  const url = useObjectUrl(blob)
  return image === null || isError ? null : url
}
