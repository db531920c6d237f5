import { reference } from './reference.ts'
import * as session from './session.ts'

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
    response: { token: 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s' },
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
      422: ['password-for-admin-cannot-be-shorter-than-12', 'password-too-short', 'reset-token-invalid'],
    },
    body: { email: 'jan@example.org', token: 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s', password: 'Inne-haslo-1' },
  },
})
