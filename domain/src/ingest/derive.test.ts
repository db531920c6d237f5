import type { Measurement } from '@rogatka/contract/ingest.ts'
import { describe, expect, test } from 'vitest'
import type { Station } from '../vehicle/derived.ts'
import type { LegalLimits } from '../vehicle/limits.ts'
import limitsPl from '../vehicle/limits-pl.json' with { type: 'json' }
import { derive } from './derive.ts'

const limits = limitsPl as LegalLimits

const station: Station = {
  id: 7,
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 400,
  distanceToCheckpoint: 2_000,
  lanes: [
    { laneNumber: 1, accuracyClass: 'B+(7)' },
    { laneNumber: 2, accuracyClass: null },
  ],
}

const createdAt = new Date('2026-10-20T06:00:00Z')

const axle = (kg: number, gap = 0) => ({ leftWeight: Math.floor(kg / 2), rightWeight: Math.ceil(kg / 2), gap })

/** A tractor with a tridem semi-trailer: 7,400 + 11,600 + 3 x 8,000 = 43,000 kg. */
const articulated = (more: Partial<Measurement> = {}): Measurement => ({
  sequence: 12,
  createdAt,
  laneNumber: 1,
  ctg8p1: 9,
  ctg323: 5,
  speed: 80,
  vehHeight: 400,
  vehLength: 1_620,
  plateLpr: 'wx 123-45',
  axles: [axle(7_400), axle(11_600, 370), axle(8_000, 560), axle(8_000, 131), axle(8_000, 131)],
  ...more,
})

describe('weight', () => {
  test('overload uses the lower bound of the tolerance', () => {
    const vehicle = derive(articulated(), station, limits)

    expect(vehicle).toMatchObject({
      totalLoad: 43_000,
      limitTotalLoad: 40_000,
      numberOfAxles: 5,
      accuracyClass: 'B+(7)',
      overloadTL: 0.5, // 43,000 / 1.07 = 40,187 kg for certain: 0.5 % over
      overloadSA: 0, // 11,600 / 1.11 = 10,450
      overloadMA: 0,
      violations: 1,
    })
    expect(vehicle.groups).toEqual([
      { axles: [1], totalLoad: 7_400, limit: 10_000, overload: 0 },
      { axles: [2], totalLoad: 11_600, limit: 11_500, overload: 0 },
      { axles: [3, 4, 5], totalLoad: 24_000, limit: 24_000, overload: 0 },
    ])
    expect(vehicle.axles[3]).toEqual({
      type: 3,
      leftWeight: 4_000,
      rightWeight: 4_000,
      totalLoad: 8_000,
      gap: 131,
      limit: null,
      overload: 0,
    })
  })

  test('on the basis of the measured load the same vehicle exceeds the gross and driving-axle limits', () => {
    expect(derive(articulated(), station, limits, 'measured')).toMatchObject({
      overloadTL: 7.5, // 43,000 of 40,000
      overloadSA: 0.9, // 11,600 of 11,500
      overloadMA: 0,
      violations: 1,
    })
  })

  test('the percentages are those of the worst axle and the worst group', () => {
    const axles = [axle(12_000), axle(15_000, 370), axle(11_000, 560), axle(10_000, 131), axle(9_000, 131)]
    const vehicle = derive(articulated({ axles }), station, limits)

    expect(vehicle.overloadSA).toBe(17.5) // 15,000 / 1.11 = 13,514 of 11,500; the first: 10,811 of 10,000 is 8.1
    expect(vehicle.overloadMA).toBe(13.6) // 30,000 / 1.10 = 27,273 of 24,000
    expect(vehicle.overloadTL).toBe(33.2) // 57,000 / 1.07 = 53,271 of 40,000
  })

  test('a counter without a scale has axles but no load and no overload', () => {
    const axles = [{ gap: 0 }, { gap: 530 }]

    expect(derive(articulated({ ctg8p1: 3, axles }), station, limits)).toMatchObject({
      totalLoad: null,
      numberOfAxles: 2,
      limitTotalLoad: 18_000,
      overloadSA: null,
      overloadMA: null,
      overloadTL: null,
      violations: 0,
    })
  })

  test.each([[null], [undefined], [[]]])('axles %s are unknown', (axles) => {
    expect(derive(articulated({ axles }), station, limits)).toMatchObject({
      totalLoad: null,
      numberOfAxles: null,
      limitTotalLoad: null,
      axles: [],
      groups: [],
    })
  })

  test('a wheel that was not weighed counts as 0', () => {
    const axles = [{ leftWeight: 3_000, gap: 0 }, { gap: 530 }]
    const vehicle = derive(articulated({ ctg8p1: 3, axles }), station, limits)

    expect(vehicle.totalLoad).toBe(3_000)
    expect(vehicle.axles.map(({ leftWeight, rightWeight, totalLoad }) => [leftWeight, rightWeight, totalLoad])).toEqual(
      [
        [3_000, null, 3_000],
        [null, null, 0],
      ],
    )
  })

  test('a vehicle of which only right wheels were weighed has a weight', () => {
    const axles = [{ rightWeight: 3_000, gap: 0 }, { gap: 530 }]
    expect(derive(articulated({ ctg8p1: 3, axles }), station, limits).totalLoad).toBe(3_000)
  })

  test.each([
    ['an axle', [axle(4_000), axle(14_000, 530)], { overloadTL: 0, overloadMA: 0, overloadSA: 9.7 }],
    ['a group', [axle(4_000), axle(11_000, 500), axle(11_000, 135)], { overloadTL: 0, overloadSA: 0 }],
  ])('%s over its limit is an overload within the gross limit', (_, axles, expected) => {
    const vehicle = derive(articulated({ ctg8p1: 3, ctg323: null, axles }), station, limits)
    expect(vehicle).toMatchObject({ ...expected, violations: 1 })
  })

  test.each([[2], [9]])('lane %s has no accuracy class: nothing is certain', (laneNumber) => {
    const heavy = articulated({ laneNumber, axles: [axle(9_000), axle(20_000, 500)] })

    expect(derive(heavy, station, limits)).toMatchObject({
      totalLoad: 29_000,
      accuracyClass: null,
      overloadTL: null,
      violations: 0,
    })
    expect(derive(heavy, station, limits, 'measured')).toMatchObject({ overloadSA: 73.9, violations: 1 })
  })

  test('24 axles are one vehicle of at most 40 t', () => {
    const axles = Array.from({ length: 24 }, (_, index) => axle(2_000, index === 2 ? 500 : 181))

    expect(derive(articulated({ axles }), station, limits)).toMatchObject({
      numberOfAxles: 24,
      totalLoad: 48_000,
      limitTotalLoad: 40_000,
      overloadTL: 12.2, // 48,000 / 1.07 = 44,860, which is 12.15 % over
    })
  })

  test('a single axle has no spacing, even if the station sent one', () => {
    const vehicle = derive(articulated({ ctg8p1: 10, axles: [axle(200, 140)] }), station, limits)

    expect(vehicle.axles).toHaveLength(1)
    expect(vehicle.axles[0]).toMatchObject({ type: 1, gap: 0, totalLoad: 200 })
    expect(vehicle).toMatchObject({ numberOfAxles: 1, limitTotalLoad: null, overloadTL: 0 })
  })
})

