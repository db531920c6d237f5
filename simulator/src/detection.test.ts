import { expect, test } from 'vitest'
import { detectionsBetween } from './detection.ts'
import { sampleStation } from './sample.ts'

const hours = [new Date('2026-03-04T08:00:00Z'), new Date('2026-03-04T16:00:00Z')] as const
const passing = (traffic: number) =>
  [...detectionsBetween({ ...sampleStation, traffic }, ...hours)].map((detection) => JSON.stringify(detection))

test('a share of the traffic is a part of the same vehicles', () => {
  const all = passing(1)
  const half = passing(0.5)
  expect(half.length / all.length).toBeCloseTo(0.5, 1)
  expect(half.filter((detection) => !all.includes(detection))).toEqual([])
  const tenth = passing(0.1)
  expect(tenth.filter((detection) => !half.includes(detection))).toEqual([])
})
