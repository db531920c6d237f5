import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import * as vms from '@rogatka/contract/vms.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { injectFaults, showSimulated } from '../vms/simulated/queries.ts'
import { testSigns, until } from '../vms/testing.ts'
import { keyOf, parseDatex, publications } from './testing.ts'

/*
 * The published schemas, which are not part of this repository (docs/datex.md), validate every document:
 * DATEX_SCHEMA=/folder/of/the/schemas npx vitest run api/src/datex/schema.test.ts
 * More vehicles: DATEX_VEHICLES=100000 npx vitest run api/src/datex/schema.test.ts
 */
const { DATEX_SCHEMA, DATEX_VEHICLES = '200' } = process.env
const VEHICLES = Number(DATEX_VEHICLES)
/** Vehicles in a document. */
const PART = 10_000
const TIMEOUT_MS = 600_000

async function openSchema() {
  xmlRegisterFsInputProviders()
  const path = join(DATEX_SCHEMA as string, 'DATEXII_3_D2Payload.xsd')
  const xsd = XmlDocument.fromBuffer(await readFile(path), { url: pathToFileURL(path).href })
  const schema = XsdValidator.fromDoc(xsd)
  onTestFinished(() => {
    schema.dispose()
    xsd.dispose()
  })
  return schema
}

/** A station with signs that show a plate, and a second one without coordinates and vehicles. */
async function scene(api: TestApi) {
  const { groupId, signIds } = await testSigns(api)
  await api.db.execute(sql`update location set latitude = 52.2297, longitude = 21.0122 where id = 7`)
  await api.station({ ...testStation, id: 8, shortName: 'S8 & <Inna>', lanes: testStation.lanes.slice(1) })
  const station = await api.station()
  const operator = await api.as('CurrentMeasurements', 'Vms')
  await operator.call(vms.enableVariant, { params: { groupId, variantId: 1 } })
  return { station, operator, signIds }
}

test(
  'every publication conforms to the published schema',
  async () => {
    if (!DATEX_SCHEMA) return console.info('DATEX II schemas did not run: DATEX_SCHEMA does not name their folder')
    const schema = await openSchema()
    const api = await testApi()
    const { station, operator, signIds } = await scene(api)
    const keys = { full: await keyOf(api, { locationIds: [7, 8] }), masked: await keyOf(api, { plates: false }) }
    const validated: string[] = []
    const validate = async (about: string) => {
      for (const [who, key] of Object.entries(keys))
        for (const [name, endpoint] of Object.entries(publications)) {
          const { status, bytes } = await key.call(endpoint)
          expect(status, `${about}, ${name}, ${who}`).toBe(200)
          schema.validate(parseDatex(bytes).document)
          validated.push(`${about}, ${name}, ${who}`)
        }
    }
    await validate('without vehicles')
    const euro = { make: 'DAF & Co.', model: 'XF <480>', euro_norm: '4', fuel_type: 'benzyna + LPG' }
    await send(station, [
      car(1, { euro, nationality: 'EST', ctg8p1: 3 }),
      car(2, { plateLpr: null, nationality: 'X', speed: null, vehLength: null, vehHeight: null, ctg8p1: null }),
      car(3, { laneNumber: 2, axles: [] }),
    ])
    await operator.call(vms.showPlate, { params: { id: vehicleId(7, 1) } })
    await validate('with vehicles and a plate on a sign')
    await injectFaults(api.db, signIds[0], { faults: ['power', 'lamp', 'door'] })
    await showSimulated(api.db, signIds[1], '[jp3]OBCY & <TEKST>[nl]DWA', null)
    const texts = async () => (await operator.call(vms.groups)).body[0]?.vms ?? []
    await until(async () => {
      const [first, second] = await texts()
      return first?.vmsStatus.faults.length === 3 && second?.shows?.kind === 'other'
    })
    api.clock.now = new Date(api.clock.now.getTime() + 120_000)
    await until(async () => (await texts())[0]?.vmsStatus.available)
    await validate('with faults, a foreign text and an overdue plate')
    for (const id of signIds) await injectFaults(api.db, id, { offline: true })
    await until(async () => (await texts()).every(({ vmsStatus }) => !vmsStatus.available))
    await validate('with unavailable signs')
    console.info(`DATEX II schemas: ${validated.length} documents are valid`)
  },
  TIMEOUT_MS,
)

test(
  'an independent parser reads the same vehicles, loads and spacings',
  async () => {
    const schema = DATEX_SCHEMA ? await openSchema() : undefined
    const api = await testApi()
    const station = await api.station()
    const key = await keyOf(api)
    const random = seededRandom(17)
    const start = api.clock.now.getTime()
    const sent = { vehicles: 0, gross: 0, axles: 0, spacings: 0, limits: 0 }
    const read = { vehicles: 0, gross: 0, axles: 0, spacings: 0, limits: 0 }
    for (let part = 0; sent.vehicles < VEHICLES; part++) {
      // Further from the part before than the window is long.
      api.clock.now = new Date(start + part * 600_000)
      const inPart = Math.min(PART, VEHICLES - sent.vehicles)
      const vehicles = Array.from({ length: inPart }, (_, index) =>
        car(part * PART + index + 1, {
          createdAt: new Date(api.clock.now.getTime() - random.below(299_000)).toISOString(),
          laneNumber: 1 + random.below(2),
          axles: Array.from({ length: 1 + random.below(8) }, (_axle, axle) => ({
            leftWeight: 1 + random.below(8_000),
            rightWeight: random.below(8_000),
            gap: axle === 0 ? 0 : 1 + random.below(1_500),
          })),
        }),
      )
      for (let from = 0; from < inPart; from += 500) {
        const batch = vehicles.slice(from, from + 500)
        expect((await send(station, batch)).body).toMatchObject({ accepted: batch.length, rejected: [] })
      }
      for (const axle of vehicles.flatMap(({ axles }) => axles ?? [])) {
        const load = (axle.leftWeight ?? 0) + (axle.rightWeight ?? 0)
        sent.gross += load
        sent.axles += load
        sent.spacings += axle.gap ?? 0
      }
      sent.vehicles += inPart
      const { bytes } = await key.call(publications.measured)
      const { texts, document } = parseDatex(bytes)
      schema?.validate(document)
      // As consumers do: floats of DATEX II have 24 bits, so thousandths are rounded.
      const sum = (xpath: string, unit: number) =>
        texts(xpath).reduce((total, text) => total + Math.round(Math.fround(Number(text)) * unit), 0)
      read.vehicles += new Set(texts('//com:anonymizedVehicleReference')).size
      read.gross += sum('//com:grossVehicleWeight[../com:typeOfWeight = "actual"]', 1000)
      read.axles += sum('//com:axleWeight', 1000)
      read.spacings += sum('//com:axleSpacing', 100)
      read.limits += texts('//com:grossVehicleWeight[../com:typeOfWeight = "maximumPermitted"]').length
    }
    sent.limits = (await api.db.query(sql`select 1 from vehicle where limit_total_load is not null`)).length
    expect(read).toEqual(sent)
    if (VEHICLES >= PART) console.info(`DATEX II: ${VEHICLES} vehicles read back`, read)
  },
  TIMEOUT_MS,
)
