import { login } from '@rogatka/contract/session.ts'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { buildQuery } from '../core/useBuild.ts'

type Credentials = { username: string; password: string }

type Outcome = { token: string } | { errors: Partial<Record<keyof Credentials, string>> }

/** Signs in; what the fields lack is found here already. Rejects as `call` does. */
export async function signIn(credentials: Credentials): Promise<Outcome> {
  const { error } = login.body.safeParse(credentials)
  if (error) return { errors: Object.fromEntries(error.issues.map(({ path, message }) => [path[0], message])) }
  return call(login, { body: credentials })
}

/** The build, for the page of the login too: the portal finds it known. */
export const fetchBuild = () => queryClient.ensureQueryData(buildQuery)
