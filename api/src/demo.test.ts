import { lanes as certifiedLanes, scales as listScales } from '@rogatka/contract/certificates.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as inspections from '@rogatka/contract/inspections.ts'
import * as figureEndpoints from '@rogatka/contract/inspections-figures.ts'
import { login } from '@rogatka/contract/session.ts'
import type { PastInspection } from '@rogatka/domain/inspections/pastInspection.ts'
import { expect, test } from 'vitest'
import { insertDemoCertificates } from './certificates/demo.ts'
import { sql } from './core/statement.ts'
import { send } from './ingest/testing.ts'
import { insertPastInspections, needsDemoInspections } from './inspections/demo.ts'
import { deriveInspectionMonths } from './inspections/figures-derive.ts'
import { verifyFigures } from './inspections/figures-verify.ts'
import { lorry, open } from './inspections/testing.ts'
import { demoLocations } from './locations/demo.ts'
import { addLocation, type NewLocation } from './locations/queries.ts'
import { testApi } from './testing/test-api.ts'
import { ensureDemoOfficers } from './users/demo.ts'

const STATION = demoLocations[0] as NewLocation

/** A passage of 46.8 t on a day of October; its inspection by the first officer. */
const passageOn = (day: number) => ({ createdAt: `2026-10-${day}T10:00:00.000Z` })
const HEAVY = [7_400, 11_800, 9_200, 9_200, 9_200].map((load, at) => ({
  leftWeight: load / 2,
  rightWeight: load / 2,
  gap: [0, 374, 562, 131, 131][at] as number,
}))

const inspectionOf = (sequence: number, day: number, values: Partial<PastInspection>): PastInspection => ({
  locationId: STATION.id,
  vehicleId: vehicleId(STATION.id, sequence),
  ...passageOn(day),
  selection: 'preselected',
  state: 'closed',
  isAnnounced: true,
  officer: 'inspektor.lipa',
  announcedAt: `2026-10-${day}T10:01:00.000Z`,
  takenOverAt: `2026-10-${day}T10:05:00.000Z`,
  weighedAt: `2026-10-${day}T10:15:00.000Z`,
  endedAt: `2026-10-${day}T10:25:00.000Z`,
  weighing: null,
  results: [],
  fineAmount: null,
  carrier: null,
  taxId: null,
  declaration: null,
  reason: null,
  ...values,
})

const UNDONE = { takenOverAt: null, weighedAt: null }

