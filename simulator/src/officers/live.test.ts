import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Inspection, WireInspection } from '@rogatka/contract/inspections.ts'
import { inspection as inspectionSchema, newWeighing } from '@rogatka/contract/inspections.ts'
import { expect, test, vi } from 'vitest'
import { sampleStation } from '../sample.ts'
import { nextStep, runOfficers } from './live.ts'

const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000).toISOString()
const OFFICER = { id: 3, username: 'lipa' }
const PERSON = { id: 9, username: 'admin' }
const {
  lanes: _,
  lastVehicleTime: __,
  distanceToSign: ___,
  distanceToCheckpoint: ____,
  ...location
} = sampleStation.location

/** A vehicle of 40.2 t that reached the checkpoint 20 minutes ago. */
const passage: WireInspection['wim'] = {
  id: 2 ** 40 + 7,
  createdAt: minutesAgo(25),
  checkpointTime: minutesAgo(20),
  plateVmsReadablePointAt: null,
  location,
  lane: { laneNumber: 1, accuracyClass: { name: 'B+(7)' } },
  plateLpr: 'WPR8K47M',
  nationality: 'PL',
  speed: 80,
  speedLimit: 80,
  overspeed: false,
  totalLoad: 40_200,
  limitTotalLoad: 40_000,
  ctg8p1: 9,
  ctg323: 5,
  overload: true,
  overloadSA: 0,
  overloadMA: 0,
  overloadTL: 1,
  overheight: false,
  vehHeight: 390,
  limitHeight: 400,
  vehLength: 1_600,
  limitLength: 1_650,
  numberOfAxles: 5,
  wrongDirection: false,
  overlane: false,
  axles: [7_100, 11_900, 7_000, 7_100, 7_100].map((totalLoad) => ({
    type: 1,
    leftWeight: totalLoad / 2,
    rightWeight: totalLoad / 2,
    totalLoad,
    minTotalLoad: totalLoad,
    maxTotalLoad: totalLoad,
    limitTotalLoad: null,
    gap: 130,
    overload: 0,
  })),
  images: [],
  tolerance: null,
}

const announcedBy = (by: typeof OFFICER, id: number): WireInspection => ({
  id,
  number: `K/${id}/2026/WYS`,
  version: 1,
  state: 'announced',
  selection: 'preselected',
  location: { id: 1, shortName: 'S8 Wyszków' },
  wim: passage,
  plateLpr: passage.plateLpr,
  nationality: passage.nationality,
  ctg8p1: 9,
  static: null,
  confirmed: null,
  announced: { at: minutesAgo(24), by },
  officer: null,
  takenOverAt: null,
  weighed: null,
  closed: null,
  withdrawn: null,
  passedBy: null,
  reopened: null,
  reason: null,
  shift: { day: '2026-10-20', start: '06:00' },
  results: [],
  fineAmount: null,
  carrier: null,
  taxId: null,
  declaration: null,
  note: null,
  photos: [],
})

const stepOf = (inspection: WireInspection) =>
  nextStep(inspectionSchema.parse(inspection) as Inspection, new Set([OFFICER.username]), new Date())

test('officers let few vehicles pass by, withdraw few, and take the others over at the checkpoint', () => {
  const steps = Array.from({ length: 500 }, (_, id) => stepOf(announcedBy(OFFICER, id)))
  const share = (step: ReturnType<typeof stepOf>) => steps.filter((it) => it === step).length / steps.length
  expect(share(null)).toBeGreaterThan(0.03)
  expect(share(null)).toBeLessThan(0.15)
  expect(share('withdraw')).toBeGreaterThan(0.01)
  expect(share('withdraw')).toBeLessThan(0.1)
  expect(share('takeOver')).toBe(1 - share(null) - share('withdraw'))
})

test('a person has ten minutes to take over some of the vehicles', () => {
  const arrived = { ...passage, checkpointTime: minutesAgo(8) } as WireInspection['wim']
  const left = Array.from({ length: 200 }, (_, id) => ({ ...announcedBy(OFFICER, id), wim: arrived })).filter(
    (inspection) => stepOf(inspection) === null,
  )
  expect(left.length).toBeGreaterThan(40)
  expect(left.length).toBeLessThan(120)
})

