import { expect, test } from 'vitest'
import { layOutRows, type VirtualRow } from './useVirtualRows.ts'

const keys = Array.from({ length: 800 }, (_, at) => String(at))
const even = new Map(keys.slice(0, 10).map((key) => [key, 88]))
/** Rows of 88 px, 4 px apart; 900 px are visible from `top` on. */
const at = (top: number, pinned: string | null = null, heights: ReadonlyMap<string, number> = even) =>
  layOutRows(keys, pinned, heights, { top, bottom: top + 900 })
const indexes = (rows: VirtualRow[]) => rows.flatMap((row) => ('index' in row ? [row.index] : []))
/** Total height of the list, gaps included. */
const heightOf = (rows: VirtualRow[]) => rows.reduce((sum, row) => sum + ('space' in row ? row.space : 88) + 4, -4)

test('renders rows near the viewport of 800, with the first and the last', () => {
  const rows = indexes(at(40_000))
  expect(rows.length).toBeLessThan(25)
  expect(rows[0]).toBe(0)
  expect(rows.at(-1)).toBe(799)
  // Rows 435 to 444 are visible.
  expect(rows).toEqual(expect.arrayContaining([431, 435, 444, 448]))
})

test('the list height does not depend on the scroll position', () => {
  const whole = 800 * 92 - 4
  for (const top of [-200, 0, 4_600, 40_000, 73_000]) expect(heightOf(at(top))).toBe(whole)
  expect(heightOf(at(0, '500'))).toBe(whole)
})

test('always renders the pinned row and its neighbours', () => {
  expect(indexes(at(0, '500'))).toEqual(expect.arrayContaining([499, 500, 501]))
  expect(indexes(at(0, '799'))).toEqual(expect.arrayContaining([798, 799]))
  expect(indexes(at(0, 'left the list'))).not.toContain(500)
})

test('measured rows count with their own height', () => {
  const tall = new Map(keys.map((key) => [key, 196]))
  expect(indexes(at(40_000, null, tall))).toEqual(expect.arrayContaining([200, 204]))
})

test('a short list is rendered whole', () => {
  expect(layOutRows(['1', '2', '3'], null, new Map(), { top: 0, bottom: 900 })).toEqual([
    { index: 0 },
    { index: 1 },
    { index: 2 },
  ])
  expect(layOutRows([], null, new Map(), { top: 0, bottom: 900 })).toEqual([])
})
