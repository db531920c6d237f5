import { useRight, useSelf } from '../core/useSelf.ts'
import { useAllUsers } from '../users/useUsers.ts'

/** The users to whom an entry may be given, as choices; null for who may only have their own. */
export function useOwners(): { owners: { value: string; label: string }[] | null; self: number | null } {
  const { data: self } = useSelf()
  const manages = useRight('UserManagement')
  const users = useAllUsers(manages)
  const choices = users.data?.content.map(({ id, username }) => ({ value: String(id), label: username })) ?? []
  return { owners: manages ? choices : null, self: self?.id ?? null }
}
