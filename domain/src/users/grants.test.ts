import { describe, expect, test } from 'vitest'
import {
  canManage,
  fitsAdministratorRole,
  grantError,
  manageError,
  roleChangeError,
  roleDeletionError,
  sortPermissions,
} from './grants.ts'

const MANAGER = ['ROLE_10', 'ROLE_19', 'ROLE_20']
const ADMINISTRATOR = ['ROLE_1', 'ROLE_7', ...MANAGER]
const RESTRICTED = [...MANAGER, 'ROLE_37']

describe('grantError', () => {
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
    ['a permission equivalent to their own', ['ROLE_8', 'ROLE_20'], [], ['ROLE_17'], null],
    ['a permission equivalent to a former one', MANAGER, ['ROLE_8'], ['ROLE_17'], null],
  ])('granting %s', (_, own, before, after, fault) => {
    expect(grantError(own, before, after)).toBe(fault)
  })
})

describe('manageError', () => {
  test.each<[string, string[], string[], string | null]>([
    ['an account with fewer rights', MANAGER, ['ROLE_10'], null],
    ['an account with the same rights', MANAGER, MANAGER, null],
    ['an account with one other right', MANAGER, ['ROLE_1', 'ROLE_10'], 'account-has-more-rights'],
    ['a restricted account, unrestricted', MANAGER, ['ROLE_10', 'ROLE_37'], null],
    ['an unrestricted account, restricted', RESTRICTED, ['ROLE_10'], 'account-has-more-rights'],
    ['a restricted account, restricted', RESTRICTED, ['ROLE_10', 'ROLE_37'], null],
    ['an administrator, as none', MANAGER, ADMINISTRATOR, 'administrator-needed'],
    ['an administrator, as one', ADMINISTRATOR, ADMINISTRATOR, null],
    ['an account with an equivalent permission', ['ROLE_8', 'ROLE_20'], ['ROLE_17'], null],
    ['an account with permissions of another kind', ['ROLE_8', 'ROLE_20'], ['ROLE_12'], 'account-has-more-rights'],
    ['an administrator with more rights', ADMINISTRATOR, [...ADMINISTRATOR, 'ROLE_2'], 'account-has-more-rights'],
  ])('managing %s', (_, own, theirs, error) => {
    expect(manageError(own, theirs)).toBe(error)
    expect(canManage(own, theirs)).toBe(error === null)
  })
})

describe('roleChangeError', () => {
  test.each<[string, string[], string[], string[], string | null]>([
    ['revoking a right that they hold', MANAGER, ['ROLE_10', 'ROLE_19'], ['ROLE_19'], null],
    ['revoking a right that they lack', MANAGER, ['ROLE_1', 'ROLE_10'], ['ROLE_10'], 'role-has-more-rights'],
    ['revoking a right beside one that they lack', MANAGER, ['ROLE_1', 'ROLE_10'], ['ROLE_1'], 'role-has-more-rights'],
    ['restricting their own rights', MANAGER, ['ROLE_10'], ['ROLE_10', 'ROLE_37'], null],
    ['restricting more rights', MANAGER, ['ROLE_1'], ['ROLE_1', 'ROLE_37'], 'role-has-more-rights'],
    ['adding to more rights', MANAGER, ['ROLE_1'], ['ROLE_1', 'ROLE_10'], null],
    ['restricting, restricted', RESTRICTED, ['ROLE_10'], ['ROLE_10', 'ROLE_37'], 'role-has-more-rights'],
    ['replacing a permission by an equivalent one', MANAGER, ['ROLE_8', 'ROLE_10'], ['ROLE_17', 'ROLE_10'], null],
    ['granting a right that they lack', MANAGER, ['ROLE_10'], ['ROLE_2', 'ROLE_10'], 'right-not-held'],
  ])('%s', (_, own, before, after, error) => {
    expect(roleChangeError(own, before, after, false)).toBe(error)
  })

  test('renaming or deleting a role needs all its rights', () => {
    expect(roleChangeError(MANAGER, ['ROLE_1'], ['ROLE_1'], true)).toBe('role-has-more-rights')
    expect(roleChangeError(MANAGER, ['ROLE_10'], ['ROLE_10'], true)).toBe(null)
    expect(roleDeletionError(MANAGER, ['ROLE_1'])).toBe('role-has-more-rights')
    expect(roleDeletionError(MANAGER, ['ROLE_7'])).toBe('administrator-needed')
    expect(roleDeletionError(MANAGER, ['ROLE_10'])).toBe(null)
  })
})

test('the administrator role accepts more rights, but no fewer and no restriction', () => {
  const numbers = [1, 2, 3, 4, 7, 8, 10, 11, 12, 13, 14, 15, 17, 19, 20, 22, 27, 33, 34, 38, 41, 42, 43, 44, 45, 46, 47]
  const seeded = numbers.map((number) => `ROLE_${number}`)
  expect(fitsAdministratorRole(seeded)).toBe(true)
  expect(fitsAdministratorRole([...seeded, 'ROLE_99'])).toBe(true)
  expect(fitsAdministratorRole([...seeded, 'ROLE_37'])).toBe(false)
  for (const permission of seeded)
    expect(fitsAdministratorRole(seeded.filter((other) => other !== permission))).toBe(false)
})

test('sorts permissions by number without duplicates', () => {
  expect(sortPermissions(['ROLE_20', 'ROLE_3', 'ROLE_20', 'ROLE_1'])).toEqual(['ROLE_1', 'ROLE_3', 'ROLE_20'])
})
