import * as alarms from '@rogatka/contract/alarms.ts'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { add as addDevice } from '@rogatka/contract/devices.ts'
import { API_BASE, type Endpoint } from '@rogatka/contract/endpoint.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { add as addInspection, close as closeInspection } from '@rogatka/contract/inspections.ts'
import { file as reportFile, reportTypes } from '@rogatka/contract/reports.ts'
import { imageTypes, imageVersion, imageVersions } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { expect } from 'vitest'
import { registeredEndpoints } from '../core/route.ts'
import { sql } from '../core/statement.ts'
import { car, send, sendImage, sendText } from '../ingest/testing.ts'
import { extractPages, fetchReport, queryParquet, unzipFiles } from '../reports/testing.ts'
import { inject } from './inject.ts'
import { type Client, type TestApi, testApi } from './test-api.ts'

/** Every right except those that make requests destructive. */
export const EVERYTHING = [1, 2, 3, 4, 7, 10, 11, 12, 13, 14, 15, 19, 20, 38, 41, 42, 43].map(
  (number) => `ROLE_${number}`,
)

export const PLATE = 'WGM4K281'
const CATALOGUE = 'KAT-7781-XQ'

/** A live and archived wanted vehicle, with every type of image, and a search for its plate. */
export async function seen() {
  const api = await testApi()
  const station = await api.station()
  const measured = car(1, {
    plateLpr: PLATE,
    createdAt: api.clock.now.toISOString(),
    euro: { make: 'DAF', model: 'XF', catalogue_number: CATALOGUE },
  })
  const others = await api.withPermissions(EVERYTHING)
  const wanted = registeredEndpoints(api.app.api).find(
    ({ method, path }) => method === 'POST' && path === '/wanted-plates',
  )
  if (wanted) {
    const body = { plateLpr: PLATE, typeOfList: 0, description: 'Skradziony' }
    expect((await others.call(wanted, { body: body as never })).status).toBe(200)
  }
  const report = registeredEndpoints(api.app.api).find(({ method, path }) => method === 'POST' && path === '/tickets')
  if (report) {
    const page = `/archival/result?plateLpr=${PLATE}&step=4#${PLATE}`
    for (const sent of [page, `/${PLATE}`, `/archival?locationId=${PLATE}`])
      await others.call(report, { body: { description: 'x', page: sent } as never })
  }
  await send(station, [measured])
  await quarantineAll(station, measured)
  // Noise: a single colour would look equal when blurred.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const image = await sharp({ create: { width: 320, height: 180, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer()
  for (const type of imageTypes) await sendImage(station, measured, type, image)
  // The live list is notified shortly after images are stored.
  const last = { params: { id: vehicleId(7, 1), number: imageTypes.length }, query: { locationId: 7 } }
  await expect.poll(async () => (await others.call(current.image, last)).status).toBe(200)
  const key = { locationId: 7, vehicleId: vehicleId(7, 1), createdAt: measured.createdAt }
  const opened = await others.call(addInspection, {
    headers: { 'idempotency-key': 'seen' },
    body: { ...key, state: 'takenOver', note: `Kierowca ${PLATE}` },
  })
  expect(opened.body.id).toBe(1)
  const closing = { version: 1, results: [9 as const], carrier: `Przewozy ${PLATE}`, reason: `Odmowa ${PLATE}` }
  await others.call(closeInspection, { params: { id: 1 }, body: closing })
  await api.db.execute(sql`
    insert into alarm (kind, priority, subject, location_id, vehicle_id, vehicle_created_at, plate_lpr, raised_at,
                       raised_times, shelved_until, shelved_by, shelf_reason)
    values ('clock-skew', 'low', 'x', 7, ${vehicleId(7, 1)}, ${measured.createdAt}::timestamptz, ${PLATE},
            ${api.clock.now}::timestamptz, array[${api.clock.now}::timestamptz],
            ${new Date(api.clock.now.getTime() + 60_000)}::timestamptz, 'k.lis', ${`Wie ${PLATE}`})`)
  await api.db.query(sql`select pg_notify('alarms', '')`)
  await expect.poll(async () => (await others.call(alarms.list)).body.content[0]?.vehicle?.plateLpr).toBe(PLATE)
  const range = {
    dateTimeStart: new Date(api.clock.now.getTime() - 3_600_000).toISOString(),
    dateTimeEnd: new Date(api.clock.now.getTime() + 3_600_000).toISOString(),
    locations: '7',
  }
  // Parameters of other users are in the audit log.
  await others.call(archive.report, { query: { ...range, plateLpr: PLATE, reportType: 'csv' } })
  await expect.poll(async () => (await others.call(archive.search, { query: range })).body.totalCount).toBe(1)
  // The log of the last days excludes now.
  api.clock.now = new Date(api.clock.now.getTime() + 1_000)
  const query = {
    ...range,
    locationId: 7,
    createdAt: measured.createdAt,
    statName: 'traffic',
    statResolutionUnit: 'hour',
    statResolutionValue: 2,
    groupBy: 'lane',
    graphType: 'linePlot',
    withAxles: true,
    withImages: true,
    withShapeSamples: true,
    withTags: true,
    withDataImages: true,
    typesOfLists: '0',
    beginning: PLATE.slice(0, 2),
    limit: 100,
  }
  return { api, query, image, id: vehicleId(7, 1), others: others.userId }
}

