import type { Scale } from '@rogatka/contract/certificates.ts'
import { axleCount, axleLoad, MAX_FINE } from '@rogatka/contract/inspections.ts'
import type { PastInspection } from '@rogatka/domain/inspections/pastInspection.ts'
import { beforeAll, expect, test } from 'vitest'
import type { SimulatedStation } from '../detection.ts'
import { sampleStation } from '../sample.ts'
import { pastInspections } from './history.ts'

const UNTIL = new Date('2026-10-20T10:00:00Z')
const FROM = new Date('2026-10-06T10:00:00Z')
const OFFICERS = ['lipa', 'dab', 'sowa']

/** Station 2 has a lane whose scale drifts. */
const sites: SimulatedStation[] = [1, 2, 3, 4, 5, 6].map((id) => ({
  ...sampleStation,
  location: { ...sampleStation.location, id, roadNumber: 'DK50' },
  calibratedAt: [FROM],
}))
const scale: Omit<Scale, 'id' | 'name' | 'certificate' | 'accuracyPercent' | 'validUntil'> = {
  authority: 'OUM',
  validFrom: '2026-01-01',
  kind: 'platform',
  isUsed: false,
  version: 1,
  next: null,
  certificates: [],
}
const scales: Scale[] = [
  { ...scale, id: 11, name: 'A', certificate: '1', accuracyPercent: 1, validUntil: '2027-01-01' },
  { ...scale, id: 12, name: 'B', certificate: '2', accuracyPercent: 3, validUntil: '2026-11-01' },
  { ...scale, id: 13, name: 'C', certificate: '3', accuracyPercent: 2, validUntil: '2026-10-13' },
]

const inspectionsBetween = (from: Date, until: Date) => [
  ...pastInspections(sites, { officers: OFFICERS, scales }, from, until),
]
let duties: PastInspection[][]
let all: PastInspection[]

beforeAll(() => {
  duties = inspectionsBetween(FROM, UNTIL)
  all = duties.flat()
})

const times = ({ createdAt, announcedAt, takenOverAt, weighedAt, endedAt }: PastInspection) =>
  [createdAt, announcedAt, takenOverAt, weighedAt, endedAt].filter((at) => at !== null).map((at) => Date.parse(at))

test('equal stations and times have equal inspections', () => {
  const later = new Date(UNTIL.getTime() - 86_400_000)
  const last = inspectionsBetween(later, UNTIL).flat()
  expect(last.length).toBeGreaterThan(0)
  expect(all).toEqual(expect.arrayContaining(last))
})

test('an officer works on one vehicle after another, and on none after the end', () => {
  for (const inspections of duties)
    for (const [index, inspection] of inspections.entries()) {
      const steps = times(inspection)
      expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      const before = inspections[index - 1]
      if (before) expect(Date.parse(inspection.endedAt)).toBeGreaterThan(Date.parse(before.endedAt))
      expect(Date.parse(inspection.endedAt)).toBeLessThanOrEqual(UNTIL.getTime())
    }
  expect(new Set(all.map(({ vehicleId }) => vehicleId)).size).toBe(all.length)
})

test('two weeks have 10 to 30 inspections a day at each of the stations, some of which come to nothing', () => {
  expect(all.length / 14).toBeGreaterThan(10)
  expect(all.length / 14).toBeLessThan(30)
  expect(new Set(all.map(({ locationId }) => locationId)).size).toBe(6)
  expect(new Set(all.map(({ selection }) => selection))).toEqual(new Set(['preselected', 'random', 'reference']))
  expect(new Set(all.map(({ state }) => state))).toEqual(new Set(['closed', 'passedBy', 'withdrawn']))
  for (const result of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(all.filter(({ results }) => results.some((it) => it === result)).length, `result ${result}`).toBeGreaterThan(
      0,
    )
})

test('most preselected vehicles are overloaded, except on the drifting lane', () => {
  const hitRate = (inspections: PastInspection[]) => {
    const weighed = inspections.filter(({ weighing, selection }) => weighing && selection === 'preselected')
    return weighed.filter(({ results }) => !results.includes(1)).length / weighed.length
  }
  expect(hitRate(all)).toBeGreaterThan(0.8)
  expect(hitRate(all)).toBeLessThan(0.95)
  const ofDrifting = all.filter(({ locationId }) => locationId === 2)
  expect(hitRate(ofDrifting)).toBeLessThan(hitRate(all.filter((it) => !ofDrifting.includes(it))) - 0.1)
})

test('weights, results, amounts and tax numbers are ones that the portal accepts', () => {
  for (const { state, weighing, results, fineAmount, taxId, carrier, reason } of all) {
    if (weighing) {
      expect(weighing.axles.length).toBeGreaterThanOrEqual(axleCount.min)
      expect(Math.min(...weighing.axles)).toBeGreaterThanOrEqual(axleLoad.min)
      expect(Math.max(...weighing.axles)).toBeLessThanOrEqual(axleLoad.max)
    } else expect(results.every((result) => result >= 9)).toBe(true)
    expect(results.length > 0).toBe(state === 'closed')
    if (results.includes(1)) expect(results.some((result) => result >= 2 && result <= 7)).toBe(false)
    expect(fineAmount !== null).toBe(results.some((result) => result === 3 || result === 4))
    expect(fineAmount ?? 0).toBeLessThanOrEqual(MAX_FINE)
    expect(carrier !== null).toBe(state === 'closed')
    expect(reason !== null).toBe(state === 'withdrawn')
    if (taxId === null) continue
    const digits = [...taxId].map(Number)
    const sum = [6, 5, 7, 2, 3, 4, 5, 6, 7].reduce((total, weight, at) => total + weight * (digits[at] ?? 0), 0)
    expect([digits.length, sum % 11]).toEqual([10, digits[9]])
  }
})

test('the scale whose certificate ended is used for one day more', () => {
  const days = all.flatMap(({ weighing, weighedAt }) => (weighing?.scaleId === 13 ? [weighedAt?.slice(0, 10)] : []))
  expect(days.toSorted().at(-1)).toBe('2026-10-14')
  expect(days).toContain('2026-10-13')
})
