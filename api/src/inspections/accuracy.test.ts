import * as certificates from '@rogatka/contract/certificates.ts'
import * as endpoints from '@rogatka/contract/inspections-figures.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { testApi } from '../testing/test-api.ts'
import { deleteInspections } from './queries.ts'
import { figureScene, type InspectionFixture, storeInspections, YEAR } from './testing-figures.ts'

/** Weighs two values around a mean so that the sample has this mean and standard deviation. */
function sampleOf(n: number, mean: number, s: number): { wim: number; scale: number }[] {
  const spread = s * Math.sqrt((n - 1) / n)
  return Array.from({ length: n }, (_, at) => {
    const difference = mean + (at % 2 === 0 ? spread : -spread)
    // The static load at which the WIM load is nearest to whole kg.
    let best = { wim: 0, scale: 0, error: Infinity }
    for (let scale = 12_000; scale < 18_000; scale++) {
      const exact = scale * (1 + difference / 100)
      const error = Math.abs(Math.round(exact) - exact) / scale
      if (error < best.error) best = { wim: Math.round(exact), scale, error }
    }
    return best
  })
}

/** The published example: 60 vehicles with 58 groups, 124 single axles and 170 axles of groups. */
function exampleOfAccuracy(days: readonly string[]): InspectionFixture[] {
  const [gross, group, single, ofGroup] = [
    sampleOf(60, -1.42, 3.05),
    sampleOf(58, 0.85, 4.6),
    sampleOf(124, -2.1, 4.95),
    sampleOf(170, 0.4, 6.35),
  ]
  return gross.map((total, at) => {
    const groups = at < 54 ? [1, 1, 3] : at < 58 ? [1, 1, 2] : [1, 1, 1, 1]
    const loads = groups.map((axles) =>
      axles === 1
        ? { sum: null, axles: single.splice(0, 1) }
        : { sum: group.splice(0, 1)[0], axles: ofGroup.splice(0, axles) },
    )
    const side = (of: 'wim' | 'scale') => loads.map(({ axles }) => axles.map((axle) => axle[of]))
    const sums = (of: 'wim' | 'scale') => loads.map(({ sum, axles }) => sum?.[of] ?? (axles[0]?.[of] as number))
    return {
      at: new Date(`${days[at % days.length]}T10:00:00Z`),
      locationId: 7,
      wim: { lane: 1, gross: total.wim, groups: side('wim'), sums: sums('wim'), flagged: false },
      selection: at % 2 === 0 ? 'random' : 'reference',
      wasAnnounced: false,
      officerId: null,
      shift: '06:00',
      scale: { gross: total.scale, groups: side('scale'), sums: sums('scale'), isValid: true },
      confirmed: false,
    }
  })
}

test('the published example gives the class of the lane, beside the configured one and its certificate', async () => {
  const api = await testApi()
  await figureScene(api)
  const ids = await storeInspections(api, exampleOfAccuracy(['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15']))
  const user = await api.as('Stat')
  const lanesOf = async (query: object = {}) =>
    (await user.call(endpoints.accuracy, { query: { ...YEAR, ...query } as never })).body
  const { lanes, isBiased } = await lanesOf()
  const about = (
    n: number,
    mean: number,
    s: number,
    required: number,
    smallestTolerance: number,
    confidence: number,
  ) => ({
    n,
    mean: expect.closeTo(mean, 4),
    s: expect.closeTo(s, 4),
    required: expect.closeTo(required, 3),
    smallestTolerance: expect.closeTo(smallestTolerance, 3),
    confidence: expect.closeTo(confidence, 3),
  })
  const missing = { certificate: null, expiry: { lastDay: null, days: null, warning: null } }
  expect(isBiased).toBe(false)
  // The second lane has neither scale nor pairs.
  expect(lanes).toMatchObject([
    {
      lane: { id: 701, laneNumber: 1 },
      configured: 'B+(7)',
      earned: 'B+(7)',
      isWorse: false,
      environment: 'I',
      criteria: {
        gross: about(60, -1.42, 3.05, 91.843, 6.723, 93.169),
        group: about(58, 0.85, 4.6, 91.762, 9.476, 93.486),
        singleAxle: about(124, -2.1, 4.95, 93.158, 10.737, 93.866),
        axleOfGroup: about(170, 0.4, 6.35, 93.548, 12.8, 95.802),
      },
      ...missing,
    },
  ])

  const certifier = await api.as('ScaleCertificates')
  const certify = (validFrom: string, validUntil: string) =>
    certifier.call(certificates.addCertificate, {
      body: { lane: 701, number: `OUM/${validUntil}`, authority: 'OUM', kind: 'initial', validFrom, validUntil },
    })
  expect((await certify('2026-01-01', '2026-10-19')).status).toBe(200)
  expect((await lanesOf()).lanes[0]).toMatchObject({
    certificate: null,
    expiry: { lastDay: null, warning: 'ended', endedOn: '2026-10-19' },
  })
  expect((await certify('2026-10-20', '2026-11-15')).status).toBe(200)
  expect((await lanesOf()).lanes[0]).toMatchObject({
    certificate: { number: 'OUM/2026-11-15', validUntil: '2026-11-15' },
    expiry: { lastDay: '2026-11-15', days: 26, warning: 'days30', endedOn: null },
  })

  // A narrower class was configured; preselected ones bias the mean.
  await api.db.execute(sql`update lane set accuracy_class = 'A(5)' where location_id = 7 and lane_number = 1`)
  expect((await lanesOf({ selections: 'preselected,random,reference' })).isBiased).toBe(true)
  expect((await lanesOf()).lanes[0]).toMatchObject({ configured: 'A(5)', earned: 'B+(7)', isWorse: true })

  // Without axles of groups, and with few vehicles.
  await deleteInspections(api.db, ids.slice(9))
  expect((await lanesOf()).lanes[0]).toMatchObject({
    earned: null,
    isWorse: false,
    environment: 'I',
    criteria: { gross: { n: 9, required: null, confidence: null, earned: null } },
  })
})
