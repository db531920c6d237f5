import type { SortColumn } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { comparator, type Sortable } from './order.ts'

const vehicle = (id: number, more: Partial<Sortable> = {}): Sortable => ({
  id,
  createdAt: new Date('2026-10-20T06:00:00Z'),
  location: { id: 1 },
  plateLpr: null,
  speed: null,
  totalLoad: null,
  vehLength: null,
  vehHeight: null,
  numberOfAxles: null,
  ctg8p1: null,
  overloadSA: null,
  overloadMA: null,
  overloadTL: null,
  ...more,
})

const ids = (vehicles: Sortable[], column: SortColumn, direction: 'asc' | 'desc') =>
  vehicles.toSorted(comparator(column, direction)).map(({ id }) => id)

test('null values sort last in both directions', () => {
  const vehicles = [vehicle(1), vehicle(2, { speed: 90 }), vehicle(3, { speed: 70 }), vehicle(4, { speed: 0 })]

  expect(ids(vehicles, 'speed', 'asc')).toEqual([4, 3, 2, 1])
  expect(ids(vehicles, 'speed', 'desc')).toEqual([2, 3, 4, 1])
  expect(ids(vehicles.toReversed(), 'speed', 'asc')).toEqual([4, 3, 2, 1])
  expect(ids(vehicles.toReversed(), 'speed', 'desc')).toEqual([2, 3, 4, 1])
})

test('ties sort newest first, then by smaller id, in both directions', () => {
  const newer = new Date('2026-10-20T06:00:01Z')
  const vehicles = [vehicle(3, { speed: 80 }), vehicle(2, { speed: 80 }), vehicle(9, { speed: 80, createdAt: newer })]

  expect(ids(vehicles, 'speed', 'asc')).toEqual([9, 2, 3])
  expect(ids(vehicles, 'speed', 'desc')).toEqual([9, 2, 3])
})

test('times compare as Dates and as text', () => {
  const [early, late] = ['2026-10-20T06:00:00.000Z', '2026-10-20T06:00:00.001Z']
  const texts = [vehicle(1, { createdAt: early }), vehicle(2, { createdAt: late })]
  const dates = texts.map((v) => ({ ...v, createdAt: new Date(v.createdAt) }))

  expect(ids(texts, 'createdAt', 'desc')).toEqual([2, 1])
  expect(ids(dates, 'createdAt', 'desc')).toEqual([2, 1])
  expect(ids(dates, 'createdAt', 'asc')).toEqual([1, 2])
})

test.each<[SortColumn, Partial<Sortable>, Partial<Sortable>]>([
  ['locationId', { location: { id: 2 } }, { location: { id: 10 } }],
  ['plateLpr', { plateLpr: 'KR1' }, { plateLpr: 'WX1' }],
  ['totalLoad', { totalLoad: 900 }, { totalLoad: 40_000 }],
  ['vehLength', { vehLength: 450 }, { vehLength: 1_200 }],
  ['vehHeight', { vehHeight: 150 }, { vehHeight: 400 }],
  ['numberOfAxles', { numberOfAxles: 2 }, { numberOfAxles: 10 }],
  ['ctg8p1', { ctg8p1: 7 }, { ctg8p1: 11 }],
  ['overloadSA', { overloadSA: 0 }, { overloadSA: 0.1 }],
  ['overloadMA', { overloadMA: 9.9 }, { overloadMA: 10.1 }],
  ['overloadTL', { overloadTL: 2 }, { overloadTL: 11 }],
])('orders by %s', (column, small, large) => {
  const vehicles = [vehicle(2, large), vehicle(1, small)]

  expect(ids(vehicles, column, 'asc')).toEqual([1, 2])
  expect(ids(vehicles, column, 'desc')).toEqual([2, 1])
})
