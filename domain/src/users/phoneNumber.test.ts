import { expect, test } from 'vitest'
import { normalisePhoneNumber } from './phoneNumber.ts'

test.each([
  ['600100200', '+48600100200'],
  ['600-100 200', '+48600100200'],
  ['+370 612 34567', '+37061234567'],
])('the phone number %s is stored as %s', (text, stored) => {
  expect(normalisePhoneNumber(text)).toBe(stored)
})
