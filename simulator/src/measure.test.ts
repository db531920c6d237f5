import { measurement, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { expect, test } from 'vitest'
import { type Detection, detectionsBetween, detectionsOf, type SimulatedStation, sequenceOf } from './detection.ts'
import { ctg8p1Of, isHeavy, isSlow, kinds } from './kinds.ts'
import { driftOf, measure } from './measure.ts'
import { measurementOf, sampleStation } from './sample.ts'
import { dayOf } from './warsaw.ts'

const NOON = new Date('2026-10-20T10:00:00Z')
const DAY = dayOf(NOON)
const MIDNIGHT = new Date('2026-10-19T22:00:00Z')
const NEXT_MIDNIGHT = new Date('2026-10-20T22:00:00Z')

const siteOf = (id: number, accuracyClass: 'B+(7)' | 'D(25)' | null = 'B+(7)'): SimulatedStation => ({
  ...sampleStation,
  location: {
    ...sampleStation.location,
    id,
    lanes: sampleStation.location.lanes.map((lane) => ({
      ...lane,
      accuracyClass: accuracyClass && { name: accuracyClass },
    })),
  },
})

const day = [...detectionsOf(siteOf(1), DAY, MIDNIGHT, NEXT_MIDNIGHT)].map((detection) => ({
  detection,
  wire: measure(detection, siteOf(1)),
}))
const grossOf = (wire: WireMeasurement): number =>
  (wire.axles ?? []).reduce((sum, axle) => sum + (axle.leftWeight ?? 0) + (axle.rightWeight ?? 0), 0)
const trueGross = ({ axleLoads }: Detection): number => axleLoads.reduce((sum, load) => sum + load, 0)
const share = (found: (item: (typeof day)[number]) => boolean, of = day): number => of.filter(found).length / of.length

test('every vehicle of a day is a valid measurement', () => {
  for (const { wire } of day) expect(measurement.safeParse(wire).error?.issues).toBeUndefined()
})

test.each(kinds)('a %s on demand is a valid measurement, the same for the same seed', (kind) => {
  const wire = measurementOf(kind, { at: NOON })

  expect(measurement.safeParse(wire).error?.issues).toBeUndefined()
  expect(measurementOf(kind, { at: NOON })).toEqual(wire)
  expect(measurementOf(kind, { at: NOON, seed: 'other' }).vehLength).not.toBe(wire.vehLength)
  expect([ctg8p1Of[kind], 6]).toContain(wire.ctg8p1)
})

test('a gross weight on demand is measured within the tolerance', () => {
  const wire = measurementOf('articulated', { at: NOON, gross: 46_000 })

  expect(grossOf(wire)).toBeGreaterThan(46_000 * 0.9)
  expect(grossOf(wire)).toBeLessThan(46_000 * 1.1)
})

test('violations have realistic rates', () => {
  const heavy = day.filter(({ detection }) => isHeavy(detection.vehicle.form.kind))
  const slow = day.filter(({ detection }) => isSlow(detection.vehicle.form.kind))
  const quick = day.filter(({ detection }) => !isSlow(detection.vehicle.form.kind))
  const speeding = (of: typeof day, limit: number) => share(({ wire }) => (wire.speed ?? 0) > limit, of)

  expect(speeding(slow, 80)).toBeGreaterThan(0.04)
  expect(speeding(slow, 80)).toBeLessThan(0.14)
  expect(speeding(quick, 120)).toBeGreaterThan(0.05)
  expect(speeding(quick, 120)).toBeLessThan(0.16)
  expect(share(({ wire }) => (wire.vehHeight ?? 0) > 400, heavy)).toBeGreaterThan(0.002)
  expect(share(({ wire }) => (wire.vehHeight ?? 0) > 400, heavy)).toBeLessThan(0.02)
  expect(share(({ wire }) => wire.overlane === true)).toBeGreaterThan(0.001)
  expect(share(({ wire }) => wire.overlane === true)).toBeLessThan(0.012)
  expect(share(({ wire }) => wire.wrongDirection === true)).toBeLessThan(0.002)
})

test('lengths have the means of docs/domain.md', () => {
  const mean = (kind: string) => {
    const lengths = day
      .filter(({ detection }) => detection.vehicle.form.kind === kind)
      .map(({ wire }) => wire.vehLength ?? 0)
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  }

  for (const [kind, length] of [
    ['car', 452],
    ['van', 587],
    ['lorry', 915],
    ['articulated', 1595],
    ['bus', 1209],
  ] as const)
    expect(Math.abs(mean(kind) / length - 1)).toBeLessThan(0.06)
})

test('95 % of gross weights lie within the tolerance of the class, and a worse class scatters more', () => {
  const errors = (accuracyClass: 'B+(7)' | 'D(25)') =>
    day
      .filter(({ detection }) => isHeavy(detection.vehicle.form.kind) && !detection.overlane)
      .map(({ detection }) =>
        Math.abs(grossOf(measure(detection, siteOf(1, accuracyClass))) / trueGross(detection) - 1),
      )
      .sort((a, b) => a - b)
  const within95 = (sorted: number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? 0

  expect(within95(errors('B+(7)'))).toBeLessThan(0.07)
  expect(within95(errors('D(25)'))).toBeGreaterThan(0.1)
  expect(within95(errors('D(25)'))).toBeLessThan(0.25)
})

test('wheels of a vehicle astride two lanes weigh unevenly, of others evenly', () => {
  const lean = (overlane: boolean) => {
    const [axle] = measurementOf('articulated', { at: NOON, overlane }).axles ?? []
    return (
      Math.abs((axle?.leftWeight ?? 0) - (axle?.rightWeight ?? 0)) /
      ((axle?.leftWeight ?? 0) + (axle?.rightWeight ?? 1))
    )
  }

  expect(lean(true)).toBeGreaterThan(0.3)
  expect(lean(false)).toBeLessThan(0.15)
})

test('a lane without a scale sends neither weights nor axles, but all that a camera sees', () => {
  const wire = measurementOf('articulated', { at: NOON, site: siteOf(1, null) })

  expect(wire.axles).toBeNull()
  expect(wire.vehLength).toBeGreaterThan(1_200)
  expect(wire.shapeSamples?.length).toBeGreaterThan(40)
  expect(measurement.safeParse(wire).success).toBe(true)
})

test('the height profile has one sample each 25 cm and reaches the measured height', () => {
  for (const { wire } of day.slice(0, 500)) {
    const profile = wire.shapeSamples ?? []
    expect(Math.abs(profile.length - (wire.vehLength ?? 0) / 25)).toBeLessThan(3)
    expect(Math.abs(Math.max(...profile) - (wire.vehHeight ?? 0))).toBeLessThan(16)
  }
})

test('one lane of six stations drifts past 7 % within ten days, and a calibration brings it back', () => {
  const day = (number: number) => new Date(NOON.getTime() + number * 86_400_000)
  const readings = (id: number, lane: number) => {
    const site = { ...siteOf(id), calibratedAt: [day(0), day(10)] }
    return [0, 5, 9.9, 10, 12].map((number) => driftOf(site, lane, day(number)) - driftOf(site, lane, day(0)))
  }
  const all = [1, 2, 3, 4, 5, 6].flatMap((id) => [readings(id, 1), readings(id, 2)])
  const drifting = all.filter((lane) => Math.max(...lane) > 0.03)

  expect(drifting).toHaveLength(1)
  const [, middle = 0, before = 0, after = 0, later = 0] = drifting[0] ?? []
  expect(middle).toBeGreaterThan(0.03)
  expect(before).toBeGreaterThan(0.07)
  expect(Math.abs(after)).toBeLessThan(0.02)
  expect(later).toBeGreaterThan(after)
})

test('an uncalibrated scale drifts at most 12 %, and not before its first calibration', () => {
  const site = { ...siteOf(2), calibratedAt: [NOON] }
  const reading = (days: number) => driftOf(site, 1, new Date(NOON.getTime() + days * 86_400_000))

  expect(reading(365)).toBeLessThan(1.131)
  expect(reading(-20)).toBeLessThan(1.011)
})

test('some plates recur, among them overloading hauliers', () => {
  const seen = new Map<string, number>()
  for (const id of [1, 2, 3])
    for (const { vehicle } of detectionsOf(siteOf(id), DAY, MIDNIGHT, NEXT_MIDNIGHT))
      seen.set(vehicle.plate, (seen.get(vehicle.plate) ?? 0) + 1)
  const returning = [...seen.values()].filter((times) => times > 1)

  expect(returning.length).toBeGreaterThan(300)
  expect(returning.length).toBeLessThan(seen.size / 4)
  expect(day.some(({ detection }) => detection.vehicle.overloads)).toBe(true)
})

test('sequence numbers and times depend only on the day', () => {
  const evening = new Date('2026-10-20T18:00:00Z')
  const whole = [...detectionsOf(siteOf(1), DAY, MIDNIGHT, NEXT_MIDNIGHT)]
  const late = [...detectionsBetween(siteOf(1), evening, new Date('2026-10-20T23:00:00Z'))]

  expect(new Set(whole.map(({ sequence }) => sequence)).size).toBe(whole.length)
  expect(late[0]).toEqual(whole.find(({ at }) => at >= evening))
  expect(late.at(-1)?.sequence).toBeGreaterThanOrEqual(sequenceOf(DAY + 1, 0))
  expect(late.map(({ at }) => at.getTime())).toEqual(late.map(({ at }) => at.getTime()).sort((a, b) => a - b))
})

test('a recurring vehicle keeps its plate, its interval and its shape', () => {
  const commuter = { plate: 'WPR 8K47M', nationality: 'PL', kind: 'van', every: 20 } as const
  const day = (site: SimulatedStation) => [...detectionsOf(site, 20_700, new Date(0), new Date('2100-01-01'))]
  const [without, detections] = [day(sampleStation), day({ ...sampleStation, recurring: [commuter] })]
  const known = detections.filter(({ vehicle }) => vehicle.plate === commuter.plate)
  const vans = detections.filter(({ vehicle }) => vehicle.form.kind === 'van')
  expect(known.length).toBeGreaterThan(vans.length / 40)
  expect(known.length).toBeLessThan(vans.length / 10)
  expect(new Set(known.map(({ vehicle }) => JSON.stringify(vehicle))).size).toBe(1)
  // All other vehicles are unchanged.
  const changed = detections.filter((detection, at) => detection.vehicle.plate !== without[at]?.vehicle.plate)
  expect(changed).toEqual(known)
})
