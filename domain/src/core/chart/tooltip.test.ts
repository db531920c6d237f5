import { expect, test } from 'vitest'
import { type TooltipRow, tooltipHtml, tooltipRows } from './tooltip.ts'

const rows = (count: number): TooltipRow[] =>
  Array.from({ length: count }, (_, i) => ({ marker: '', name: `Pas ${i + 1}`, value: (i * 7) % count, text: '1 234' }))

test('puts a few series in one column', () => {
  expect(tooltipRows(rows(4), 1_000, 320)).toMatchObject({ perColumn: 4, omitted: 0 })
})

test('puts forty series in columns no higher than the chart', () => {
  const { visible, perColumn, omitted } = tooltipRows(rows(40), 1_000, 320)
  expect([visible.length, omitted]).toEqual([40, 0])
  expect(24 + 24 + 20 * perColumn).toBeLessThanOrEqual(320)
})

test('shows the highest figures in series order and counts the rest if forty do not fit', () => {
  const { visible, omitted } = tooltipRows(rows(40), 340, 320)
  expect(visible.length + omitted).toBe(40)
  expect(omitted).toBeGreaterThan(0)
  const lowest = Math.min(...visible.map(({ value }) => value ?? -1))
  expect(lowest).toBe(40 - visible.length)
  const numbers = visible.map(({ name }) => Number(name.slice(4)))
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  expect(tooltipHtml('20.10.2026', rows(40), 340, 320)).toContain(`+ ${omitted} …`)
})

test('drops series without a figure first', () => {
  const gappy = rows(40).map((row, i) => (i < 5 ? { ...row, value: null, text: '–' } : row))
  const { visible } = tooltipRows(gappy, 340, 320)
  expect(visible.every(({ value }) => value !== null)).toBe(true)
})

test('escapes series names', () => {
  const html = tooltipHtml('<b>', [{ marker: '', name: '<img src=x onerror="x">', value: 1, text: '1 & 2' }], 900, 320)
  expect(html).not.toMatch(/<img|<b>/)
})

test('accepts no series and a tiny chart', () => {
  expect(tooltipRows([], 900, 320)).toMatchObject({ visible: [], omitted: 0 })
  expect(tooltipRows(rows(3), 40, 40).omitted).toBe(3)
})
