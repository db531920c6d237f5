import { expect, test } from 'vitest'
import { figureRows } from './figureRows.ts'

test('estimates the rows of a file of figures by stations and months', () => {
  expect(figureRows(1, { from: '2026-10-12', until: '2026-10-18' })).toBe(700)
  // 40 stations with 12 months each: 28,000 + 2,400
  expect(figureRows(40, { from: '2026-01-01', until: '2026-12-31' })).toBe(30_400)
})
