import { readPurpose, setPurpose } from '@rogatka/contract/trail.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { queryClient } from '../core/queryClient.ts'

/** After its end, ms: the server says whether another tab has given a new one. */
const END_MARGIN_MS = 1_000

/** Why this session looks for plates; another tab of the session may change it. */
export const purposeQuery = queryOptions({
  queryKey: ['purpose'],
  queryFn: ({ signal }) => call(readPurpose, { signal, background: true }),
  staleTime: 0,
  refetchOnWindowFocus: true,
  refetchInterval: ({ state: { data } }) =>
    data?.current ? Math.max(0, Date.parse(data.current.until) - serverNow()) + END_MARGIN_MS : false,
})

/** Says why this session looks for plates. */
export async function givePurpose(body: NonNullable<Parameters<typeof call<typeof setPurpose>>[1]>['body']) {
  queryClient.setQueryData(purposeQuery.queryKey, await call(setPurpose, { body, background: true }))
}
