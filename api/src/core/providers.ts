import { readFileSync } from 'node:fs'
import { providerId } from '@rogatka/contract/session-providers.ts'
import { parseRoleMap, type RoleMap } from '@rogatka/domain/session/providerClaims.ts'
import { z } from 'zod'

/** An OpenID Connect provider through which users sign in. */
export type Provider = {
  id: string
  /** Its name on the login page. */
  label: string
  issuer: string
  clientId: string
  /** Absent: a public client, which PKCE alone protects. */
  clientSecret: string | undefined
  scope: string
  /** Claim with the groups of a user. */
  roleClaim: string
  roleMap: RoleMap
  /** Values of `acr` that stand for a second factor. */
  mfaAcr: readonly string[]
  /** Whether a sign-out ends the session of the provider, too, where it has an address for that. */
  logout: boolean
  /** Whether a sign-in by password links an account to it where a role requires a provider. */
  linkAtSignIn: boolean
}

/** For providers whose own entry has none. */
export type ProviderDefaults = { roleClaim: string; roleMap: RoleMap | null; mfaAcr: readonly string[] }

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)$/
const SCOPE = 'openid profile email'

export const roleMap = z.string().transform((text, context) => {
  const map = parseRoleMap(text)
  if (map) return map
  context.addIssue({ code: 'custom', message: 'group=role;group=role is needed' })
  return z.NEVER
})

/** Values separated by spaces or commas. */
export const acrValues = z.string().transform((text) => text.split(/[\s,]+/).filter((value) => value !== ''))

const entries = z
  .array(
    z.strictObject({
      id: providerId,
      label: z.string().trim().min(1).max(60),
      issuer: z
        .url({ protocol: /^https?$/ })
        .refine((text) => text.startsWith('https:') || LOOPBACK.test(new URL(text).hostname), 'https is needed')
        .refine((text) => !/[?#]/.test(text), 'it must not have a query or a fragment'),
      clientId: z.string().min(1).max(500),
      clientSecret: z.string().min(1).max(1_000).optional(),
      scope: z
        .string()
        .max(500)
        .refine((text) => text.split(' ').includes('openid'), 'openid is needed')
        .default(SCOPE),
      roleClaim: z.string().min(1).max(200).optional(),
      roleMap: roleMap.optional(),
      mfaAcr: acrValues.optional(),
      logout: z.boolean().default(true),
      linkAtSignIn: z.boolean().default(false),
    }),
  )
  .min(1)
  .max(20)
  .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'each id once')

/**
 * Reads the file of providers; none without a file.
 * @throws Error with one line that says what is wrong with it
 */
export function readProviders(path: string | undefined, defaults: ProviderDefaults): Provider[] {
  if (path === undefined) return []
  const fail = (reason: string): never => {
    throw new Error(`Configuration: OIDC_PROVIDERS: ${path}: ${reason}`)
  }
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // A message of JSON.parse quotes what it read, which may be a secret.
    return fail(error instanceof SyntaxError ? 'not JSON' : (error as Error).message)
  }
  const { data, error } = entries.safeParse(content)
  if (!data) return fail(error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '))
  return data.map((entry) => ({
    ...entry,
    clientSecret: entry.clientSecret,
    roleClaim: entry.roleClaim ?? defaults.roleClaim,
    roleMap: entry.roleMap ?? defaults.roleMap ?? fail(`${entry.id}: roleMap or OIDC_ROLE_MAP is needed`),
    mfaAcr: entry.mfaAcr ?? defaults.mfaAcr,
  }))
}

/** The name of a provider; its id if the file has it no longer, null for null. */
export const providerLabel = (providers: readonly Provider[], id: string | null): string | null =>
  id === null ? null : (providers.find((provider) => provider.id === id)?.label ?? id)
