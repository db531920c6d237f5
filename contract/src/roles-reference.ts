import type { z } from 'zod'
import { permissionOf } from './access.ts'
import { reference } from './reference.ts'
import * as roles from './roles.ts'

const roleExample: z.input<typeof roles.role> = {
  id: 101,
  name: 'A',
  description: 'Noc',
  permissions: [{ name: permissionOf('CurrentMeasurements') }],
  users: 0,
  requiresFactor: false,
  requiredFactor: 'none',
  version: 1,
}

export const rolesReference = reference('Roles', roles, {
  add: {
    errors: {
      400: ['role-name-required', 'role-permissions-required'],
      403: ['administrator-needed', 'anonymization-stays', 'right-not-held'],
      409: ['role-name-taken'],
      422: ['factors-cannot-be-kept', 'passkeys-unavailable', 'providers-missing'],
    },
    body: {
      name: 'A',
      description: 'Noc',
      permissions: [permissionOf('CurrentMeasurements'), permissionOf('ArchiveMeasurements')],
    },
    response: roleExample,
  },
  bulkDelete: {
    errors: {
      403: ['administrator-needed', 'role-has-more-rights'],
      404: ['role-not-found'],
      409: ['role-in-use'],
      422: ['administrator-role-is-fixed', 'last-administrator'],
    },
    body: [101],
  },
  change: {
    errors: {
      400: ['role-name-required', 'role-permissions-required'],
      403: ['administrator-needed', 'anonymization-stays', 'right-not-held', 'role-has-more-rights'],
      404: ['role-not-found'],
      409: ['changed-meanwhile', 'role-name-taken'],
      422: [
        'administrator-role-is-fixed',
        'factors-cannot-be-kept',
        'last-administrator',
        'passkeys-unavailable',
        'providers-missing',
      ],
    },
    params: { id: 102 },
    body: { name: 'Kierownicy', description: 'Ruch', permissions: [permissionOf('Stat')] },
    response: roleExample,
  },
  list: { query: { page: 1, limit: 2, orderDirection: 'desc' }, response: { content: [roleExample], totalCount: 6 } },
  read: { errors: { 404: ['role-not-found'] }, params: { id: 1 }, response: roleExample },
})
