import { expect, test } from 'vitest'
import { elementsOf, isTooDeep } from './json-depth.ts'

const nested = (depth: number, inner = '1') => '[{"a":'.repeat(depth / 2) + inner + '}]'.repeat(depth / 2)

test.each([
  [nested(32), false],
  [nested(34), true],
  [nested(32, '[]'), true],
  ['['.repeat(40), true],
  [JSON.stringify('['.repeat(40)), false],
  [JSON.stringify(['\\', '['.repeat(40), '"[', '\\"['.repeat(40)]), false],
  [`["\\\\${'['.repeat(40)}"]`, false],
  [`["\\\\",${'['.repeat(40)}]`, true],
  [`[${'{},'.repeat(100)}[]]`, false],
  ['"never closed', false],
])('nesting of %j', (json, expected) => {
  expect(isTooDeep(json)).toBe(expected)
})

test('finds the elements of a list without parsing them', () => {
  const values = [{ a: [1, { b: ']' }] }, 'x,"]', [], -1, null]
  expect(elementsOf(` ${JSON.stringify(values, null, 1)}\n`)?.map((text) => JSON.parse(text))).toEqual(values)
  for (const broken of ['{}', '[1', '[1]]', '[1] 2', '"[]"', '']) expect(elementsOf(broken)).toBeNull()
})
