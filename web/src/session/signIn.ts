import { login } from '@rogatka/contract/session.ts'
import type { WireSignInOutcome } from '@rogatka/contract/session-outcome.ts'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { buildQuery } from '../core/useBuild.ts'

type Credentials = { username: string; password: string }

type Outcome = WireSignInOutcome | { errors: Partial<Record<keyof Credentials, string>> }

/** Signs in; validates the fields before. Rejects like `call`. */
export async function signIn(credentials: Credentials): Promise<Outcome> {
  const { error } = login.body.safeParse(credentials)
  if (error) return { errors: Object.fromEntries(error.issues.map(({ path, message }) => [path[0], message])) }
  return call(login, { body: credentials })
}

/** The build; cached, so that the portal does not load it again. */
export const fetchBuild = () => queryClient.ensureQueryData(buildQuery)
