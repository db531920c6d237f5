import type { z } from 'zod'
import { permissionOf } from './access.ts'
import { reference } from './reference.ts'
import * as users from './users.ts'
import type { self } from './users-self.ts'

export const selfExample: z.input<typeof self> = {
  id: 101,
  username: 'p.dab',
  firstName: 'Maria',
  lastName: 'Zawadzka',
  email: 'maria@example.org',
  phoneNumber: '+48600100200',
  roles: [{ id: 101, name: 'p.dab' }],
  passwordUpdatedAt: '2026-10-20T08:00:00.000Z',
  provider: null,
  linkedProvider: null,
  permissions: [permissionOf('UserManagement')],
  mustChangePassword: true,
  checkpointAdditionalTime: 60,
  passwordExpired: false,
  mustSetUpFactor: false,
}

const userExample: z.input<typeof users.user> = {
  id: 101,
  username: 'a.nowak',
  firstName: 'Anna',
  lastName: 'Lis',
  email: 'anna@example.org',
  phoneNumber: '+491701234567',
  roles: [{ id: 2, name: 'Analityk' }],
  passwordUpdatedAt: '2026-10-20T08:00:00.000Z',
  provider: null,
  linkedProvider: null,
  phoneNumberDir: '+49',
  enabled: false,
  description: 'Zastępca',
  company: 'Drogi',
  organization: 'GDDKiA',
  sendUserLogsToServer: true,
  ticket: true,
  lastLogin: null,
  hasFactor: true,
  manageable: true,
  version: 2,
}

export const usersReference = reference('Users', users, {
  add: {
    errors: {
      400: ['incorrect-email-address', 'incorrect-phone-number', 'user-email-required', 'user-password-required'],
      403: ['administrator-needed', 'anonymization-stays', 'right-not-held'],
      409: ['username-taken'],
      422: [
        'password-breached',
        'password-common',
        'password-for-admin-cannot-be-shorter-than-12',
        'password-made-of-names',
        'password-too-short',
        'role-not-found',
      ],
    },
    body: {
      username: 'j.nowak',
      firstName: 'Maria',
      lastName: 'Zawadzka',
      email: 'maria@example.org',
      phoneNumber: '+49 170 1234-567',
      roles: [2],
      enabled: false,
      ticket: true,
      description: ' Zastępca ',
      organization: 'GDDKiA',
      sendUserLogsToServer: true,
      password: 'Szlaban-2026-noc',
    },
    response: userExample,
  },
  bulkDelete: {
    errors: {
      403: ['account-has-more-rights', 'administrator-needed'],
      404: ['user-not-found'],
      422: ['last-administrator', 'not-yourself'],
    },
    body: [101, 101],
  },
  change: {
    errors: {
      400: ['incorrect-email-address', 'incorrect-phone-number', 'user-email-required'],
      403: ['account-has-more-rights', 'administrator-needed', 'anonymization-stays', 'right-not-held'],
      404: ['user-not-found'],
      409: ['changed-meanwhile', 'username-taken'],
      422: [
        'account-of-provider',
        'last-administrator',
        'not-yourself',
        'own-account-in-settings',
        'password-breached',
        'password-common',
        'password-for-admin-cannot-be-shorter-than-12',
        'password-made-of-names',
        'password-too-short',
        'role-not-found',
        'role-of-provider',
      ],
    },
    params: { id: 101 },
    body: {
      username: 'a.nowak',
      firstName: 'Anna',
      lastName: 'Lis',
      email: 'anna@example.org',
      phoneNumber: '+49 170 1234-567',
      roles: [2],
      enabled: false,
      ticket: true,
      description: ' Zastępca ',
      organization: 'GDDKiA',
      sendUserLogsToServer: true,
      company: ' Drogi ',
    },
    response: userExample,
  },
  list: {
    query: { username: 'x-', orderBy: 'lastLogin', orderDirection: 'asc' },
    response: { content: [userExample], totalCount: 3 },
  },
  read: { errors: { 404: ['user-not-found'] }, params: { id: 101 }, response: userExample },
  resetFactors: {
    errors: {
      403: ['account-has-more-rights', 'administrator-needed'],
      404: ['user-not-found'],
      422: ['own-account-in-settings'],
    },
    params: { id: 101 },
  },
  unlinkIdentity: {
    errors: {
      403: ['account-has-more-rights', 'administrator-needed'],
      404: ['account-not-linked', 'user-not-found'],
      422: ['account-of-provider', 'own-account-in-settings'],
    },
    params: { id: 101 },
  },
})
