import { hasRight } from '@rogatka/contract/access.ts'

/** Who needs a second factor besides the users of roles that require one. */
export const factorPolicies = ['off', 'admins', 'all'] as const
export type FactorPolicy = (typeof factorPolicies)[number]

type Role = { permissions: readonly string[]; requiresFactor: boolean }

/** Whether users of a role need a second factor: the stricter of the portal's policy and the role. */
export function isFactorRequired(policy: FactorPolicy, { permissions, requiresFactor }: Role): boolean {
  return requiresFactor || policy === 'all' || (policy === 'admins' && hasRight(permissions, 'UsersAdmin'))
}
