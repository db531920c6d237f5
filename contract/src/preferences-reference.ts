import type { z } from 'zod'
import * as preferences from './preferences.ts'
import * as preferencesSelf from './preferences-self.ts'
import { reference } from './reference.ts'
import { selfExample } from './users-reference.ts'

const ownSessionExample: z.input<typeof preferences.ownSession> = {
  id: 3,
  createdAt: '2026-10-20T08:02:00.000Z',
  lastSeenAt: '2026-10-20T08:02:00.000Z',
  ip: '192.0.2.1',
  userAgent: 'Firefox',
  factor: 'authenticator',
  provider: null,
  current: true,
}

export const preferencesReference = reference('Own account', preferences, {
  endOtherSessions: {},
  endOwnSession: { errors: { 404: ['session-not-found'] }, params: { id: 3 } },
  ownSessions: { response: [ownSessionExample] },
  readSettings: { response: { checkpointAdditionalTime: 600 } },
  saveSettings: { body: { checkpointAdditionalTime: 600 } },
  updatePassword: {
    errors: {
      400: ['user-password-required'],
      422: [
        'account-of-provider',
        'password-breached',
        'password-common',
        'password-for-admin-cannot-be-shorter-than-12',
        'password-made-of-names',
        'password-too-short',
        'password-unchanged',
        'wrong-current-password',
      ],
      429: ['too-many-login-attempts'],
    },
    body: { password: 'Szlaban-2026-noc', newPassword: 'Nowe-haslo-1' },
  },
  updateSelf: {
    errors: {
      400: [
        'incorrect-email-address',
        'incorrect-phone-number',
        'required-parameter-missing',
        'user-email-required',
        'user-password-required',
      ],
      403: ['step-up-required'],
      422: ['wrong-current-password'],
      429: ['too-many-login-attempts'],
    },
    body: {
      firstName: 'Maria',
      lastName: 'Zawadzka',
      phoneNumber: '600100200',
      email: 'm.zawadzka@example.org',
      password: 'Szlaban-2026-noc',
    },
  },
})

export const preferencesSelfReference = reference('Own account', preferencesSelf, {
  readSelf: { response: selfExample },
})
