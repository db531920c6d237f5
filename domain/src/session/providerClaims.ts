/* What an OpenID Connect provider says about a user, in the claims of an ID token or of its endpoint UserInfo. */

export type Claims = Readonly<Record<string, unknown>>

/** Groups of a provider with the roles that they give, by number or name; the first match counts. */
export type RoleMap = readonly { group: string; role: string }[]

/**
 * Reads `group=role;group=role`. A group may contain `=`, as names of directories do; the last one separates. Null if an
 * entry lacks a group or a role.
 */
export function parseRoleMap(text: string): RoleMap | null {
  const entries = text.split(';').filter((entry) => entry.trim() !== '')
  const map = entries.map((entry) => {
    const at = entry.lastIndexOf('=')
    return { group: entry.slice(0, Math.max(0, at)).trim(), role: entry.slice(at + 1).trim() }
  })
  return map.length > 0 && map.every(({ group, role }) => group !== '' && role !== '') ? map : null
}

/** The groups in a claim, which may be in other claims: `realm_access.roles`. None if it is missing. */
export function groupsOf(claims: Claims, claim: string): string[] {
  const value = claim in claims ? claims[claim] : claim.split('.').reduce<unknown>(memberOf, claims)
  const groups: unknown[] = Array.isArray(value) ? value : [value]
  return groups.filter((group) => typeof group === 'string')
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The role of the first entry whose group is among them; undefined if none is. */
export const mappedRole = (map: RoleMap, groups: readonly string[]): string | undefined =>
  map.find(({ group }) => groups.includes(group))?.role

/** Whether the provider has asked for a second factor: `mfa` in `amr` (RFC 8176), or `acr` is one of those values. */
export function hasSecondFactor({ amr, acr }: Claims, acrValues: readonly string[]): boolean {
  return (Array.isArray(amr) && amr.includes('mfa')) || (typeof acr === 'string' && acrValues.includes(acr))
}

/** Longest name of a user. */
const MAX_NAME = 60

/** A claim as a name: without control and invisible characters, cut to 60 characters; null if nothing is left. */
function nameOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = value
    .toWellFormed()
    .replace(/[\p{C}]/gu, '')
    .trim()
  return [...text].slice(0, MAX_NAME).join('').slice(0, MAX_NAME).trim().toWellFormed() || null
}

/** The names of a new account: as the provider has them, else its subject. */
export function namesOf(claims: Claims): { username: string; firstName: string; lastName: string } {
  const { preferred_username: preferred, email, sub, given_name: given, family_name: family, name } = claims
  const username = nameOf(preferred) ?? nameOf(email) ?? nameOf(sub) ?? 'user'
  const parts = nameOf(name)?.split(' ') ?? []
  return {
    username,
    firstName: nameOf(given) ?? (parts.length > 1 ? parts.slice(0, -1).join(' ') : username),
    lastName: nameOf(family) ?? parts.at(-1) ?? username,
  }
}

/** The same name with a number, for a name that is in use: `anna-2`. At most 60 characters. */
export function numberedName(name: string, number: number): string {
  const suffix = `-${number}`
  return number < 2 ? name : name.slice(0, MAX_NAME - suffix.length).toWellFormed() + suffix
}
