import { queryOptions } from '@tanstack/react-query'

/** Query of a stored record. Never cached, because a form must not start from outdated data. */
export const storedRecord = <T>(feature: string, id: number, fetch: (signal: AbortSignal) => Promise<T>) =>
  queryOptions({
    queryKey: [feature, 'one', id],
    queryFn: ({ signal }) => fetch(signal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
