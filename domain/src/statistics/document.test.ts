import { expect, test } from 'vitest'
import { documentPages, hasRoomForTable, SERIES_PER_PART } from './document.ts'

/*
 * A page fits 34 rows below the table header. A chart is 361.7 pt high, of 521.3 pt between the margins; the first one
 * fills the first page.
 */
test.each([
  [[], 24, 1, 'criteria alone'],
  [[1], 24, 2, 'chart, table'],
  [[1], 33, 2, '33 periods and the sums fill a page'],
  [[1], 34, 3, 'the sums begin another page'],
  [[1], 67, 3, '67 periods and the sums fill two pages'],
  [[1], 68, 4, 'the sums begin a third page'],
  [[0], 24, 2, 'the heads and sums of no series'],
  [[13], 24, 2, '13 series stand side by side'],
  [[14], 24, 3, 'the 14th begins another part'],
  [[26], 24, 3, 'two full parts'],
  [[27], 24, 4, 'a third part'],
  [[14], 5, 3, 'another part has a page of its own, however short it is'],
  [[1, 1], 1, 3, 'the second table has no room for three rows below its chart'],
  [[1, 1], 7, 3, 'eight rows fit below a chart that begins a page'],
  [[1, 1], 8, 4, 'the ninth row begins another page'],
  [[1, 1], 5, 3, 'the second chart stands below the short first table'],
  [[1, 1], 24, 4, 'the second chart has a page of its own, below which its table begins'],
  [[1, 1, 1], 24, 6, 'every further station needs two pages'],
  [[14, 14], 24, 6, 'two stations in two parts each'],
])('a report of %j series and %i periods has %i pages: %s', (series, periods, pages) => {
  expect(documentPages(series, periods)).toBe(pages)
})

test('thirteen series of 48 points and the sums fit beside the periods', () => {
  expect(SERIES_PER_PART).toBe(13)
})

test('a table begins below a chart only with room for its header and more than three rows', () => {
  expect(hasRoomForTable(100, 173)).toBe(true)
  expect(hasRoomForTable(100, 172)).toBe(false)
})
