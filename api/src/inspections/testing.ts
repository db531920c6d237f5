import * as archive from '@rogatka/contract/archive.ts'
import { addScale } from '@rogatka/contract/certificates.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/inspections.ts'
import { car, send } from '../ingest/testing.ts'
import { type Client, type TestApi, testStation } from '../testing/test-api.ts'

/** When the vehicles of `lorry` were measured: just before the initial time of the test clock. */
export const MEASURED_AT = '2026-10-20T07:59:58.000Z'

/** A tractor with semi-trailer on a tridem, 42 t; each `sequence` is another one. */
export const lorry = (sequence: number, overrides: Partial<WireMeasurement> = {}): WireMeasurement =>
  car(sequence, {
    ctg8p1: 9,
    ctg323: 5,
    speed: 80,
    vehLength: 1_650,
    vehHeight: 390,
    axles: [
      { leftWeight: 3_700, rightWeight: 3_700, gap: 0 },
      { leftWeight: 5_900, rightWeight: 5_900, gap: 374 },
      { leftWeight: 3_800, rightWeight: 3_800, gap: 562 },
      { leftWeight: 3_800, rightWeight: 3_800, gap: 131 },
      { leftWeight: 3_800, rightWeight: 3_800, gap: 131 },
    ],
    ...overrides,
  })

/** Runs a recurring job once. */
export async function runJob(api: TestApi, name: string): Promise<void> {
  const job = api.app.jobs.recurring.find((it) => it.name === name)
  if (!job) throw new Error(`Job ${name} not found`)
  await job.work()
}

/** Path and code of each error. */
export const codesOf = ({ errors }: { errors: { path: string | null; code: string }[] }) =>
  errors.map(({ path, code }) => `${path} ${code}`)

/** The test station with lorries 1 to `count` and a scale of 1 %. */
export async function inspectionScene(api: TestApi, count: number) {
  const station = await api.station()
  await send(
    station,
    Array.from({ length: count }, (_, at) => lorry(at + 1)),
  )
  const certifier = await api.as('ScaleCertificates')
  const { body: scale } = await certifier.call(addScale, { body: SCALE })
  return { station, scale }
}

export const SCALE = {
  name: 'Waga Radzymin',
  certificate: 'OUM/17/2026',
  authority: 'OUM Warszawa',
  validFrom: '2026-01-01',
  validUntil: '2026-11-30',
  accuracyPercent: 1,
  kind: 'platform' as const,
}

let keys = 0

/** The request for a new inspection of a lorry. */
export const addRequest = (sequence: number, body: object = {}, key = `key-${++keys}`) => ({
  headers: { 'idempotency-key': key },
  body: {
    locationId: testStation.id,
    vehicleId: vehicleId(testStation.id, sequence),
    createdAt: MEASURED_AT,
    state: 'announced' as const,
    ...body,
  },
})

/** Opens an inspection of a lorry; returns its id and version. */
export const open = async (user: Client, sequence: number, body: object = {}) =>
  (await user.call(endpoints.add, addRequest(sequence, body))).body

/** Static weights of 40.3 t: within the limits. */
export const AXLES = [7_000, 10_900, 7_450, 7_450, 7_500]

export const readInspection = async (user: Client, id: number) =>
  (await user.call(endpoints.read, { params: { id } })).body

/** The details of the first lorry, of the live list and of the archive. */
export const detailsFor = async (user: Client) => {
  const lookup = { params: { id: vehicleId(7, 1) }, query: { locationId: 7, createdAt: MEASURED_AT } }
  return [(await user.call(current.detail, lookup)).body, (await user.call(archive.detail, lookup)).body]
}

/** The inspection that these details show. */
export const shownInspections = async (user: Client) => (await detailsFor(user)).map(({ inspection }) => inspection)
