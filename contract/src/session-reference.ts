import { reference } from './reference.ts'
import * as session from './session.ts'
import * as sessionFactors from './session-factors.ts'
import * as sessionPasskeys from './session-passkeys.ts'
import * as sessionProviders from './session-providers.ts'

const TOKEN = 'q0Yt3bTSXg0Cj8zPXGkYw2rKQm1c4b0eJYl6mW9fZ5s'

const PENDING = 'hq2Zb1kq0bE0x6nQ2o9t1w'

const RECOVERY_CODES = ['C4QX-7K2M-PD', 'W9RT-3HFN-8A']

const PASSWORD_ERRORS = {
  400: ['user-password-required'],
  429: ['too-many-login-attempts'],
} as const

const PROVIDER_UNAVAILABLE = [
  'provider-answer-unreadable',
  'provider-certificate',
  'provider-not-reachable',
  'provider-timeout',
] as const

export const sessionReference = reference('Session', session, {
  build: {
    response: {
      buildCode: 'b1',
      version: '0.2.0',
      ownerCompany: 'GDDKiA',
      legacyUrl: 'https://old.example.org',
      sourceUrl: 'https://s',
      passwordMinLength: 9,
      passkeys: true,
      providers: [{ id: 'zdw', label: 'Zarząd Dróg Wojewódzkich', linkAtSignIn: false }],
      imageRetentionDays: 30,
      retentionDays: 30,
      partitions: 'month',
    },
  },
  login: {
    errors: {
      400: ['user-login-required', 'user-password-required'],
      401: ['wrong-username-or-password'],
      403: ['provider-sign-in-required'],
      429: ['too-many-login-attempts'],
    },
    body: { username: 'PERSON505034267', password: 'Szlaban-2026-noc' },
    response: { token: TOKEN },
  },
  logout: { response: { providerAddress: 'https://id.zdw.example/realms/wim/logout?client_id=rogatka' } },
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
      403: ['passkey-locked', 'passkey-required', 'provider-sign-in-required'],
      422: ['factor-code-used', 'factor-code-wrong'],
      429: ['too-many-login-attempts'],
      503: ['factor-unreadable'],
    },
    body: { pending: PENDING, code: '287082' },
    response: { token: TOKEN },
  },
  ownFactors: {
    response: {
      required: true,
      passkeyRequired: false,
      providerRequired: false,
      identity: {
        provider: 'Zarząd Dróg Wojewódzkich',
        name: 'm.zawadzka',
        linkedAt: '2026-10-20T08:00:00.000Z',
        lastUsedAt: '2026-11-02T06:12:40.000Z',
      },
      available: true,
      authenticator: { createdAt: '2026-10-20T08:00:00.000Z', lastUsedAt: null },
      passkeysAvailable: true,
      passkeys: [
        {
          id: 3,
          name: 'YubiKey 5C',
          kind: 'security-key',
          createdAt: '2026-10-20T08:00:00.000Z',
          lastUsedAt: '2026-11-02T06:12:40.000Z',
          lockedAt: null,
        },
      ],
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
      403: ['passkey-locked', 'provider-declined', 'provider-refused'],
      400: ['factor-code-required', 'user-password-required'],
      404: ['provider-not-found'],
      422: [
        'factor-code-required',
        'factor-code-used',
        'factor-code-wrong',
        'passkey-refused',
        'passkey-required',
        'passkeys-unavailable',
        'provider-other-user',
        'provider-required',
        'user-password-required',
        'wrong-current-password',
      ],
      429: ['too-many-login-attempts'],
      503: ['factor-unreadable', ...PROVIDER_UNAVAILABLE],
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

const CREDENTIAL_ID = 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k'
const CHALLENGE = 'oLnQ4fL6C0wYkz3mJ9xUeR2sT5vA7bD8cE1fG6hI0jK'
const DESCRIPTOR = { type: 'public-key' as const, id: CREDENTIAL_ID, transports: ['usb'] }
const REQUEST = {
  challenge: CHALLENGE,
  rpId: 'wim.example.org',
  timeout: 300_000,
  userVerification: 'required',
} as const
const CREDENTIAL = { id: CREDENTIAL_ID, rawId: CREDENTIAL_ID, type: 'public-key' } as const
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'

export const sessionPasskeysReference = reference('Session', sessionPasskeys, {
  addPasskey: {
    errors: { 400: ['passkey-name-required'], 422: ['passkey-not-added', 'passkeys-unavailable'] },
    body: {
      name: 'YubiKey 5C',
      credential: {
        ...CREDENTIAL,
        response: {
          clientDataJSON: CLIENT_DATA,
          attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik',
          transports: ['usb'],
        },
      },
    },
    response: { recoveryCodes: RECOVERY_CODES },
  },
  loginWithPasskey: {
    errors: {
      401: ['passkey-refused', 'sign-in-expired'],
      403: ['passkey-locked', 'provider-sign-in-required'],
      422: ['passkeys-unavailable'],
    },
    body: {
      credential: {
        ...CREDENTIAL,
        response: {
          clientDataJSON: CLIENT_DATA,
          authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAABQ',
          signature: 'MEUCIQDx0b1Jm0s',
          userHandle: 'MTc',
        },
      },
    },
    response: { token: TOKEN },
  },
  removePasskey: {
    errors: { ...PASSWORD_ERRORS, 404: ['passkey-not-found'], 422: ['factor-required', 'wrong-current-password'] },
    params: { id: 3 },
    body: { password: 'Szlaban-2026-noc' },
  },
  renamePasskey: {
    errors: { 400: ['passkey-name-required'], 404: ['passkey-not-found'] },
    params: { id: 3 },
    body: { name: 'YubiKey w sejfie' },
  },
  startPasskey: {
    errors: { ...PASSWORD_ERRORS, 403: ['step-up-required'], 422: ['passkeys-unavailable', 'wrong-current-password'] },
    body: { password: 'Szlaban-2026-noc' },
    response: {
      challenge: CHALLENGE,
      rp: { id: 'wim.example.org', name: 'Rogatka wim.example.org' },
      user: { id: 'MTc', name: 'm.zawadzka', displayName: 'm.zawadzka' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      timeout: 300_000,
      excludeCredentials: [DESCRIPTOR],
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
    },
  },
  startPasskeyLogin: {
    errors: { 422: ['passkeys-unavailable'] },
    response: { ...REQUEST, allowCredentials: [] },
  },
  startPasskeyStepUp: {
    errors: { 404: ['passkey-not-found'], 422: ['passkeys-unavailable'] },
    response: { ...REQUEST, allowCredentials: [DESCRIPTOR] },
  },
})

const PROVIDER_REQUEST = {
  address: 'https://id.zdw.example/authorize?client_id=rogatka&response_type=code&scope=openid',
  transaction: TOKEN,
}

export const sessionProvidersReference = reference('Session', sessionProviders, {
  linkAtSignIn: {
    errors: {
      401: ['sign-in-expired'],
      403: [
        'no-role',
        'passkey-locked',
        'passkey-required',
        'provider-declined',
        'provider-refused',
        'provider-sign-in-required',
      ],
      404: ['provider-not-found'],
      422: ['account-linked', 'account-of-provider', 'identity-of-other-account'],
      503: PROVIDER_UNAVAILABLE,
    },
    params: { provider: 'zdw' },
    body: {
      pending: PENDING,
      transaction: TOKEN,
      answer: 'code=Qk2x9&state=rT5w&iss=https%3A%2F%2Fid.zdw.example',
    },
    response: { token: TOKEN },
  },
  linkIdentity: {
    errors: {
      403: ['no-role', 'provider-declined', 'provider-refused'],
      404: ['provider-not-found'],
      422: ['account-linked', 'account-of-provider', 'identity-of-other-account', 'wrong-current-password'],
      503: PROVIDER_UNAVAILABLE,
    },
    params: { provider: 'zdw' },
    body: { transaction: TOKEN, answer: 'code=Qk2x9&state=rT5w&iss=https%3A%2F%2Fid.zdw.example' },
  },
  loginWithProvider: {
    errors: {
      403: ['account-disabled', 'no-role', 'provider-declined', 'provider-refused'],
      404: ['provider-not-found'],
      503: PROVIDER_UNAVAILABLE,
    },
    params: { provider: 'zdw' },
    body: { transaction: TOKEN, answer: 'code=Qk2x9&state=rT5w&iss=https%3A%2F%2Fid.zdw.example' },
    response: { username: 'm.zawadzka', token: TOKEN },
  },
  startIdentityLink: {
    errors: {
      ...PASSWORD_ERRORS,
      403: ['step-up-required'],
      404: ['provider-not-found'],
      422: ['account-linked', 'account-of-provider', 'wrong-current-password'],
      503: PROVIDER_UNAVAILABLE,
    },
    params: { provider: 'zdw' },
    body: { password: 'Szlaban-2026-noc' },
    response: PROVIDER_REQUEST,
  },
  startProviderLogin: {
    errors: { 404: ['provider-not-found'], 503: PROVIDER_UNAVAILABLE },
    params: { provider: 'zdw' },
    response: PROVIDER_REQUEST,
  },
  startProviderStepUp: {
    errors: { 404: ['provider-not-found'], 503: PROVIDER_UNAVAILABLE },
    response: { provider: 'zdw', ...PROVIDER_REQUEST },
  },
  startSignInLink: {
    errors: {
      401: ['sign-in-expired'],
      403: ['provider-sign-in-required'],
      404: ['provider-not-found'],
      422: ['account-linked', 'account-of-provider'],
      503: PROVIDER_UNAVAILABLE,
    },
    params: { provider: 'zdw' },
    body: { pending: PENDING },
    response: PROVIDER_REQUEST,
  },
  unlinkOwnIdentity: {
    errors: { 404: ['account-not-linked'], 422: ['account-of-provider', 'link-required'] },
  },
})
