import { hasRight } from '@rogatka/contract/access.ts'
import type { SessionFactor } from '@rogatka/contract/options.ts'

/** Who needs a second factor besides the users of roles that require one. */
export const factorPolicies = ['off', 'admins', 'all'] as const
export type FactorPolicy = (typeof factorPolicies)[number]

/** What all roles of a user require together, of whatever kind: a second factor, a passkey, a sign-in through a provider. */
export type RoleDemand = { factor: boolean; passkey: boolean; provider: boolean }

type User = { permissions: readonly string[]; demand: RoleDemand }

/** Whether a user needs a second factor: the stricter of the portal's policy and the roles. */
export function isFactorRequired(policy: FactorPolicy, { permissions, demand }: User): boolean {
  return demand.factor || policy === 'all' || (policy === 'admins' && hasRight(permissions, 'UsersAdmin'))
}

/** Whether a session, opened with this factor, lacks one that its user needs and may set up in it. */
export function isFactorMissing(policy: FactorPolicy, user: User, factor: SessionFactor | null): boolean {
  if (user.demand.passkey) return factor !== 'passkey'
  return factor === null && isFactorRequired(policy, user)
}
