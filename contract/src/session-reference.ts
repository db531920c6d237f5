import { reference } from './reference.ts'
import * as session from './session.ts'
import * as sessionFactors from './session-factors.ts'

const TOKEN = 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s'

const RECOVERY_CODES = ['C4QX-7K2M-PD', 'W9RT-3HFN-8A']

const PASSWORD_ERRORS = {
  400: ['user-password-required'],
  429: ['too-many-login-attempts'],
} as const

export const sessionReference = reference('Session', session, {
  build: {
    response: {
      buildCode: 'b1',
      version: '0.2.0',
      ownerCompany: 'GDDKiA',
      legacyUrl: 'https://old.example.org',
      sourceUrl: 'https://s',
      passwordMinLength: 9,
      imageRetentionDays: 30,
      retentionDays: 30,
    },
  },
  login: {
    errors: {
      400: ['user-login-required', 'user-password-required'],
      401: ['wrong-username-or-password'],
      429: ['too-many-login-attempts'],
    },
    body: { username: 'PERSON505034267', password: 'Szlaban-2026-noc' },
    response: { token: TOKEN },
  },
  logout: {},
  ping: {},
  resetPassword: {
    errors: { 400: ['incorrect-email-address', 'user-email-required'] },
    body: { email: 'jan@example.org' },
  },
  setPassword: {
    errors: {
      400: ['incorrect-email-address', 'reset-token-required', 'user-email-required', 'user-password-required'],
      422: [
        'password-breached',
        'password-common',
        'password-for-admin-cannot-be-shorter-than-12',
        'password-made-of-names',
        'password-too-short',
        'reset-token-invalid',
      ],
    },
    body: { email: 'jan@example.org', token: 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s', password: 'Inne-haslo-1' },
  },
})

export const sessionFactorsReference = reference('Session', sessionFactors, {
  confirmAuthenticator: {
    errors: {
      ...PASSWORD_ERRORS,
      403: ['step-up-required'],
      400: ['factor-code-required', 'user-password-required'],
      422: ['factor-code-not-matching', 'factor-setup-expired', 'factors-cannot-be-kept', 'wrong-current-password'],
    },
    body: { code: '287082', password: 'Szlaban-2026-noc' },
  },
  loginWithFactor: {
    errors: {
      400: ['factor-code-required'],
      401: ['sign-in-expired'],
      422: ['factor-code-used', 'factor-code-wrong'],
      429: ['too-many-login-attempts'],
      503: ['factor-unreadable'],
    },
    body: { pending: 'hq2Zb1kq0bE0x6nQ2o9t1w', code: '287082' },
    response: { token: TOKEN },
  },
  ownFactors: {
    response: {
      required: true,
      available: true,
      authenticator: { createdAt: '2026-10-20T08:00:00.000Z', lastUsedAt: null },
      recoveryCodesLeft: 10,
    },
  },
  removeAuthenticator: {
    errors: { ...PASSWORD_ERRORS, 404: ['factor-not-found'], 422: ['factor-required', 'wrong-current-password'] },
    body: { password: 'Szlaban-2026-noc' },
  },
  renewRecoveryCodes: {
    errors: {
      ...PASSWORD_ERRORS,
      404: ['factor-not-found'],
      422: ['factors-cannot-be-kept', 'wrong-current-password'],
    },
    body: { password: 'Szlaban-2026-noc' },
    response: { recoveryCodes: RECOVERY_CODES },
  },
  stepUp: {
    errors: {
      400: ['factor-code-required', 'user-password-required'],
      422: [
        'factor-code-required',
        'factor-code-used',
        'factor-code-wrong',
        'user-password-required',
        'wrong-current-password',
      ],
      429: ['too-many-login-attempts'],
      503: ['factor-unreadable'],
    },
    body: { code: '287082' },
  },
  startAuthenticator: {
    errors: { 422: ['factors-cannot-be-kept'] },
    response: {
      secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
      uri: 'otpauth://totp/GDDKiA:m.zawadzka?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=GDDKiA',
      recoveryCodes: RECOVERY_CODES,
    },
  },
})
