import type { Image, imageVersions } from '@rogatka/contract/vehicle.ts'
import { useQuery } from '@tanstack/react-query'
import { callCached } from '../core/call.ts'
import { connection } from '../core/connection.ts'
import { ApiFailure, ServerUnavailable } from '../core/failure.ts'
import { useStore } from '../core/store.ts'
import { useObjectUrl } from '../core/useObjectUrl.ts'

/** 503: the server is creating too many versions at once; 429: too many requests of this session or address. */
const BUSY_STATUSES = [503, 429]
const BUSY_RETRIES = 3
const BUSY_RETRY_MS = 5_000

type ImageOptions = { version?: (typeof imageVersions)[number]; enabled?: boolean }

/**
 * Object URL of an image: undefined while loading, null if there is none or it is unavailable. Errors are only logged,
 * except that the server is unavailable.
 */
export function useImage(
  image: Image | null,
  { version = 'thumbnail', enabled = true }: ImageOptions = {},
): string | null | undefined {
  // While the server is unavailable each image would fail, and log an error; they are loaded when it is back.
  const isLost = useStore(connection).state === 'lost'
  const { data: blob, isError } = useQuery({
    queryKey: ['image', image?.path, version],
    queryFn: async ({ signal }) => {
      try {
        return await callCached(`${image?.path}/${version}`, { signal, background: true })
      } catch (error) {
        if (!signal.aborted && !(error instanceof ServerUnavailable))
          console.warn(`The image ${image?.path} could not be loaded.`, error)
        throw error
      }
    },
    enabled: enabled && image !== null && !isLost,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (failures, error) =>
      failures < BUSY_RETRIES && error instanceof ApiFailure && BUSY_STATUSES.includes(error.status),
    retryDelay: (_, error) => (error instanceof ApiFailure ? error.retryAfterMs : null) ?? BUSY_RETRY_MS,
  })
  const url = useObjectUrl(blob)
  return image === null || isError ? null : url
}
