import * as endpoints from '@rogatka/contract/users.ts'
import { ADMINISTRATOR_ROLE, type User } from '@rogatka/contract/users.ts'
import { canManage, grantError, manageError } from '@rogatka/domain/users/grants.ts'
import type { z } from 'zod'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import type { Database } from '../core/database.ts'
import { checkNewPassword, hashPassword } from '../core/passwords.ts'
import { providerLabel } from '../core/providers.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { closeSessionsOf } from '../core/session-queries.ts'
import type { Session } from '../core/sessions.ts'
import { type Caller, changeAccounts, roleById, setRole } from '../roles/public-api.ts'
import { deleteViewsOf } from '../views/public-api.ts'
import { auditedIdentity } from './audited-identity.ts'
import { checkContact, storedContact } from './contact.ts'
import { deleteResetTokens, setPassword } from './credential-queries.ts'
import { deleteFactors } from './factor-queries.ts'
import { deleteIdentity, findIdentity } from './identity-queries.ts'
import {
  type Account,
  deleteUser,
  insertUser,
  type UserValues,
  updateUser,
  userById,
  userCount,
  users,
} from './queries.ts'

const toUserOf =
  ({ config }: Api) =>
  (account: Account, caller: Caller): User => {
    const { permissions, ...user } = account
    const provider = providerLabel(config.providers, user.provider)
    const linkedProvider = providerLabel(config.providers, user.linkedProvider)
    return { ...user, provider, linkedProvider, manageable: canManage(caller.permissions, permissions) }
  }

const valuesOf = (body: Body): UserValues => ({
  username: body.username,
  firstName: body.firstName,
  lastName: body.lastName,
  ...storedContact(body),
  enabled: body.enabled,
  ticket: body.ticket,
  description: body.description ?? null,
  company: 'company' in body ? (body.company ?? null) : null,
  ...(body.organization !== undefined && { organization: body.organization || null }),
  ...(body.sendUserLogsToServer !== undefined && { sendUserLogsToServer: body.sendUserLogsToServer }),
})

const roleIdOf = (body: { roles: readonly (number | { id: number })[] }): number => {
  const [role] = body.roles
  return typeof role === 'object' ? role.id : (role as number)
}

/** Refuses a role that the caller may not grant to a user with the permissions `before`. */
async function checkGrant(db: Database, caller: Caller, roleId: number, before: readonly string[]): Promise<void> {
  const role = await roleById(db, roleId)
  if (!role) throw new Refusal('role-not-found', 422, 'roles')
  const permissions = role.permissions.map(({ name }) => name)
  const error = grantError(caller.permissions, before, permissions)
  if (error) throw new Refusal(error, 403, 'roles')
}

/** Refuses to change or delete an account with more permissions than the caller's. */
function checkManageable(caller: Caller, account: Account): void {
  const error = manageError(caller.permissions, account.permissions)
  if (error) throw new Refusal(error, 403)
}

/**
 * The account of another user, if the caller may change it.
 * @throws 404, 403, 422 for the caller's own account, which the settings change after a verification
 */
async function findManageableUser(db: Database, caller: Caller, { userId }: Session, id: number): Promise<Account> {
  const account = await userById(db, id)
  if (!account) throw new Refusal('user-not-found', 404)
  if (id === userId) throw new Refusal('own-account-in-settings', 422)
  checkManageable(caller, account)
  return account
}

/**
 * Refuses changes to one's own account that would let somebody at an unattended screen take it over: password and
 * e-mail change in the settings, which ask for the current password.
 */
function checkOwnAccount(before: Account, { enabled, password, email }: z.output<typeof endpoints.changedUser>): void {
  if (!enabled) throw new Refusal('not-yourself', 422, 'enabled')
  if (password) throw new Refusal('own-account-in-settings', 422, 'password')
  if (before.email !== null && before.email !== (email ?? null))
    throw new Refusal('own-account-in-settings', 422, 'email')
}

/** Refuses what a provider decides: there is no password, and the next sign-in renews the role. */
function checkProviderAccount({ password }: z.output<typeof endpoints.changedUser>, isRoleChanged: boolean): void {
  if (password) throw new Refusal('account-of-provider', 422, 'password')
  if (isRoleChanged) throw new Refusal('role-of-provider', 422, 'roles')
}

const namesOf = ({ username, firstName, lastName, email }: Body) => [username, firstName, lastName, email]
type Body = z.output<typeof endpoints.newUser> | z.output<typeof endpoints.changedUser>

/** The fields of a user kept in the audit log. */
const auditedFields = ({
  id,
  version,
  lastLogin,
  permissions,
  hasFactor,
  provider,
  linkedProvider,
  ...rest
}: Account) => rest

