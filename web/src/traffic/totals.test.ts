import { expect, test } from 'vitest'
import { comparedTotals, totalsOf } from './totals.ts'

const location = (id: number) => ({ id, shortName: `S${id}`, name: '', roadNumber: '', chainage: '', direction: '' })
const station = (id: number, adt: number | null) => ({
  location: location(id),
  adt,
  adtHeavy: adt === null ? null : adt / 4,
  vehicles: 800,
  heavyVehicles: 200,
  categories: [
    { category: '7' as const, vehicles: 600, weighed: 600, judged: 600, overloaded: 60 },
    { category: '9' as const, vehicles: 200, weighed: 200, judged: 160, overloaded: 8 },
  ],
  n100PerDay: 30,
})

test('sums up stations; shares are of vehicles, overloaded ones of heavy vehicles that were judged', () => {
  expect(totalsOf([station(1, 1_000), station(2, 600), station(3, null)])).toEqual({
    adt: 1_600,
    adtHeavy: 400,
    heavyShare: 0.25,
    overloadedShare: 0.05,
    n100PerDay: 90,
    stations: { adt: 2, heavyShare: 3, overloadedShare: 3, n100PerDay: 3 },
  })
  expect(totalsOf([])).toEqual({
    adt: null,
    adtHeavy: null,
    heavyShare: null,
    overloadedShare: null,
    n100PerDay: null,
    stations: { adt: 0, heavyShare: 0, overloadedShare: 0, n100PerDay: 0 },
  })
})

test('compares only stations with complete days in both periods', () => {
  const { adt } = comparedTotals([station(1, 1_100), station(2, 600)], [station(1, 1_000), station(2, null)])
  expect(adt).toEqual({ now: 1_100, before: 1_000, stations: 1 })
})

test('compares each figure of the stations that have it in both periods', () => {
  // The second station had no scale before.
  const weighed = (id: number, n100PerDay: number, overloaded: number) => ({
    ...station(id, 1_000),
    n100PerDay,
    categories: [{ category: '9' as const, vehicles: 100, weighed: 100, judged: 100, overloaded }],
  })
  const unweighed = {
    ...station(2, 1_000),
    n100PerDay: null,
    categories: [{ category: '9' as const, vehicles: 100, weighed: 0, judged: 0, overloaded: 0 }],
  }
  const { adt, heavyShare, overloadedShare, n100PerDay } = comparedTotals(
    [weighed(1, 1_000, 10), weighed(2, 800, 50)],
    [weighed(1, 1_000, 10), unweighed],
  )
  expect(n100PerDay).toEqual({ now: 1_000, before: 1_000, stations: 1 })
  expect(overloadedShare).toEqual({ now: 0.1, before: 0.1, stations: 1 })
  expect([adt.stations, heavyShare.stations]).toEqual([2, 2])
})
