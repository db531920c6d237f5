import { ownFactors, startAuthenticator } from '@rogatka/contract/session-factors.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

export const factorsQuery = queryOptions({
  queryKey: ['factors'],
  queryFn: ({ signal }) => call(ownFactors, { signal, background: true }),
  staleTime: 0,
})

/** A new key and recovery codes, requested once for each time that the form is opened, and then forgotten. */
export const useSetup = () =>
  useQuery({
    queryKey: ['factor-setup'],
    queryFn: () => call(startAuthenticator),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
