import { expect, test } from 'vitest'
import { homePath } from '../core/useBuild.ts'
import { type GuardInput, resolveRedirect } from './guard.ts'

const at = (path: string, more: Partial<GuardInput> = {}): GuardInput => ({
  path,
  url: path,
  signedIn: true,
  mustChangePassword: false,
  mustSetUpFactor: false,
  home: '/',
  returnTo: undefined,
  ...more,
})
const signedOut = { signedIn: false }
const expired = { mustChangePassword: true }
const withoutFactor = { mustSetUpFactor: true }

test('a missing second factor leads to its set-up, after an expired password, and nowhere else', () => {
  for (const path of ['/', '/users', '/password-expired', '/login', '/account-security'])
    expect(resolveRedirect(at(path, withoutFactor))).toEqual({ to: '/factor-setup' })
  expect(resolveRedirect(at('/factor-setup', withoutFactor))).toBeNull()
  expect(resolveRedirect(at('/logout', withoutFactor))).toBeNull()
  expect(resolveRedirect(at('/factor-setup', { ...expired, ...withoutFactor }))).toEqual({ to: '/password-expired' })
  expect(resolveRedirect(at('/factor-setup'))).toEqual({ to: '/' })
  expect(resolveRedirect(at('/factor-setup', signedOut))).toEqual({ to: '/login' })
})

test.each(['/', '/stat', '/vehicle/7/1', '/password-expired', '/nowhere', '/reset-passwords'])(
  'without a session %s leads to the login',
  (path) => {
    expect(resolveRedirect(at(path, signedOut))?.to).toBe('/login')
  },
)

test.each(['/login', '/reset-password', '/reset-password/reset', '/reset-password/reset/a@b.pl', '/logout'])(
  'without a session %s stays open',
  (path) => {
    expect(resolveRedirect(at(path, signedOut))).toBeNull()
  },
)

test('keeps the return URL with its query', () => {
  const url = '/vehicle/7/1?step=3'
  expect(resolveRedirect(at('/vehicle/7/1', { ...signedOut, url }))).toEqual({ to: '/login', returnTo: url })
  expect(resolveRedirect(at('/', { ...signedOut, url: '/?step=3' }))).toEqual({
    to: '/login',
    returnTo: '/?step=3',
  })
})

test('home without a query sets no return URL', () => {
  expect(resolveRedirect(at('/', signedOut))).toEqual({ to: '/login' })
})

test('never returns to the expired-password page', () => {
  expect(resolveRedirect(at('/password-expired', signedOut))).toEqual({ to: '/login' })
})

test('redirects a signed-in user from the login to the return URL', () => {
  expect(resolveRedirect(at('/login', { returnTo: '/stat?step=2' }))).toEqual({ to: '/stat?step=2' })
})

test('redirects home without a return URL, in SG builds to the archive', () => {
  expect(resolveRedirect(at('/login', { home: homePath(false) }))).toEqual({ to: '/' })
  expect(resolveRedirect(at('/login', { home: homePath(true) }))).toEqual({ to: '/archival' })
})

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/stat/..//evil.example',
  '/./login',
  '/stat\u0000',
  'https://evil.example',
  'javascript:alert(1)',
  '/login',
  '/logout',
  '/login?wanted=/stat',
])('the login does not lead to %s', (returnTo) => {
  expect(resolveRedirect(at('/login', { returnTo }))).toEqual({ to: '/' })
})

test('redirects to the expired-password page while a change is due', () => {
  expect(resolveRedirect(at('/stat', expired))).toEqual({ to: '/password-expired' })
  expect(resolveRedirect(at('/', expired))).toEqual({ to: '/password-expired' })
  expect(resolveRedirect(at('/login', expired))).toEqual({ to: '/password-expired' })
  expect(resolveRedirect(at('/reset-password', expired))).toEqual({ to: '/password-expired' })
  expect(resolveRedirect(at('/password-expired', expired))).toBeNull()
  expect(resolveRedirect(at('/logout', expired))).toBeNull()
})

test('redirects home from the expired-password page without a due change', () => {
  expect(resolveRedirect(at('/password-expired'))).toEqual({ to: '/' })
})

test('lets a signed-in user open any page', () => {
  expect(resolveRedirect(at('/stat'))).toBeNull()
  expect(resolveRedirect(at('/nowhere'))).toBeNull()
})
