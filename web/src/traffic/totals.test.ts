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
    adtStations: 2,
    axleStations: 3,
    heavyShare: 0.25,
    overloadedShare: 0.05,
    n100PerDay: 90,
  })
  expect(totalsOf([])).toEqual({
    adt: null,
    adtHeavy: null,
    adtStations: 0,
    axleStations: 0,
    heavyShare: null,
    overloadedShare: null,
    n100PerDay: null,
  })
})

test('compares only stations with complete days in both periods', () => {
  const { now, before } = comparedTotals([station(1, 1_100), station(2, 600)], [station(1, 1_000), station(2, null)])
  expect([now.adt, before.adt, now.adtStations]).toEqual([1_100, 1_000, 1])
})
