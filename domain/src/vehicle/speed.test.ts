import { expect, test } from 'vitest'
import type { VehicleKind } from './kind.ts'
import type { LegalLimits } from './limits.ts'
import limitsPl from './limits-pl.json' with { type: 'json' }
import { speedLimitOf } from './speed.ts'

const limits = limitsPl as LegalLimits

test.each<[VehicleKind, number | null, number | null, number | null]>([
  ['car', 120, 80, 120],
  ['van', 90, 70, 90],
  ['motorcycle', 90, 70, 90],
  ['unclassified', 120, 80, 120],
  ['carWithTrailer', 120, 80, 80],
  ['rigid', 90, 70, 70],
  ['roadTrain', 90, 70, 70],
  ['articulated', 140, 80, 80],
  ['bus', 140, 80, 100],
  ['bus', 120, 80, 100],
  ['bus', 119, 80, 80],
  ['bus', 90, 70, 70],
  ['rigid', 90, null, 90],
  ['rigid', null, 70, 70],
  ['car', null, 70, null],
  ['bus', null, null, null],
])('%s with limits %s and %s: %s km/h', (kind, speedLimit, speedLimitHeavy, limit) => {
  expect(speedLimitOf(limits, kind, { speedLimit, speedLimitHeavy })).toBe(limit)
})
