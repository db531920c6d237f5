import { expect, test } from 'vitest'
import { formatField, parseNumber } from './numberField.ts'

test.each([
  ['', null],
  ['  ', null],
  ['12', 12],
  ['3,5', 3.5],
  ['3.50', 3.5],
  ['12 408', 12408],
  ['12\u00a0408,5', 12408.5],
  ['4,', 4],
  [',5', 0.5],
  ['0', 0],
])('%j is read as %j', (text, value) => {
  expect(parseNumber(text)).toBe(value)
})

test.each(['a', '1,2,3', '-5', '1e3', '4x', ','])('%j is no number', (text) => {
  expect(parseNumber(text)).toBeUndefined()
})

test('a number is written with the comma of the language and no needless zeros', () => {
  expect(formatField(3.5, 2, 'pl')).toBe('3,5')
  expect(formatField(3.456, 2, 'en')).toBe('3.46')
  expect(formatField(12, 2, 'de')).toBe('12')
  expect(formatField(null, 2, 'pl')).toBe('')
})
