import { expect, test } from 'vitest'
import { createArraySplitter } from './json-array.ts'

function elementsOf(content: string, maxBytes = 100) {
  const take = createArraySplitter((bytes) => bytes.toString('utf8'), maxBytes)
  // Byte by byte, as parts may end anywhere.
  return [...Array.from(content, (it) => take(Buffer.from(it))), take(null)].flat()
}

test.each([
  ['a whole array', '[{"a":1},{"b":[2,3]}]', ['{"a":1}', '{"b":[2,3]}']],
  ['an empty array', ' [ ] ', []],
  ['an element that is cut off', '[{"a":1},{"b":', ['{"a":1}', '{"b":']],
  ['no end', '[{"a":1},{"b":2}\n', ['{"a":1}', '{"b":2}', '[']],
  ['an end behind a comma', '[{"a":1},\n', ['{"a":1}', ',']],
  ['a comma too many', '[{"a":1}, ,{"b":2}]', ['{"a":1}', ',', '{"b":2}']],
  ['a comma before the end', '[{"a":1},\n]', ['{"a":1}', ',']],
  ['a long gap', `[{"a":1},${' '.repeat(101)},{"b":2}]`, ['{"a":1}', ',', '{"b":2}']],
  ['a long element', `[{"a":"${'x'.repeat(100)}"},{"b":2}]`, [null, '{"b":2}']],
  ['a text behind the array', '[{"a":1}] x', ['{"a":1}', 'x']],
])('every position of an array has an element: %s', (_, content, elements) => {
  expect(elementsOf(content)).toEqual(elements)
})
