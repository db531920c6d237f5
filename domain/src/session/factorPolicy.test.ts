import { expect, test } from 'vitest'
import { type FactorPolicy, isFactorRequired } from './factorPolicy.ts'

const OPERATOR = ['ROLE_1', 'ROLE_10']
const ADMINISTRATOR = ['ROLE_7', 'ROLE_10']

test.each<[FactorPolicy, boolean, boolean]>([
  ['off', false, false],
  ['admins', false, true],
  ['all', true, true],
])('with the policy %s operators need a second factor: %s, administrators: %s', (policy, operators, administrators) => {
  expect(isFactorRequired(policy, { permissions: OPERATOR, requiresFactor: false })).toBe(operators)
  expect(isFactorRequired(policy, { permissions: ADMINISTRATOR, requiresFactor: false })).toBe(administrators)
})

test('a role that requires a second factor does so with any policy', () => {
  for (const policy of ['off', 'admins', 'all'] as const)
    expect(isFactorRequired(policy, { permissions: OPERATOR, requiresFactor: true })).toBe(true)
})
