import { lanes, scales } from '@rogatka/contract/certificates.ts'
import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

export type WireScale = WireOf<typeof scales, 'response'>[number]
export type WireLane = WireOf<typeof lanes, 'response'>[number]
export type WireCertificate = WireLane['certificates'][number]

/** Maximum age of lists, which several users may change. */
const listOptions = { staleTime: 0 } as const

export const useScales = () =>
  useQuery({
    queryKey: ['certificates', 'scales'],
    queryFn: ({ signal }) => call(scales, { signal, background: true }),
    ...listOptions,
  })

/** All lanes, by station. */
export const useLanes = () =>
  useQuery({
    queryKey: ['certificates', 'lanes'],
    queryFn: ({ signal }) => call(lanes, { signal, background: true }),
    ...listOptions,
  })

/** Refetches both lists after a change. */
export const invalidateCertificates = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['certificates'] })
