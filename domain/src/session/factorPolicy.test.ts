import { expect, test } from 'vitest'
import { type FactorPolicy, isFactorMissing, isFactorRequired } from './factorPolicy.ts'

const OPERATOR = ['ROLE_1', 'ROLE_10']
const ADMINISTRATOR = ['ROLE_7', 'ROLE_10']
const NONE = { factor: false, passkey: false, provider: false }
const ANY = { ...NONE, factor: true }

test.each<[FactorPolicy, boolean, boolean]>([
  ['off', false, false],
  ['admins', false, true],
  ['all', true, true],
])('with the policy %s operators need a second factor: %s, administrators: %s', (policy, operators, administrators) => {
  expect(isFactorRequired(policy, { permissions: OPERATOR, demand: NONE })).toBe(operators)
  expect(isFactorRequired(policy, { permissions: ADMINISTRATOR, demand: NONE })).toBe(administrators)
})

test('a role that requires a second factor does so with any policy', () => {
  for (const policy of ['off', 'admins', 'all'] as const)
    expect(isFactorRequired(policy, { permissions: OPERATOR, demand: ANY })).toBe(true)
})

test('any factor satisfies a demand for one, and only a passkey that for a passkey', () => {
  const factors = [null, 'authenticator', 'recovery-code', 'provider', 'passkey'] as const
  const missing = (demand: typeof NONE) =>
    factors.filter((factor) => isFactorMissing('off', { permissions: OPERATOR, demand }, factor))
  expect(missing(NONE)).toEqual([])
  expect(missing(ANY)).toEqual([null])
  expect(missing({ ...ANY, passkey: true })).toEqual([null, 'authenticator', 'recovery-code', 'provider'])
})
