import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { requiredFactors, roleOrders } from './options.ts'
import { optionalText, queryId, queryInt, requiredText, sortDirections } from './wire.ts'

/** Permission of a role, by its name ROLE_n. */
export const permission = z.object({
  name: z.string().regex(/^ROLE_\d{1,3}$/, 'unknown-option'),
  id: z.int().optional(),
  description: z.string().nullish(),
})

export const role = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string().nullable(),
  /** Sorted by number. */
  permissions: z.array(permission),
  /** Its users need a second factor, whatever the portal requires. */
  requiresFactor: z.boolean(),
  /** Which one; `none` if `requiresFactor` is false. A user with several roles needs what each requires. */
  requiredFactor: z.enum(requiredFactors),
  /** Number of users, without deleted ones. */
  users: z.int(),
  /** Version for optimistic locking: must be sent with a change. */
  version: z.int(),
})
export type Role = z.infer<typeof role>

export const newRole = z.object({
  name: requiredText(60, 'role-name-required'),
  description: optionalText(200).nullish(),
  permissions: z
    .array(z.union([z.string().regex(/^ROLE_\d{1,3}$/, 'unknown-option'), permission]), {
      error: ({ input }) => (input == null ? 'role-permissions-required' : 'invalid-value'),
    })
    .min(1, 'role-permissions-required')
    .max(200, 'list-too-long'),
  /** Unchanged if absent, `none` for a new role. */
  requiredFactor: z.enum(requiredFactors).optional(),
  /** Without `requiredFactor`: false for `none`, true for `any` unless the role requires one already. */
  requiresFactor: z.boolean().optional(),
})

const roleParams = z.object({ id: queryId })

export const list = endpoint({
  method: 'GET',
  path: '/roles',
  access: 'UserManagement',
  summary: 'Lists roles: an array, or content and totalCount with paging',
  query: z.object({
    page: queryId.optional(),
    limit: queryInt.pipe(z.int().min(1).max(100)).default(10),
    orderBy: z.enum(roleOrders).default('name'),
    orderDirection: z.enum(sortDirections).default('asc'),
    /** Substring of the name, case-insensitive. */
    name: z.string().trim().max(60).optional(),
  }),
  response: z.union([z.array(role), z.object({ content: z.array(role), totalCount: z.int() })]),
})

export const read = endpoint({
  method: 'GET',
  path: '/roles/:id',
  access: 'UserManagement',
  summary: 'Returns a role',
  params: roleParams,
  response: role,
})

export const add = endpoint({
  method: 'POST',
  path: '/roles',
  access: 'Roles',
  summary: 'Creates a role; callers cannot grant rights that they lack',
  stepUp: 'recent',
  body: newRole,
  response: role,
})

export const change = endpoint({
  method: 'PUT',
  path: '/roles/:id',
  access: 'Roles',
  summary: 'Changes a role',
  stepUp: 'recent',
  params: roleParams,
  body: newRole.extend({ version: z.int().optional() }),
  response: role,
})

export const bulkDelete = endpoint({
  method: 'POST',
  path: '/roles/bulk-delete',
  access: 'Roles',
  summary: 'Deletes roles without users; all or none',
  stepUp: 'recent',
  body: z.array(z.int().positive()).min(1).max(1000),
})