describe('height and speed', () => {
  test.each([
    [400, 0],
    [401, 2],
    [null, 0],
  ])('a height of %s cm gives the violations %s', (vehHeight, violations) => {
    expect(derive(articulated({ vehHeight, axles: null }), station, limits).violations).toBe(violations)
  })

  test.each([
    ['an articulated lorry at its limit', 9, 80, 80, 0, 0, 5],
    ['an articulated lorry just over', 9, 81, 80, 4, 1, 5],
    ['a car at the limit', 7, 120, 120, 0, 0, 9],
    ['a car far over', 7, 171, 120, 4, 6, 11],
    ['a coach on an expressway', 5, 101, 100, 4, 1, 7],
    ['a vehicle whose speed is unknown', 7, null, 120, 0, 0, 0],
    ['a vehicle that stands', 7, 0, 120, 0, 0, 0],
  ])('%s', (_, ctg8p1, speed, speedLimit, violations, overspeedRange, speedRange) => {
    const measurement = articulated({ ctg8p1, speed, axles: null })

    expect(derive(measurement, station, limits)).toMatchObject({ speedLimit, violations, overspeedRange, speedRange })
  })

  test('a station without speed limits reports no speeding', () => {
    const open = { ...station, speedLimit: null, speedLimitHeavy: null }

    expect(derive(articulated({ speed: 250, axles: null }), open, limits)).toMatchObject({
      speedLimit: null,
      violations: 0,
      overspeedRange: 0,
      speedRange: 11,
    })
  })

  test('keeps the violations reported by the station: off lane, wrong way', () => {
    const measurement = articulated({ overlane: true, wrongDirection: true, axles: null })

    expect(derive(measurement, station, limits).violations).toBe(8 + 16)
  })
})

describe('arrival', () => {
  test('arrival times at the sign and the checkpoint follow the measured speed', () => {
    const vehicle = derive(articulated({ speed: 80 }), station, limits)

    expect(vehicle.plateVmsReadablePointAt).toEqual(new Date('2026-10-20T06:00:18Z')) // 400 m
    expect(vehicle.checkpointTime).toEqual(new Date('2026-10-20T06:01:30Z')) // 2,000 m
  })

  test.each<[string, Partial<Measurement>]>([
    ['it stands', { speed: 0 }],
    ['its speed is unknown', { speed: null }],
    ['its speed is absent', { speed: undefined }],
    ['it drives the wrong way', { wrongDirection: true }],
  ])('arrival time is null when %s', (_, more) => {
    const vehicle = derive(articulated(more), station, limits)

    expect(vehicle.checkpointTime).toBeNull()
    expect(vehicle.plateVmsReadablePointAt).toBeNull()
  })

  test('arrival time is null without a sign or a checkpoint', () => {
    const vehicle = derive(articulated(), { ...station, distanceToSign: null, distanceToCheckpoint: null }, limits)

    expect(vehicle.checkpointTime).toBeNull()
    expect(vehicle.plateVmsReadablePointAt).toBeNull()
  })
})

describe('identity', () => {
  test('the id is the station and its sequence, the plate is normalised', () => {
    expect(derive(articulated(), station, limits)).toMatchObject({ id: 7 * 2 ** 40 + 12, plateLpr: 'WX12345' })
  })

  test.each([
    [6, 0],
    [null, 0],
    [undefined, 0],
    [0, 0],
    [4, 0],
    [7, 7],
    [11, 11],
  ])('the category %s is stored as %s', (ctg8p1, stored) => {
    expect(derive(articulated({ ctg8p1 }), station, limits).ctg8p1).toBe(stored)
  })

  test('an unclassified vehicle uses its COST 323 class, else its number of axles', () => {
    expect(derive(articulated({ ctg8p1: 6, ctg323: 5 }), station, limits).limitLength).toBe(1_650)
    expect(derive(articulated({ ctg8p1: 6, ctg323: 0 }), station, limits)).toMatchObject({
      ctg323: null,
      limitTotalLoad: 40_000,
      limitLength: 1_875,
    })
  })
})