test('officers take no step before its time, and none of an inspection of somebody else', () => {
  for (let id = 0; id < 50; id++) {
    const ahead = { ...passage, checkpointTime: minutesAgo(-1) } as WireInspection['wim']
    expect(stepOf({ ...announcedBy(OFFICER, id), announced: { at: minutesAgo(0), by: OFFICER }, wim: ahead })).toBe(
      null,
    )
    expect(stepOf(announcedBy(PERSON, id))).toBe(null)
    const state = 'takenOver' as const
    const taken = { ...announcedBy(OFFICER, id), state, officer: PERSON, takenOverAt: minutesAgo(20) }
    expect(stepOf(taken)).toBe(null)
    expect(stepOf({ ...taken, officer: OFFICER, takenOverAt: minutesAgo(1) })).toBe(null)
    expect(stepOf({ ...taken, officer: OFFICER, reopened: { at: minutesAgo(9), by: PERSON } })).toBe(null)
    expect(stepOf({ ...taken, officer: OFFICER })).toMatch(/^(weigh|closeUnweighed)$/)
  }
})

const bodyOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text ? JSON.parse(text) : null
}

type Step = { call: string; body: Record<string, unknown>; token: string | undefined; key: unknown }

/** A portal with an inspection, for which the time of each step has come, and a live vehicle. Some answers are lost. */
async function createFakePortal(inspection: WireInspection) {
  const steps: Step[] = []
  let open = [inspection]
  const live = { ...passage, id: 2 ** 40 + 8, checkpointTime: minutesAgo(-5), images: undefined, tolerance: undefined }
  const server = createServer(async (request, response) => {
    const call = request.url?.split('?')[0]?.replace('/api/v1/', '') ?? ''
    const body = await bodyOf(request)
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (call === 'login') return answer(200, { token: `of-${body.username}` })
    if (call === 'current-vehicles') return answer(200, { content: [live], lastId: null })
    if (request.method === 'GET') return answer(200, { content: open, totalCount: open.length })
    const { authorization: token, 'idempotency-key': key } = request.headers
    const isFirst = steps.every((step) => step.call !== call)
    steps.push({ call, body, token, key })
    if (isFirst) return answer(503, { errors: [] })
    if (call === 'inspections') return answer(200, { id: 8, number: 'K/8/2026/WYS', version: 1, sign: null })
    if (call.endsWith('take-over')) {
      inspection.officer = OFFICER
      inspection.state = 'takenOver'
      inspection.takenOverAt = minutesAgo(15)
    }
    if (call.endsWith('weighing')) {
      inspection.state = 'weighed'
      inspection.weighed = { at: minutesAgo(8), by: OFFICER }
    }
    inspection.version++
    if (call.endsWith('close')) open = []
    return answer(200, inspection)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, steps, close: () => server.closeAllConnections() ?? server.close() }
}

test('officers announce, take over, weigh and close, and repeat a request whose answer was lost', async () => {
  const inspection = announcedBy(OFFICER, 2)
  expect(stepOf(inspection)).toBe('takeOver')
  const portal = await createFakePortal(inspection)
  const stop = new AbortController()
  const scale = { authority: 'OUM', validFrom: '2026-01-01', validUntil: '2099-01-01', kind: 'platform' as const }
  const scales = [1, 2, 3].map((id) => ({
    ...scale,
    id,
    name: 'A',
    certificate: '1',
    accuracyPercent: 1,
    isUsed: true,
    version: 1,
    next: null,
    certificates: [],
  }))
  const accounts = [{ username: OFFICER.username, password: 'tajne' }]
  const options = { url: portal.url, sites: [sampleStation], scales, accounts, log: () => {}, tickMs: 5, retryMs: 5 }
  const running = runOfficers({ ...options, signal: stop.signal })
  // Twice each.
  await vi.waitFor(() => expect(portal.steps).toHaveLength(8), 10_000)
  stop.abort()
  await running
  portal.close()

  const calls = ['inspections/2/take-over', 'inspections/2/weighing', 'inspections/2/close', 'inspections']
  const [, weighing, closing, added] = calls.map((call) => {
    const [first, repeated, ...others] = portal.steps.filter((step) => step.call === call)
    expect([repeated, ...others]).toEqual([first])
    expect(first?.token).toBe('Bearer of-lipa')
    return first
  })
  const { axles, scaleId } = newWeighing.parse(weighing?.body)
  expect(scaleId).toBe(1)
  for (const [index, load] of [7_100, 11_900, 7_000, 7_100, 7_100].entries())
    expect(Math.abs((axles?.[index] ?? 0) - load)).toBeLessThan(0.03 * load)
  expect(closing?.body).toMatchObject({ version: 3, results: [1] })
  expect(added?.body).toMatchObject({
    locationId: 1,
    vehicleId: 2 ** 40 + 8,
    state: 'announced',
    selection: 'preselected',
  })
  expect(added?.key).toMatch(/^[!-~]{1,100}$/)
})
