import { hasRight, type Right } from '@rogatka/contract/access.ts'
import { readSelf } from '@rogatka/contract/preferences-self.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'
import { queryClient } from './queryClient.ts'
import { useSession } from './session.ts'

/** The signed-in user with their permissions. */
export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => call(readSelf, { signal, background: true }),
  staleTime: 60_000,
})

const cachedPermissions = () => queryClient.getQueryData(selfQuery.queryKey)?.permissions

/** Refetches the signed-in user if that was a minute ago; not on a wall screen, which has none. */
export function refreshSelf(): void {
  if (cachedPermissions()) queryClient.fetchQuery(selfQuery).catch(() => undefined)
}

/** Permissions that a stream has reported as changed. */
let outdated: ReturnType<typeof cachedPermissions>

/** Records that the cached permissions are no longer those of the session. */
export function recordPermissionsChanged(): void {
  outdated = cachedPermissions()
}

/**
 * Calls `onChange` when the permissions of the signed-in user have changed, until `signal`; not for a change that was
 * recorded before.
 */
export function watchPermissions(onChange: () => void, signal: AbortSignal): void {
  let known = cachedPermissions()
  const before = outdated
  const stop = queryClient.getQueryCache().subscribe(() => {
    // Equal ones stay the same object.
    const permissions = cachedPermissions()
    if (permissions === known) return
    const hasChanged = known && permissions && known !== before
    known = permissions
    if (hasChanged) onChange()
  })
  signal.addEventListener('abort', stop)
}

export const useSelf = () => {
  const { token } = useSession()
  return useQuery({ ...selfQuery, enabled: token !== null })
}

/** Whether the user has the right; false while loading. */
export const useRight = (right: Right): boolean => {
  const { data: self } = useSelf()
  return self !== undefined && hasRight(self.permissions, right)
}
