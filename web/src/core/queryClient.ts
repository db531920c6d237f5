import { QueryClient } from '@tanstack/react-query'
import { ApiFailure, ServerUnavailable } from './failure.ts'

const MAX_RETRIES = 2

/** Retries only if the server is unavailable or overloaded. */
const isRetryable = (error: unknown): boolean =>
  error instanceof ServerUnavailable || (error instanceof ApiFailure && [502, 503, 504].includes(error.status))

/** Server data. `networkMode: 'always'`, because loopback and closed networks look offline to the browser. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: 'always',
      refetchOnWindowFocus: false,
      staleTime: 30_000,
      retry: (failures, error) => failures < MAX_RETRIES && isRetryable(error),
      retryDelay: (failures) => 500 * 2 ** failures,
    },
    mutations: { networkMode: 'always', retry: false },
  },
})
