import { expect, test } from 'vitest'
import { readingText, splitReading } from './reading.ts'

test.each([
  ['WGM4K281', 'WGM4K281', null],
  ['WGM4K281:PL', 'WGM4K281', 'PL'],
  ['WGM4K281:', 'WGM4K281', ''],
  ['A:1:D', 'A:1', 'D'],
  ['A:1', 'A:1', null],
  ['WGM4K281: pl ', 'WGM4K281', 'PL'],
])('splits %s into plate and nationality', (text, plate, nationality) => {
  expect(splitReading(text)).toEqual([plate, nationality])
  if (nationality !== null) expect(splitReading(readingText(plate, nationality))).toEqual([plate, nationality])
})
