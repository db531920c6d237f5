import { expect, test } from 'vitest'
import { phoneOf, phoneParts } from './phone.ts'

test('a number begins with three characters of prefix, +48 where there is no number yet', () => {
  expect(phoneParts('+48600100200')).toEqual({ prefix: '+48', number: '600 100 200' })
  expect(phoneParts(null)).toEqual({ prefix: '+48', number: '' })
})

test('a number is sent with its prefix', () => {
  expect(phoneOf({ prefix: '+48', number: ' 600 100 200 ' })).toBe('+48600 100 200')
})

test('a number typed with its own prefix keeps it', () => {
  expect(phoneOf({ prefix: '+48', number: '+370 612 34567' })).toBe('+370 612 34567')
})

test('returns null without a number, for any prefix', () => {
  expect(phoneOf({ prefix: '+48', number: '  ' })).toBe('')
})

test('round-trips a stored number', () => {
  for (const stored of ['+48600100200', '+37061234567', '+4915112345678'])
    expect(phoneOf(phoneParts(stored)).replaceAll(' ', '')).toBe(stored)
})