/** Quarantines vehicles that reveal their plate in every possible field. */
async function quarantineAll(station: Client, measured: WireMeasurement) {
  const photo = Buffer.from(PLATE).toString('base64')
  const { body } = await send(station, [
    { ...measured, speed: 7 },
    { ...measured, sequence: 2, laneNumber: 99 },
    { ...measured, sequence: 3, plateLpr: `${PLATE} `.repeat(5) },
    { ...measured, sequence: 4, plateLpr: [PLATE], createdAt: PLATE, nationality: PLATE, axles: [{ note: PLATE }] },
    { sequence: 5, plate: PLATE, description: `Skradziony ${PLATE}`, photo, [PLATE]: true, euro: CATALOGUE },
    [measured],
    `lost ${PLATE}`,
  ])
  expect(body.rejected).toHaveLength(7)
  // A truncated line is stored as text.
  const lines = `${JSON.stringify(measured)}\n${JSON.stringify(measured).slice(0, 120)}`
  const cut = await sendText(station, lines, { 'content-type': 'application/x-ndjson' })
  expect(cut.body.rejected).toHaveLength(1)
}

/** The response and every file in it, as bytes and as text. */
async function partsOf(bytes: Buffer): Promise<{ bytes: Buffer; text: string }[]> {
  if (bytes.subarray(0, 5).toString() === '%PDF-') return [{ bytes, text: (await extractPages(bytes)).join(' ') }]
  if (bytes.subarray(0, 4).toString() === 'PAR1') {
    const rows = await queryParquet({ 'list.parquet': bytes }, 'select files::text as row from files')
    return [{ bytes, text: rows.map(({ row }) => row).join() }]
  }
  if (bytes.subarray(0, 2).toString() !== 'PK') return [{ bytes, text: bytes.toString() }]
  return (await Promise.all(Object.values(unzipFiles(bytes)).map(partsOf))).flat()
}

export type WalkScene = Awaited<ReturnType<typeof seen>>

type Options = { params: object; query?: object }

/** A response of the walk. `isTelling`: it holds the whole plate or an original image. `options`: null for images. */
export type Answer = { endpoint: Endpoint; options: Options | null; name: string; isTelling: boolean }

/**
 * Requests everything readable; returns the paths that revealed the plate, catalogue number or original image.
 * @param onAnswer called after each successful response and file, before the next request
 */
