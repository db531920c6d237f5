import { expect, test } from 'vitest'
import { setPasswordErrors, withoutPrefix } from './setPasswordValues.ts'

const good = { token: 'abc', newPassword: 'tajne-1', confirmPassword: 'tajne-1' }

test('token, password and its confirmation are required', () => {
  expect(setPasswordErrors(good)).toEqual({})
  expect(setPasswordErrors({ token: ' ', newPassword: '', confirmPassword: '' })).toEqual({
    token: 'token-required',
    newPassword: 'password-required',
    confirmPassword: 'confirm-required',
  })
})

test('a password has at least six characters, and its confirmation is the same', () => {
  expect(setPasswordErrors({ ...good, newPassword: 'five5', confirmPassword: 'five5' })).toEqual({
    newPassword: 'password-min',
  })
  expect(setPasswordErrors({ ...good, confirmPassword: 'tajne-2' })).toEqual({ confirmPassword: 'passwords-differ' })
})

test('shows the part after the prefix of an error', () => {
  expect(withoutPrefix('token: Token wygasł.')).toBe('Token wygasł.')
  expect(withoutPrefix('token: Zobacz: pomoc')).toBe('Zobacz: pomoc')
  expect(withoutPrefix('Token wygasł.')).toBe('Token wygasł.')
})