test('inspections of the past are numbered in order of time and counted in all figures', async () => {
  const api = await testApi()
  for (const location of demoLocations) await addLocation(api.db, location)
  const station = await api.station(STATION)
  await send(station, [
    lorry(1, { ...passageOn(12), axles: HEAVY }),
    lorry(2, passageOn(13)),
    lorry(3, passageOn(14)),
    lorry(4, passageOn(15)),
    lorry(5, { ...passageOn(16), axles: HEAVY }),
    lorry(6),
  ])
  const { now } = api.clock
  const [platform, , expired] = await insertDemoCertificates(api.db, now)
  const accounts = await ensureDemoOfficers(api.db, now)
  const overweight = [7_200, 11_600, 8_400, 8_400, 8_400]
  const past = [
    inspectionOf(5, 16, { weighing: { scaleId: expired?.id ?? 0, axles: overweight }, results: [1] }),
    inspectionOf(4, 15, { ...UNDONE, state: 'withdrawn', reason: 'Plac zajęty' }),
    inspectionOf(3, 14, { ...UNDONE, state: 'passedBy' }),
    // Its vehicle was not stored.
    inspectionOf(99, 13, { weighing: { scaleId: platform?.id ?? 0, axles: overweight }, results: [4] }),
    inspectionOf(2, 13, {
      selection: 'random',
      isAnnounced: false,
      weighing: { scaleId: platform?.id ?? 0, axles: [6_900, 10_100, 6_300, 6_300, 6_400] },
      results: [1],
    }),
    inspectionOf(1, 12, {
      weighing: { scaleId: platform?.id ?? 0, axles: overweight },
      results: [4],
      fineAmount: 600_000,
      carrier: 'Przewozy Kasztan',
      taxId: '1234563218',
    }),
  ]
  const officers = new Map(accounts.map(({ username, userId }) => [username, userId]))
  const options = { officers, shiftStarts: ['06:00', '14:00', '22:00'], now }
  // The scale whose certificate has ended was used a day too late.
  const late = past.map((one) =>
    one.weighing?.scaleId === expired?.id ? { ...one, weighedAt: now.toISOString() } : one,
  )
  expect(await insertPastInspections(api.db, late, options)).toBe(5)
  expect(await needsDemoInspections(api.db)).toBe(false)
  expect(await insertPastInspections(api.db, late, options)).toBe(0)

  const reviewer = await api.as('Inspections', 'InspectionReview', 'Stat')
  const added = await open(reviewer, 6, { locationId: STATION.id, vehicleId: vehicleId(STATION.id, 6) })
  expect(added.number).toBe('K/6/2026/WYS')
  const { content } = (await reviewer.call(inspections.list, { query: { limit: '10' } })).body
  expect(content.map(({ number, state, confirmed }) => `${number} ${state} ${confirmed}`)).toEqual([
    'K/6/2026/WYS announced null',
    'K/5/2026/WYS closed false',
    'K/4/2026/WYS withdrawn null',
    'K/3/2026/WYS passedBy null',
    'K/2/2026/WYS closed false',
    'K/1/2026/WYS closed true',
  ])
  // At 1 % of 44,000 kg 43,560 kg are certain, 8.9 % over 40,000; of the 25,200 kg of the tridem 24,948, 4.0 % over 24,000.
  expect(content[5]).toMatchObject({
    officer: { username: 'inspektor.lipa' },
    shift: { day: '2026-10-12', start: '06:00' },
    static: {
      gross: { load: 44_000 },
      isScaleValid: true,
      excesses: [
        { kind: 'gross', percent: 8.9 },
        { kind: 'group', percent: 4 },
      ],
    },
    fineAmount: 600_000,
    taxId: '1234563218',
  })
  expect(content[1]?.static).toMatchObject({ isScaleValid: false, excesses: [] })

  await reviewer.call(inspections.withdraw, {
    params: { id: String(added.id) },
    body: { version: 1, reason: 'Koniec' },
  })
  for (const prepare of [() => {}, () => deriveInspectionMonths(api.db)]) {
    await prepare()
    expect(await verifyFigures(api.db)).toEqual([])
    const query = { dateTimeStart: '2026-10-01T00:00:00Z', dateTimeEnd: '2026-11-01T00:00:00Z' }
    const { total } = (await reviewer.call(figureEndpoints.figures, { query })).body
    expect([total.hitRate, total.stopRate, total.missedRate].map(({ part, of }) => `${part}/${of}`)).toEqual([
      '1/2',
      '2/5',
      '0/1',
    ])
  }
})

test('the demo has scales, certificates and officers, whose accounts it creates once', async () => {
  const api = await testApi()
  for (const location of demoLocations) await addLocation(api.db, location)
  const { now } = api.clock
  const scales = await insertDemoCertificates(api.db, now)
  expect(await insertDemoCertificates(api.db, now)).toEqual(scales)
  const certifier = await api.as('ScaleCertificates')
  const listed = (await certifier.call(listScales, {})).body
  expect(listed).toHaveLength(3)
  expect(listed.filter(({ validUntil }) => validUntil < '2026-10-20')).toHaveLength(1)
  expect(listed.filter(({ validUntil }) => validUntil >= '2026-10-20' && validUntil < '2026-11-19')).toHaveLength(1)
  const lanes = (await certifier.call(certifiedLanes, {})).body
  const purposes = lanes.map(({ purpose, certificates }) => `${purpose} ${certificates.length > 0}`)
  expect(new Set(purposes)).toEqual(
    new Set(['statistics false', 'preselection false', 'preselection true', 'enforcement true']),
  )

  const before = await ensureDemoOfficers(api.db, now)
  const after = await ensureDemoOfficers(api.db, now)
  expect(after.map(({ userId }) => userId)).toEqual(before.map(({ userId }) => userId))
  const signIn = async ({ username, password }: (typeof after)[number]) =>
    (await api.client().call(login, { body: { username, password } })).status
  expect(await signIn(after[0] as (typeof after)[number])).toBe(200)
  expect(await signIn(before[0] as (typeof after)[number])).toBe(401)
})

test('an account of somebody else with the name of a demo officer keeps its password', async () => {
  const api = await testApi()
  const { userId } = await api.as('Stat')
  await api.db.query(sql`update app_user set username = 'inspektor.lipa' where id = ${userId}`)
  const officers = await ensureDemoOfficers(api.db, api.clock.now)
  expect(officers.map(({ username }) => username)).not.toContain('inspektor.lipa')
  expect(officers).toHaveLength(2)
})
