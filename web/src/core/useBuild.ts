import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { build } from '@rogatka/contract/session.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'

export type Build = WireOf<typeof build, 'response'>

/** Variant and owner of this build; never refetched. */
export const buildQuery = queryOptions({
  queryKey: ['build'],
  queryFn: ({ signal }) => call(build, { signal, background: true }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

/** Builds whose code starts with SG have no signs, failure reports and calibration, and do not link the live list. */
export const isSg = (buildCode: string): boolean => buildCode.startsWith('SG')

/** Target of the logo and of a login: the live list, or the archive in the SG variant. */
export const homePath = (sg: boolean): '/' | '/archival' => (sg ? '/archival' : '/')

/** The build, once loaded, and whether it is the SG variant. */
export const useBuild = () => {
  const { data: build } = useQuery(buildQuery)
  return { build, sg: build !== undefined && isSg(build.buildCode) }
}
