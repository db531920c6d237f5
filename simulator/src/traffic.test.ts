import { expect, test } from 'vitest'
import { isHeavy } from './kinds.ts'
import { sampleStation } from './sample.ts'
import { arrivalsOf, daysBack, HEAVY_SHARE, rateOf, volumeOf } from './traffic.ts'
import { dayOf, hourOf, instantOf } from './warsaw.ts'

const TUESDAY = dayOf(new Date('2026-10-20T12:00:00Z'))
const SUNDAY = TUESDAY - 2

const station = (id: number) => ({ ...sampleStation.location, id })
const days = Array.from({ length: 6 }, (_, i) => arrivalsOf(station(i + 1), TUESDAY))
const all = days.flat()

test('a working day has about the volume of the road and a third of it is heavy', () => {
  expect(volumeOf({ roadNumber: 'S8' })).toBeGreaterThan(volumeOf({ roadNumber: 'DK50' }))
  expect(all.length / days.length / volumeOf({ roadNumber: 'S8' })).toBeCloseTo(1, 1)
  expect(all.filter(({ kind }) => isHeavy(kind)).length / all.length).toBeCloseTo(HEAVY_SHARE, 1)
})

test('Sunday is quieter, most of all for lorries', () => {
  const heavyOn = (day: number) => arrivalsOf(station(1), day).filter(({ kind }) => isHeavy(kind)).length

  expect(heavyOn(SUNDAY)).toBeLessThan(0.5 * heavyOn(TUESDAY))
})

test('classes have the shares of docs/domain.md', () => {
  const light = all.filter(({ kind }) => !isHeavy(kind))
  const heavy = all.filter(({ kind }) => isHeavy(kind))
  const share = (of: typeof all, kind: string) => of.filter((arrival) => arrival.kind === kind).length / of.length

  expect(share(light, 'car')).toBeCloseTo(0.84, 1)
  expect(share(light, 'van')).toBeCloseTo(0.128, 1)
  expect(share(heavy, 'articulated')).toBeCloseTo(0.56, 1)
  expect(share(heavy, 'lorry')).toBeCloseTo(0.31, 1)
  expect(share(heavy, 'road-train')).toBeCloseTo(0.07, 1)
})

test('hours follow the daily profile in local time, with a morning peak and a live night', () => {
  const byHour = Array.from({ length: 24 }, () => 0)
  for (const { at } of all) {
    const hour = Math.floor(hourOf(new Date(at)))
    byHour[hour] = (byHour[hour] ?? 0) + 1
  }
  const night = Math.min(...byHour.slice(0, 5))

  expect(byHour.indexOf(Math.max(...byHour))).toBe(6)
  // Six stations together: at least one vehicle in 20 seconds.
  expect(night).toBeGreaterThan(180)
  expect(byHour[6]).toBeGreaterThan(4 * night)
})

test('a road without night traffic keeps a minimum', () => {
  const { light, heavy } = rateOf(500, TUESDAY, 3)

  expect(light + heavy).toBeGreaterThanOrEqual(30)
})

test('headways are skewed as on a real road: the median is well below the mean', () => {
  const noon = days.map((day) => day.filter(({ at }) => Math.floor(hourOf(new Date(at))) === 12))
  const headways = noon
    .flatMap((hour) => hour.slice(1).map(({ at }, i) => at - (hour[i]?.at ?? at)))
    .sort((a, b) => a - b)
  const mean = headways.reduce((sum, headway) => sum + headway, 0) / headways.length

  expect((headways[Math.floor(headways.length / 2)] ?? 0) / mean).toBeCloseTo(2.2 / 3.5, 1)
})

test('arrivals rise, stay inside their day and use the lanes of the station, lorries the first', () => {
  for (const day of days) {
    expect(day.slice(1).every(({ at }, i) => at > (day[i]?.at ?? 0))).toBe(true)
    expect(day[0]?.at).toBeGreaterThanOrEqual(instantOf(TUESDAY, 0))
    expect(day.at(-1)?.at).toBeLessThan(instantOf(TUESDAY + 1, 0))
  }
  expect(new Set(all.map(({ laneNumber }) => laneNumber))).toEqual(new Set([1, 2]))
  const lorries = all.filter(({ kind }) => isHeavy(kind))
  expect(lorries.filter(({ laneNumber }) => laneNumber === 1).length / lorries.length).toBeGreaterThan(0.7)
})

test('a day is reproducible, and each station and day differs', () => {
  expect(arrivalsOf(station(1), TUESDAY)).toEqual(days[0])
  expect(arrivalsOf(station(2), TUESDAY)).not.toEqual(days[0])
  expect(arrivalsOf(station(1), TUESDAY + 1)[0]?.at).not.toBe((days[0]?.[0]?.at ?? 0) + 86_400_000)
})

test('past days are newest first and include the current one', () => {
  expect(daysBack(new Date('2026-10-18T12:00:00Z'), new Date('2026-10-20T12:00:00Z'))).toEqual([
    TUESDAY,
    TUESDAY - 1,
    TUESDAY - 2,
  ])
})
