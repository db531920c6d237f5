import { useRight, useSelf } from '../core/useSelf.ts'
import { useAllUsers } from '../users/publicApi.ts'

type Owners = {
  /** Select options; null if the user may only own their own entries. */
  owners: { value: string; label: string }[] | null
  self: number | null
  /** Whether the user can change the entries of this owner, or of all owners if undefined. */
  canManage: (userId: number | undefined) => boolean
}

/** Possible owners of entries. */
export function useOwners(): Owners {
  const { data: self } = useSelf()
  const managesUsers = useRight('UserManagement')
  const users = useAllUsers(managesUsers).data?.content ?? []
  const others = users.filter(({ id }) => id !== self?.id)
  return {
    owners: managesUsers ? users.map(({ id, username }) => ({ value: String(id), label: username })) : null,
    self: self?.id ?? null,
    canManage: (userId) =>
      !managesUsers || others.every(({ id, manageable }) => manageable || (userId !== undefined && id !== userId)),
  }
}
