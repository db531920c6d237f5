import { expect, test } from 'vitest'
import { homeOf } from '../core/useBuild.ts'
import { decide, type Situation } from './guard.ts'

const at = (path: string, more: Partial<Situation> = {}): Situation => ({
  path,
  address: path,
  signedIn: true,
  mustChangePassword: false,
  home: '/',
  wanted: undefined,
  ...more,
})
const stranger = { signedIn: false }
const expired = { mustChangePassword: true }

test.each(['/', '/stat', '/vehicle/7/1', '/password-expired', '/nowhere', '/reset-passwords'])(
  'without a session %s leads to the login',
  (path) => {
    expect(decide(at(path, stranger))?.to).toBe('/login')
  },
)

test.each(['/login', '/reset-password', '/reset-password/reset', '/reset-password/reset/a@b.pl', '/logout'])(
  'without a session %s stays open',
  (path) => {
    expect(decide(at(path, stranger))).toBeNull()
  },
)

test('the wanted address is remembered, with its search', () => {
  const address = '/vehicle/7/1?step=3'
  expect(decide(at('/vehicle/7/1', { ...stranger, address }))).toEqual({ to: '/login', wanted: address })
  expect(decide(at('/', { ...stranger, address: '/?step=3' }))).toEqual({ to: '/login', wanted: '/?step=3' })
})

test('home without anything chosen is no wish: where the login leads decides the build', () => {
  expect(decide(at('/', stranger))).toEqual({ to: '/login' })
})

test('the page for an expired password is nothing to come back to', () => {
  expect(decide(at('/password-expired', stranger))).toEqual({ to: '/login' })
})

test('who is signed in leaves the login for the wanted address', () => {
  expect(decide(at('/login', { wanted: '/stat?step=2' }))).toEqual({ to: '/stat?step=2' })
})

test('without a wanted address the login leads home, in SG builds to the archive', () => {
  expect(decide(at('/login', { home: homeOf(false) }))).toEqual({ to: '/' })
  expect(decide(at('/login', { home: homeOf(true) }))).toEqual({ to: '/archival' })
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
])('the login does not lead to %s', (wanted) => {
  expect(decide(at('/login', { wanted }))).toEqual({ to: '/' })
})

test('who must change the password goes nowhere else', () => {
  expect(decide(at('/stat', expired))).toEqual({ to: '/password-expired' })
  expect(decide(at('/', expired))).toEqual({ to: '/password-expired' })
  expect(decide(at('/login', expired))).toEqual({ to: '/password-expired' })
  expect(decide(at('/reset-password', expired))).toEqual({ to: '/password-expired' })
  expect(decide(at('/password-expired', expired))).toBeNull()
  expect(decide(at('/logout', expired))).toBeNull()
})

test('who need not change the password is sent home from there', () => {
  expect(decide(at('/password-expired'))).toEqual({ to: '/' })
})

test('who is signed in goes where they want', () => {
  expect(decide(at('/stat'))).toBeNull()
  expect(decide(at('/nowhere'))).toBeNull()
})
