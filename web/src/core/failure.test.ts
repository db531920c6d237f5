import { expect, test } from 'vitest'
import { blobFailureOf, failureOf, hasCode } from './failure.ts'

const REFUSED = [
  { path: 'username', code: 'user-login-required', userMessage: 'Podaj nazwę użytkownika.' },
  { path: null, code: 'bad-request', userMessage: 'Nieprawidłowe żądanie.' },
]

test('the message is the first error as path and text', () => {
  expect(failureOf(400, REFUSED, null).message).toBe('username: Podaj nazwę użytkownika.')
})

test('an error of the whole request prints its missing path as null', () => {
  expect(failureOf(403, [REFUSED[1]], null).message).toBe('null: Nieprawidłowe żądanie.')
})

test.each([[null], [[]], [{ message: 'no' }], ['<html>'], [[{ path: 1 }]]])(
  'a body that is no list of errors (%j) leaves the status',
  (body) => {
    expect(failureOf(502, body, null).message).toBe('502')
    expect(blobFailureOf(502, body, null).message).toBe('502')
  },
)

test('the message of a binary response is its text', () => {
  expect(blobFailureOf(404, [REFUSED[1]], null).message).toBe('Nieprawidłowe żądanie.')
})

test('a failure keeps status, errors and request number', () => {
  const failure = failureOf(400, REFUSED, 'req-7f3a')
  expect(failure).toMatchObject({ status: 400, requestId: 'req-7f3a', errors: REFUSED })
  expect(hasCode(failure, 'bad-request')).toBe(true)
  expect(hasCode(failure, 'not-found')).toBe(false)
  expect(hasCode(new Error('bad-request'), 'bad-request')).toBe(false)
})
