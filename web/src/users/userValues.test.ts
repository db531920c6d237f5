import type { WireUser } from '@rogatka/contract/users.ts'
import { expect, test } from 'vitest'
import { changedUserOf, emptyUser, newUserOf, type UserValues, userErrors, valuesOf } from './userValues.ts'

const anna: UserValues = {
  ...emptyUser,
  username: 'anna',
  password: 'tajne-1',
  repeatPassword: 'tajne-1',
  number: '600 100 200',
  firstName: 'Anna',
  lastName: 'Nowak',
  email: 'anna@example.org',
  role: '2',
}
const stored: UserValues = { ...anna, password: '', repeatPassword: '' }

test('a new user needs every field but organization and description', () => {
  expect(userErrors(emptyUser, null)).toEqual({
    username: 'required-parameter-missing',
    password: 'user-password-required',
    repeatPassword: 'required-parameter-missing',
    number: 'required-parameter-missing',
    firstName: 'required-parameter-missing',
    lastName: 'required-parameter-missing',
    email: 'user-email-required',
    role: 'required-parameter-missing',
  })
  expect(userErrors(anna, null)).toEqual({})
})

test('validates e-mail and phone', () => {
  expect(userErrors({ ...anna, email: 'anna@', number: 'abc' }, null)).toEqual({
    email: 'incorrect-email-address',
    number: 'incorrect-phone-number',
  })
})

test('the repeated password has to be the same, for a new user and for a changed one', () => {
  const different = { password: 'tajne-1', repeatPassword: 'tajne-2' }
  expect(userErrors({ ...anna, ...different }, null)).toEqual({ repeatPassword: 'passwords-are-not-the-same' })
  expect(userErrors({ ...stored, ...different }, stored)).toEqual({ repeatPassword: 'passwords-are-not-the-same' })
})

test.each([
  ['2', 'short', 'password-too-short'],
  ['2', 'sixsix', undefined],
  ['8', 'Elevenchars', 'password-for-admin-cannot-be-shorter-than-12'],
  ['8', 'Twelve-chars', undefined],
])('role %s with password %s: %s', (role, password, code) => {
  expect(userErrors({ ...anna, role, password, repeatPassword: password }, null).password).toBe(code)
})

test('a new administrator needs a new password, an existing one does not', () => {
  const code = 'password-for-admin-cannot-be-shorter-than-12'
  expect(userErrors({ ...stored, role: '8' }, stored)).toEqual({ password: code })
  expect(userErrors({ ...stored, role: '8' }, { ...stored, role: '8' })).toEqual({})
})

test('an untouched password is sent as null, a typed one as it is', () => {
  expect(changedUserOf(stored, 3, false)).toMatchObject({ password: null, version: 3, company: null })
  expect(changedUserOf({ ...stored, password: ' x ' }, 3, false).password).toBe(' x ')
})

test('a user is sent trimmed, with one role and the dialling prefix', () => {
  const sent = newUserOf({ ...anna, username: ' anna ', description: '  ' })
  expect(sent).toEqual({
    username: 'anna',
    password: 'tajne-1',
    firstName: 'Anna',
    lastName: 'Nowak',
    email: 'anna@example.org',
    phoneNumber: '+48600 100 200',
    roles: [2],
    enabled: true,
    ticket: false,
    organization: null,
    description: null,
  })
})

test('fills the form with empty values for null fields', () => {
  const user = { username: 'x', phoneNumber: null, firstName: null, roles: [], enabled: false } as unknown as WireUser
  expect(valuesOf(user)).toMatchObject({ prefix: '+48', number: '', firstName: '', role: null, enabled: false })
})

test('mail and phone of an account of a provider may be empty, but not wrong', () => {
  const unnamed = { ...stored, email: ' ', number: '' }
  expect(Object.keys(userErrors(unnamed, stored)).toSorted()).toEqual(['email', 'number'])
  expect(userErrors(unnamed, stored, { isOfProvider: true })).toEqual({})
  expect(changedUserOf(unnamed, 3, true)).toMatchObject({ email: null, phoneNumber: null })
  expect(Object.keys(userErrors({ ...unnamed, number: 'abc' }, stored, { isOfProvider: true }))).toEqual(['number'])
})