export async function telling(
  caller: Client,
  { api, query, image, id, others }: WalkScene,
  onAnswer: (answer: Answer) => Promise<void> = async () => {},
) {
  const base64 = image.toString('base64')
  const secrets = [PLATE, PLATE.slice(2), CATALOGUE, Buffer.from(PLATE).toString('base64')]
  const leaks = new Set<string>()
  const answered = new Set<string>()
  const addresses = new Set<string>()
  const inspect = async (name: string, bytes: Buffer) => {
    let isTelling = false
    for (const [, path] of bytes.toString('latin1').matchAll(/"path":"(\/vehicle-images\/[^"]+)"/g))
      addresses.add(path as string)
    for (const part of await partsOf(bytes)) {
      const text = part.text.replace(/\s+/g, '')
      if (secrets.some((secret) => text.includes(secret)) || text.includes(base64)) leaks.add(name)
      if (part.bytes.includes(image)) leaks.add(`${name}, the image`)
      isTelling ||= text.includes(PLATE) || text.includes(base64) || part.bytes.includes(image)
    }
    return isTelling
  }
  for (const endpoint of readable(api)) {
    const name = endpoint.path
    const kinds = name === '/users/:id/log' ? [reportTypes[0]] : reportTypes
    for (const reportType of endpoint.rate === 'report' && !endpoint.binary ? kinds : [undefined]) {
      const criteria = {
        ...query,
        ...(reportType && { reportType, ...(name.startsWith('/arch') && { id: undefined }) }),
        ...(name === archive.exportMonth.path && { month: query.createdAt.slice(0, '2026-10'.length) }),
      }
      const definedCriteria = Object.fromEntries(Object.entries(criteria).filter(([, value]) => value !== undefined))
      // Not every endpoint supports every report type, and refused calls count for the rate limit of reports, too.
      const parsed = endpoint.query?.safeParse(definedCriteria)
      if (reportType && parsed?.success === false) continue
      // Others have one type, which the first call requests.
      if (reportType !== kinds[0] && parsed?.success && reportType && !hasReportType(parsed.data)) continue
      const ofRecord = name.startsWith('/users/') ? others : name.startsWith('/inspections/') ? 1 : id
      const params = { id: ofRecord, number: 1, tagId: 1, type: 'front', token: 'none' }
      const options = { params, query: definedCriteria }
      const answer = await caller.call(endpoint, options as never)
      if (answer.status === 200) answered.add(name)
      const isTelling = await inspect(name, answer.bytes)
      if (answer.status !== 200) continue
      await onAnswer({ endpoint, options, name, isTelling })
      const link = (answer.body as { link?: unknown } | undefined)?.link
      if (typeof link !== 'string') continue
      const file = await fetchReport(caller, { link })
      expect(file.status, `${name} ${reportType}`).toBe(200)
      const ofFile = `${name} ${reportType}`
      await onAnswer({
        endpoint: reportFile,
        options: { params: { token: link.replace('/reports/', '') } },
        name: ofFile,
        isTelling: await inspect(ofFile, file.bytes),
      })
    }
  }
  // The addresses of images in all of these responses.
  for (const path of addresses)
    for (const version of imageVersions) {
      const bytes = await imageAt(api, caller, `${path}/${version}`)
      expect(bytes, `${path}/${version}`).not.toBeNull()
      const isTelling = await inspect(imageVersion.path, bytes as Buffer)
      await onAnswer({ endpoint: imageVersion, options: null, name: imageVersion.path, isTelling })
    }
  return { leaks: [...leaks].sort(), answered, addresses }
}

const hasReportType = (query: unknown) => typeof query === 'object' && query !== null && 'reportType' in query

/** The image of an address; null if it is refused. */
export async function imageAt(api: TestApi, { token }: Client, path: string): Promise<Buffer | null> {
  const headers = { authorization: `Bearer ${token}` }
  const { statusCode, rawPayload } = await inject(api.app.api.http, { method: 'GET', url: API_BASE + path, headers })
  if (statusCode !== 200) expect(statusCode, path).toBe(403)
  return statusCode === 200 ? rawPayload : null
}

const readable = (api: TestApi): Endpoint[] =>
  registeredEndpoints(api.app.api).filter(({ method, access }) => method === 'GET' && access !== 'station')

/** A wall screen of the station. */
export async function deviceOf({ api }: WalkScene, anonymised: boolean): Promise<Client> {
  const admin = await api.withPermissions(EVERYTHING)
  const body = { name: 'Hala', locationIds: [7], columns: 2 as const, anonymised, wanted: !anonymised }
  return api.client((await admin.call(addDevice, { body })).body.token)
}
