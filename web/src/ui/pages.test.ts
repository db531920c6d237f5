import { expect, test } from 'vitest'
import { GAP, pageCount, parsePage, visiblePages } from './pages.ts'

test('counts a partial page, and at least one page', () => {
  expect([0, 1, 10, 11, 12_408].map((total) => pageCount(total, 10))).toEqual([1, 1, 1, 2, 1_241])
})

test.each(['1', ' 7 ', '1241'])('%j is a page of 1241', (text) => {
  expect(parsePage(text, 1_241)).toBe(Number(text))
})

test.each(['0', '-1', '1.5', '1,5', '1242', 'last', '', '1e3', '0x10'])('%j is no page of 1241', (text) => {
  expect(parsePage(text, 1_241)).toBeNull()
})

test.each([
  [1, 1, [1]],
  [2, 4, [1, 2, 3, 4]],
  [1, 7, [1, 2, 3, 4, 5, 6, 7]],
  [1, 1_241, [1, 2, 3, 4, 5, GAP, 1_241]],
  [3, 1_241, [1, 2, 3, 4, 5, GAP, 1_241]],
  [4, 1_241, [1, 2, 3, 4, 5, GAP, 1_241]],
  [600, 1_241, [1, GAP, 599, 600, 601, GAP, 1_241]],
  [1_239, 1_241, [1, GAP, 1_237, 1_238, 1_239, 1_240, 1_241]],
  [1_241, 1_241, [1, GAP, 1_237, 1_238, 1_239, 1_240, 1_241]],
])('page %i of %i has these links', (page, count, links) => {
  expect(visiblePages(page, count)).toEqual(links)
})

test('every page can be reached: the current one and its neighbours are always offered', () => {
  for (const count of [1, 2, 3, 5, 6, 7, 8, 9, 50])
    for (let page = 1; page <= count; page++) {
      const links = visiblePages(page, count)
      expect(links).toContain(page)
      if (page > 1) expect(links).toContain(page - 1)
      if (page < count) expect(links).toContain(page + 1)
      expect(new Set(links.filter((one) => one !== GAP)).size).toBe(links.filter((one) => one !== GAP).length)
    }
})
