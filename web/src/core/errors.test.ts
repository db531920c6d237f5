import { expect, test } from 'vitest'
import { fieldErrors } from './errors.ts'
import { failureOf } from './failure.ts'

const FIELDS = ['username', 'password']
const refused = (...paths: (string | null)[]) =>
  failureOf(
    400,
    paths.map((path) => ({ path, code: 'invalid-value', userMessage: `zła wartość: ${path}` })),
    null,
  )

test('shows field errors beside their fields', () => {
  expect(fieldErrors(refused('username', 'password'), FIELDS)).toEqual({
    username: 'zła wartość: username',
    password: 'zła wartość: password',
  })
})

test('leaves errors without a field to the banner', () => {
  expect(fieldErrors(refused('username', null), FIELDS)).toEqual({ username: 'zła wartość: username' })
  expect(fieldErrors(refused('axles.3.gap'), FIELDS)).toEqual({})
})

test('an error without a list of errors is for the banner', () => {
  expect(fieldErrors(new Error('broken'), FIELDS)).toEqual({})
})
