import { describe, expect, test } from 'vitest'
import { grantFault, mayManage, sortPermissions } from './power.ts'

const MANAGER = ['ROLE_10', 'ROLE_19', 'ROLE_20']
const ADMINISTRATOR = ['ROLE_1', 'ROLE_7', ...MANAGER]
const RESTRICTED = [...MANAGER, 'ROLE_37']

describe('grantFault', () => {
  test.each<[string, string[], string[], string[], string | null]>([
    ['what they hold themselves', MANAGER, [], ['ROLE_10'], null],
    ['what they lack', MANAGER, [], ['ROLE_1'], 'right-not-held'],
    ['nothing new, though they lack it', MANAGER, ['ROLE_1'], ['ROLE_1'], null],
    ['less', MANAGER, ['ROLE_1', 'ROLE_10'], ['ROLE_10'], null],
    ['a restriction that they do not have', MANAGER, ['ROLE_10'], ['ROLE_10', 'ROLE_37'], null],
    ['power of an administrator', [...MANAGER, 'ROLE_1'], [], ['ROLE_7'], 'administrator-needed'],
    ['less to an administrator', MANAGER, ['ROLE_7'], ['ROLE_10'], 'administrator-needed'],
    ['power of an administrator, as one', ADMINISTRATOR, [], ['ROLE_7', 'ROLE_1'], null],
    ['freedom from a restriction of their own', RESTRICTED, ['ROLE_10', 'ROLE_37'], ['ROLE_10'], 'anonymization-stays'],
    ['a new role without their restriction', RESTRICTED, [], ['ROLE_10'], 'anonymization-stays'],
    ['a new role with it', RESTRICTED, [], ['ROLE_10', 'ROLE_37'], null],
    ['freedom from a restriction, unrestricted', MANAGER, ['ROLE_10', 'ROLE_37'], ['ROLE_10'], null],
  ])('granting %s', (_, own, before, after, fault) => {
    expect(grantFault(own, before, after)).toBe(fault)
  })
})

test('only an administrator manages an administrator', () => {
  expect(mayManage(MANAGER, ['ROLE_1'])).toBe(true)
  expect(mayManage(MANAGER, ADMINISTRATOR)).toBe(false)
  expect(mayManage(ADMINISTRATOR, ADMINISTRATOR)).toBe(true)
})

test('permissions are sorted by their number and stand once', () => {
  expect(sortPermissions(['ROLE_20', 'ROLE_3', 'ROLE_20', 'ROLE_1'])).toEqual(['ROLE_1', 'ROLE_3', 'ROLE_20'])
})
