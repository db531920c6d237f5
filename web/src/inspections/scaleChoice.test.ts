import { expect, test } from 'vitest'
import { scaleOf, validFirst } from './scaleChoice.ts'

const now = new Date('2026-10-20T08:00:00Z')
const expired = { id: 1, validFrom: '2025-01-01', validUntil: '2026-10-19' }
const valid = { id: 2, validFrom: '2026-01-01', validUntil: '2026-12-31' }
const other = { ...valid, id: 3 }

test('a scale out of validity is used only if it is chosen for the inspection', () => {
  const idOf = (scales: (typeof valid)[], chosen: number | null, last: number | null) =>
    scaleOf(scales, { chosen, last }, now)?.id
  expect(idOf([expired, valid, other], null, 1)).toBeUndefined()
  expect(idOf([expired, valid, other], 1, 2)).toBe(1)
  expect(idOf([expired, valid, other], null, 3)).toBe(3)
  expect(idOf([expired, valid, other], null, null)).toBeUndefined()
  expect([idOf([valid], null, null), idOf([expired], null, 1), idOf([expired], null, null)]).toEqual([
    2,
    undefined,
    undefined,
  ])
})

test('valid scales come first', () => {
  expect(validFirst([expired, other, valid], now).map(({ id }) => id)).toEqual([3, 2, 1])
})
