import { hasRight, type Right } from '@rogatka/contract/access.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import { useSession } from './session.ts'

/** The signed-in user with their permissions. */
export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => call(readSelf, { signal, background: true }),
  staleTime: 60_000,
})

export const useSelf = () => {
  const { token } = useSession()
  return useQuery({ ...selfQuery, enabled: token !== null })
}

/** Whether the user has the right; false while loading. */
export const useRight = (right: Right): boolean => {
  const { data: self } = useSelf()
  return self !== undefined && hasRight(self.permissions, right)
}
