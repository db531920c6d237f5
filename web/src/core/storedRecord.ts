import { queryOptions } from '@tanstack/react-query'

/** A record as it is stored now: a form must never begin with what somebody else has changed since. */
export const storedRecord = <T>(feature: string, id: number, fetch: (signal: AbortSignal) => Promise<T>) =>
  queryOptions({
    queryKey: [feature, 'one', id],
    queryFn: ({ signal }) => fetch(signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
