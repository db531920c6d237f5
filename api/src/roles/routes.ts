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
import { type Api, route } from '../core/route.ts'
import { notifySessionChange } from '../core/session-queries.ts'
import { changeAccounts } from './change-accounts.ts'
import { deleteRole, insertRole, type RoleValues, roleById, roleCount, roles, updateRole } from './queries.ts'

const permissionNames = (role: Role) => role.permissions.map(({ name }) => name)

const valuesOf = (body: {
  name: string
  description?: string | null | undefined
  permissions: (string | { name: string })[]
  requiresFactor?: boolean | undefined
}): RoleValues => ({
  name: body.name,
  description: body.description || null,
  permissions: sortPermissions(
    body.permissions.map((permission) => (typeof permission === 'string' ? permission : permission.name)),
  ),
  requiresFactor: body.requiresFactor,
})

/** @throws if the portal has no key to keep the secrets of second factors with, so that nobody of the role could sign in */
function checkFactor({ config }: Api, { requiresFactor }: RoleValues): void {
  if (requiresFactor && !config.secretKey) throw new Refusal('factors-cannot-be-kept', 422, 'requiresFactor')
}

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
    const values = valuesOf(body)
    checkFactor(api, values)
    return changeAccounts(api, session, [endpoints.add.access], async (db, caller) => {
      const error = grantError(caller.permissions, [], values.permissions)
      if (error) throw new Refusal(error, 403, 'permissions')
      const role = (await roleById(db, await insertRole(db, values))) as Role
      await audit(db, { session, request, now }, { action: 'role-added', subject: role.name, after: values })
      return role
    })
  })

  route(api, endpoints.change, async ({ now, session, params, body, request }) => {
    const values = valuesOf(body)
    checkFactor(api, values)
    return changeAccounts(api, session, [endpoints.change.access], async (db, caller) => {
      const before = await roleById(db, params.id)
      if (!before) throw new Refusal('role-not-found', 404)
      const requiresFactor = values.requiresFactor ?? before.requiresFactor
      const isFactorChanged = requiresFactor !== before.requiresFactor
      const isRenamed = isFactorChanged || values.name !== before.name || values.description !== before.description
      const error = roleChangeError(caller.permissions, permissionNames(before), values.permissions, isRenamed)
      if (error) throw new Refusal(error, 403, 'permissions')
      if (before.id === ADMINISTRATOR_ROLE && !fitsAdministratorRole(values.permissions))
        throw new Refusal('administrator-role-is-fixed', 422, 'permissions')
      if (!(await updateRole(db, params.id, body.version ?? before.version, values)))
        throw new Refusal('changed-meanwhile', 409)
      const { name, description } = before
      const auditEntry: NewAuditEntry = { action: 'role-changed', subject: values.name, after: values }
      await audit(
        db,
        { session, request, now },
        {
          ...auditEntry,
          before: {
            name,
            description,
            permissions: permissionNames(before),
            ...(isFactorChanged && { requiresFactor: before.requiresFactor }),
          },
        },
      )
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
