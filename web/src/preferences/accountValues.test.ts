import { expect, test } from 'vitest'
import { accountErrors, accountOf, valuesOf } from './accountValues.ts'

const stored = {
  firstName: 'Anna',
  lastName: null,
  email: 'anna@example.org',
  phoneNumber: '+48600100200',
} as Parameters<typeof valuesOf>[0]

const LOCAL = { provider: null }

test('requires the current password, a valid e-mail and a phone', () => {
  const empty = { firstName: '', lastName: '', email: '', prefix: '+48', number: '', password: '' }
  expect(accountErrors(empty, LOCAL)).toEqual({
    firstName: 'required-parameter-missing',
    lastName: 'required-parameter-missing',
    email: 'user-email-required',
    number: 'required-parameter-missing',
    password: 'user-password-required',
  })
  const values = { ...valuesOf(stored), lastName: 'Nowak', password: 'tajne-1' }
  expect(accountErrors(values, LOCAL)).toEqual({})
  expect(accountErrors({ ...values, email: 'anna@' }, LOCAL)).toEqual({ email: 'incorrect-email-address' })
})

test('trims values and sends the phone with its prefix', () => {
  expect(accountOf({ ...valuesOf(stored), lastName: ' Nowak ', password: ' x ' }, LOCAL)).toEqual({
    firstName: 'Anna',
    lastName: 'Nowak',
    email: 'anna@example.org',
    phoneNumber: '+48600 100 200',
    password: ' x ',
  })
})

test('sends no password of an account of a provider, which has none', () => {
  const values = { ...valuesOf(stored), lastName: 'Nowak' }
  expect(accountErrors(values, { provider: 'ZDW' })).toEqual({})
  expect(accountOf(values, { provider: 'ZDW' })).not.toHaveProperty('password')
})

test('mail and phone of an account of a provider may be empty, but not wrong', () => {
  const unnamed = { ...valuesOf(stored), lastName: 'Nowak', email: ' ', number: '' }
  expect(accountErrors(unnamed, { provider: 'ZDW' })).toEqual({})
  expect(accountOf(unnamed, { provider: 'ZDW' })).toMatchObject({ email: null, phoneNumber: null })
  expect(accountErrors({ ...unnamed, email: 'anna@', number: 'abc' }, { provider: 'ZDW' })).toEqual({
    email: 'incorrect-email-address',
    number: 'incorrect-phone-number',
  })
  expect(Object.keys(accountErrors({ ...unnamed, password: 'tajne-1' }, LOCAL)).toSorted()).toEqual(['email', 'number'])
})
