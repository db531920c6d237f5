import { expect, test } from 'vitest'
import { bannerText, refusalTexts, stripNullPrefix } from './bannerText.ts'

test.each([
  [{ error: { message: 'a' }, msg: 'b', message: 'c' }, 'a'],
  [{ error: 'a', msg: 'b', message: 'c' }, 'a'],
  [{ msg: 'b', message: 'c' }, 'b'],
  [new Error('c'), 'c'],
  ['d', 'd'],
  [{ code: 7 }, '{"code":7}'],
  [{ error: {}, message: '' }, '{"error":{},"message":""}'],
  [null, 'null'],
])('for %j the banner shows %s', (error, text) => {
  expect(bannerText(error)).toBe(text)
})

test('shows nothing for undefined', () => {
  expect(bannerText(undefined)).toBe('')
})

test('a leading null: is stripped, and only a leading one', () => {
  expect(stripNullPrefix('null: Nieprawidłowa nazwa')).toBe('Nieprawidłowa nazwa')
  expect(stripNullPrefix('null:x')).toBe('x')
  expect(stripNullPrefix('path: null: x')).toBe('path: null: x')
})

test('shows each text of a refusal once', () => {
  expect(
    refusalTexts({ errors: [{ userMessage: 'a' }, { userMessage: 'b' }, { userMessage: 'a' }, {}, null] }),
  ).toEqual(['a', 'b'])
  expect(refusalTexts(new Error('c'))).toEqual([])
})
