import type { RequiredFactor } from '@rogatka/contract/options.ts'
import type { Role } from '@rogatka/contract/roles.ts'
import * as endpoints from '@rogatka/contract/roles.ts'
import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import {
  fitsAdministratorRole,
  grantError,
  roleChangeError,
  roleDeletionError,
  sortPermissions,
} from '@rogatka/domain/users/grants.ts'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import { Refusal } from '../core/refusal.ts'
import { relyingParty } from '../core/relying-party.ts'
import { type Api, route } from '../core/route.ts'
import { notifySessionChange } from '../core/session-queries.ts'
import { changeAccounts } from './change-accounts.ts'
import { deleteRole, insertRole, type RoleValues, roleById, roleCount, roles, updateRole } from './queries.ts'

const permissionNames = (role: Role) => role.permissions.map(({ name }) => name)

type Body = {
  name: string
  description?: string | null | undefined
  permissions: (string | { name: string })[]
  requiredFactor?: RequiredFactor | undefined
  requiresFactor?: boolean | undefined
}

/** The factor that a role requires after a change; callers of earlier versions know only whether one is required. */
function requiredFactorOf({ requiredFactor, requiresFactor }: Body, before: RequiredFactor): RequiredFactor {
  if (requiredFactor !== undefined || requiresFactor === undefined) return requiredFactor ?? before
  return requiresFactor ? (before === 'none' ? 'any' : before) : 'none'
}

/** `before`: the factor that the role requires now. */
const valuesOf = (body: Body, before: RequiredFactor): RoleValues => ({
  name: body.name,
  description: body.description || null,
  permissions: sortPermissions(
    body.permissions.map((permission) => (typeof permission === 'string' ? permission : permission.name)),
  ),
  requiredFactor: requiredFactorOf(body, before),
})

/** @throws 422 if nobody of the role could sign in: the portal keeps no secrets, has no passkeys, or no providers */
function checkFactor({ config }: Api, required: RequiredFactor, { requiresFactor }: Body): void {
  const path = requiresFactor === undefined ? 'requiredFactor' : 'requiresFactor'
  if (required !== 'none' && !config.secretKey) throw new Refusal('factors-cannot-be-kept', 422, path)
  if (required === 'passkey' && !relyingParty(config)) throw new Refusal('passkeys-unavailable', 422, path)
  if (required === 'provider' && config.providers.length === 0) throw new Refusal('providers-missing', 422, path)
}

/** The factor as the audit log has it: whether one is required, and which if it is a specific one. */
const auditedFactor = (required: RequiredFactor) => ({
  requiresFactor: required !== 'none',
  ...((required === 'passkey' || required === 'provider') && { requiredFactor: required }),
})

/** Registers the routes of roles. Which permissions a user may grant: domain/users/grants.ts. */
export function rolesRoutes(api: Api): void {
  route(api, endpoints.list, async ({ db, query: { page, limit, orderBy, orderDirection, name } }) => {
    const order = { name, orderBy, descending: orderDirection === 'desc' }
    if (page === undefined) return roles(db, { ...order, limit: null, offset: 0 })
    const totalCount = await roleCount(db, name)
    return { content: await roles(db, { ...order, limit, offset: (page - 1) * limit }), totalCount }
  })

  route(api, endpoints.read, async ({ db, params }) => {
    const role = await roleById(db, params.id)
    if (!role) throw new Refusal('role-not-found', 404)
    return role
  })

  route(api, endpoints.add, async ({ now, session, body, request }) => {
    const values = valuesOf(body, 'none')
    checkFactor(api, values.requiredFactor, body)
    return changeAccounts(api, session, [endpoints.add.access], async (db, caller) => {
      const error = grantError(caller.permissions, [], values.permissions)
      if (error) throw new Refusal(error, 403, 'permissions')
      const role = (await roleById(db, await insertRole(db, values))) as Role
      const { requiredFactor, ...after } = values
      await audit(
        db,
        { session, request, now },
        {
          action: 'role-added',
          subject: role.name,
          after: { ...after, ...(requiredFactor !== 'none' && auditedFactor(requiredFactor)) },
        },
      )
      return role
    })
  })

  route(api, endpoints.change, async ({ now, session, params, body, request }) => {
    return changeAccounts(api, session, [endpoints.change.access], async (db, caller) => {
      const before = await roleById(db, params.id)
      if (!before) throw new Refusal('role-not-found', 404)
      const values = valuesOf(body, before.requiredFactor)
      const isFactorChanged = values.requiredFactor !== before.requiredFactor
      if (isFactorChanged) checkFactor(api, values.requiredFactor, body)
      const isOtherwiseChanged =
        isFactorChanged || values.name !== before.name || values.description !== before.description
      const error = roleChangeError(caller.permissions, permissionNames(before), values.permissions, isOtherwiseChanged)
      if (error) throw new Refusal(error, 403, 'permissions')
      if (before.id === ADMINISTRATOR_ROLE && !fitsAdministratorRole(values.permissions))
        throw new Refusal('administrator-role-is-fixed', 422, 'permissions')
      if (!(await updateRole(db, params.id, body.version ?? before.version, values)))
        throw new Refusal('changed-meanwhile', 409)
      const audited = ({ name, description, permissions, requiredFactor }: RoleValues) => ({
        name,
        description,
        permissions,
        ...(isFactorChanged && auditedFactor(requiredFactor)),
      })
      const entry: NewAuditEntry = {
        action: 'role-changed',
        subject: values.name,
        before: audited({ ...before, permissions: permissionNames(before) }),
        after: audited(values),
      }
      await audit(db, { session, request, now }, entry)
      await notifySessionChange(db)
      return (await roleById(db, params.id)) as Role
    })
  })

  route(api, endpoints.bulkDelete, async ({ now, session, body: ids, request }) => {
    await changeAccounts(api, session, [endpoints.bulkDelete.access], async (db, caller) => {
      for (const id of new Set(ids)) {
        const role = await roleById(db, id)
        if (!role) throw new Refusal('role-not-found', 404)
        if (id === ADMINISTRATOR_ROLE) throw new Refusal('administrator-role-is-fixed', 422)
        if (role.users > 0) throw new Refusal('role-in-use', 409)
        const error = roleDeletionError(caller.permissions, permissionNames(role))
        if (error) throw new Refusal(error, 403)
        await deleteRole(db, id)
        const before = { name: role.name, permissions: permissionNames(role) }
        await audit(db, { session, request, now }, { action: 'role-deleted', subject: role.name, before })
      }
    })
  })
}
