import { administratorPermissions, hasRight } from '@rogatka/contract/access.ts'
import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { sortPermissions } from '@rogatka/domain/users/grants.ts'
import { auditWithoutSession } from '../core/audit.ts'
import type { Pool } from '../core/database.ts'
import { checkNewPassword, hashPassword, type PasswordRules } from '../core/passwords.ts'
import { Refusal } from '../core/refusal.ts'
import { closeSessionsOf, findRoleDemand, notifySessionChange } from '../core/session-queries.ts'
import { administratorLevel, isRoleNameFree, lockAccounts, roleById, setRole, upsertRole } from '../roles/public-api.ts'
import { accountByUsername, requirePasswordChange } from './credential-queries.ts'
import { enableUser, hasAnyUser, insertUser, userById } from './queries.ts'

/** Username of the first administrator. */
export const ADMINISTRATOR = 'admin'

/**
 * Creates the administrator `admin` at the first start; returns whether it did.
 * @throws if there is no user yet, and no password or one that is easily guessed
 */
export async function ensureAdministrator(
  db: Pool,
  password: string | undefined,
  rules: PasswordRules,
  now: Date,
): Promise<boolean> {
  if (await hasAnyUser(db)) return false
  if (!password)
    throw new Error('ADMIN_PASSWORD: the first start needs a password of the administrator (12 or more characters)')
  const name = { username: ADMINISTRATOR, firstName: 'Administrator', lastName: 'Rogatka', email: null }
  await checkNewPassword(rules, password, { roleId: ADMINISTRATOR_ROLE, names: [ADMINISTRATOR] }).catch((error) => {
    throw error instanceof Refusal ? new Error(`ADMIN_PASSWORD: ${error.message}`) : error
  })
  const passwordHash = await hashPassword(password)
  // Of several processes starting for the first time, one creates the account.
  return db.transaction(async (db) => {
    await lockAccounts(db)
    if (await hasAnyUser(db)) return false
    const id = await insertUser(db, { ...name, passwordHash }, now)
    await setRole(db, id, ADMINISTRATOR_ROLE)
    return true
  })
}

const ROLE_NAME = 'Administrator'

/**
 * Restores all permissions of the administrator role, without anonymisation, and optionally grants the role to an
 * account and enables it. Returns whether an enabled account now has every permission.
 * @throws if the account does not exist
 */
export async function restoreAdministrator(db: Pool, username: string | undefined, now: Date): Promise<boolean> {
  return db.transaction(async (db) => {
    await lockAccounts(db)
    const actor = { userId: null, ip: null, now }
    const role = await roleById(db, ADMINISTRATOR_ROLE)
    const before = role?.permissions.map(({ name }) => name) ?? []
    const unrestricted = before.filter((permission) => !hasRight([permission], 'Anonymization'))
    const permissions = sortPermissions([...unrestricted, ...administratorPermissions])
    const isFree = await isRoleNameFree(db, ROLE_NAME)
    const name = role?.name ?? (isFree ? ROLE_NAME : `${ROLE_NAME} ${ADMINISTRATOR_ROLE}`)
    // `upsertRole` then requires any second factor instead of a passkey or provider.
    const isFactorRelaxed = role?.requiredFactor === 'passkey' || role?.requiredFactor === 'provider'
    await upsertRole(db, ADMINISTRATOR_ROLE, { name, description: null, permissions })
    await auditWithoutSession(db, actor, {
      action: 'role-restored-by-command',
      subject: name,
      before: {
        permissions: before,
        ...(isFactorRelaxed && { requiresFactor: true, requiredFactor: role?.requiredFactor }),
      },
      after: { permissions, ...(isFactorRelaxed && { requiresFactor: true }) },
    })
    if (username) {
      const id = (await accountByUsername(db, username))?.id
      const account = id === undefined ? undefined : await userById(db, id)
      if (!account) throw new Error(`User ${username} not found`)
      if (account.provider !== null) throw new Error(`${username} signs in through a provider, which decides the role`)
      const isPromoted = account.roles[0]?.id !== ADMINISTRATOR_ROLE
      const { passkey, provider } = await findRoleDemand(db, account.id)
      // A further role may require what the account does not have.
      if (isPromoted || passkey || provider) await setRole(db, account.id, ADMINISTRATOR_ROLE)
      // A password chosen for another role may be too short for this one.
      if (isPromoted) await requirePasswordChange(db, account.id)
      await enableUser(db, account.id)
      await closeSessionsOf(db, account.id, null, now)
      await auditWithoutSession(db, actor, {
        action: 'administrator-restored-by-command',
        subject: account.username,
        before: { roles: account.roles, enabled: account.enabled },
        after: { roles: [{ id: ADMINISTRATOR_ROLE, name }], enabled: true },
      })
    }
    await notifySessionChange(db)
    return (await administratorLevel(db)) === 3
  })
}