/** Registers the routes of accounts. Permissions to manage others: domain/users/grants.ts. */
export function usersRoutes(api: Api): void {
  const toUser = toUserOf(api)

  route(api, endpoints.list, async ({ db, session, reply, query }) => {
    const { page, limit, orderBy, orderDirection, username } = query
    const totalCount = await userCount(db, username)
    const search = { username, orderBy, descending: orderDirection === 'desc', limit, offset: (page - 1) * limit }
    reply.header('x-total-count', totalCount)
    return { content: (await users(db, search)).map((account) => toUser(account, session)), totalCount }
  })

  route(api, endpoints.read, async ({ db, session, params }) => {
    const account = await userById(db, params.id)
    if (!account) throw new Refusal('user-not-found', 404)
    return toUser(account, session)
  })

  route(api, endpoints.add, async ({ now, session, body, request }) => {
    const roleId = roleIdOf(body)
    await checkNewPassword(api.config, body.password, { roleId, names: namesOf(body) })
    const passwordHash = await hashPassword(body.password)
    return changeAccounts(api, session, endpoints.add.access, async (db, caller) => {
      await checkGrant(db, caller, roleId, [])
      const id = await insertUser(db, { ...valuesOf(body), passwordHash }, now)
      await setRole(db, id, roleId)
      const account = (await userById(db, id)) as Account
      const auditEntry: NewAuditEntry = {
        action: 'user-added',
        subject: account.username,
        after: auditedFields(account),
      }
      await audit(db, { session, request, now }, auditEntry)
      return toUser(account, caller)
    })
  })

  route(api, endpoints.change, async ({ now, session, params, body, request }) => {
    const roleId = roleIdOf(body)
    if (body.password) await checkNewPassword(api.config, body.password, { roleId, names: namesOf(body) })
    const passwordHash = body.password ? await hashPassword(body.password) : null
    return changeAccounts(api, session, endpoints.change.access, async (db, caller) => {
      const before = await userById(db, params.id)
      if (!before) throw new Refusal('user-not-found', 404)
      checkManageable(caller, before)
      if (before.id === session.userId) checkOwnAccount(before, body)
      const isRoleChanged = before.roles[0]?.id !== roleId
      if (before.provider !== null) checkProviderAccount(body, isRoleChanged)
      else checkContact(body)
      if (isRoleChanged) await checkGrant(db, caller, roleId, before.permissions)
      // A new administrator needs a password of the length for administrators.
      if (isRoleChanged && roleId === ADMINISTRATOR_ROLE && !passwordHash)
        throw new Refusal('password-for-admin-cannot-be-shorter-than-12', 422, 'password')

      if (!(await updateUser(db, before.id, body.version ?? before.version, valuesOf(body))))
        throw new Refusal('changed-meanwhile', 409)
      if (isRoleChanged) await setRole(db, before.id, roleId)
      if (passwordHash) await setPassword(db, before.id, passwordHash, now, true)

      const isEmailChanged = before.email?.toLowerCase() !== body.email?.toLowerCase()
      if (passwordHash || isEmailChanged || !body.enabled) await deleteResetTokens(db, before.id)
      const ownSession = before.id === session.userId ? session.tokenHash : null
      if (passwordHash || !body.enabled || isRoleChanged) await closeSessionsOf(db, before.id, ownSession, now)
      const after = (await userById(db, before.id)) as Account
      const auditEntry: NewAuditEntry = {
        action: 'user-changed',
        subject: after.username,
        before: auditedFields(before),
        after: auditedFields(after),
      }
      await audit(db, { session, request, now }, auditEntry)
      return toUser(after, caller)
    })
  })

  route(api, endpoints.bulkDelete, async ({ now, session, body: ids, request }) => {
    await changeAccounts(api, session, endpoints.bulkDelete.access, async (db, caller) => {
      for (const id of new Set(ids)) {
        const account = await userById(db, id)
        if (!account) throw new Refusal('user-not-found', 404)
        if (id === session.userId) throw new Refusal('not-yourself', 422)
        checkManageable(caller, account)
        await deleteUser(db, id, now)
        await deleteViewsOf(db, id)
        await deleteResetTokens(db, id)
        await deleteFactors(db, id)
        await deleteIdentity(db, id)
        await closeSessionsOf(db, id, null, now)
        const auditEntry: NewAuditEntry = {
          action: 'user-deleted',
          subject: account.username,
          before: auditedFields(account),
        }
        await audit(db, { session, request, now }, auditEntry)
      }
    })
  })

  route(api, endpoints.resetFactors, async ({ now, session, params: { id }, request }) => {
    await changeAccounts(api, session, endpoints.resetFactors.access, async (db, caller) => {
      const account = await findManageableUser(db, caller, session, id)
      await deleteFactors(db, id)
      await closeSessionsOf(db, id, null, now)
      await audit(db, { session, request, now }, { action: 'factors-reset', subject: account.username })
    })
  })

  route(api, endpoints.unlinkIdentity, async ({ now, session, params: { id }, request }) => {
    await changeAccounts(api, session, endpoints.unlinkIdentity.access, async (db, caller) => {
      const account = await findManageableUser(db, caller, session, id)
      const identity = await findIdentity(db, id)
      if (!identity) throw new Refusal('account-not-linked', 404)
      if (identity.linkedAt === null) throw new Refusal('account-of-provider', 422)
      await deleteIdentity(db, id)
      await closeSessionsOf(db, id, null, now)
      const before = auditedIdentity(identity)
      const entry = { action: 'identity-unlinked', subject: account.username, before } as const
      await audit(db, { session, request, now }, entry)
    })
  })
}
