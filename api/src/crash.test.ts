import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { locationOf, vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import type { Pool } from './core/database.ts'
import { imagePath } from './core/image-path.ts'
import { openFiles } from './core/open-files.ts'
import { sql } from './core/statement.ts'
import { car, jpeg } from './ingest/testing.ts'
import { addLocation, createStationKey } from './locations/queries.ts'
import { type Server, startServer, withDatabase } from './testing/server.ts'
import { testStation } from './testing/test-api.ts'

/*
 * Kills the server and its database at random moments while stations send: acknowledged data must not be lost,
 * duplicated or miscounted. With more kills: CRASH_MOMENTS=20 npx vitest run api/src/crash.test.ts
 */
const MOMENTS = Number(process.env.CRASH_MOMENTS ?? 4)
const SEED = Number(process.env.CRASH_SEED ?? 3)
const STATIONS = [7, 8, 9]
const BATCH = 20
/** Timeout of a request to a dead server, as in a station. */
const TIMEOUT_MS = 5_000

/** Acknowledged vehicles by id, and image hashes by vehicle id. */
type Acknowledgements = { vehicles: Map<number, string>; images: Map<number, { createdAt: string; sha256: string }> }

test('stores and counts acknowledged data exactly once, whenever server or database is killed', async () => {
  const server = await startServer()
  const chance = seededRandom(SEED)
  const keys = await withDatabase(server, async (db) => {
    for (const id of STATIONS) await addLocation(db, { ...testStation, id, shortName: `S8 ${id}` })
    return Promise.all(STATIONS.map(async (id) => [id, await createStationKey(db, id, new Date())] as const))
  })
  const acknowledged: Acknowledgements = { vehicles: new Map(), images: new Map() }
  const over = new AbortController()
  const stations = keys.map(([id, key]) => sendUntil(over.signal, server, id, key, acknowledged))

  for (let moment = 0; moment < MOMENTS; moment++) {
    const before = acknowledged.vehicles.size
    await pause(chance.below(1_200))
    await (moment % 2 === 0 ? server.crash() : server.crashDatabase())
    // Sometimes it is killed again while restarting.
    if (chance.happens(0.3)) {
      await pause(chance.below(800))
      await server.crash()
    }
    await server.ready()
    await expect.poll(() => acknowledged.vehicles.size, { timeout: 60_000 }).toBeGreaterThan(before)
  }
  over.abort()
  await Promise.all(stations)

  await withDatabase(server, async (db) => {
    const rows = await db.query<{ id: number; at: Date; details: number }>(sql`
      select v.id, v.created_at as at, count(d.id)::int as details
      from vehicle v left join vehicle_detail d using (location_id, created_at, id) group by 1, 2`)
    const stored = new Map(rows.map(({ id, at }) => [id, at.toISOString()]))
    const lost = [...acknowledged.vehicles].filter(([id, at]) => stored.get(id) !== at)
    expect(lost, 'lost').toEqual([])
    expect(rows.length, 'doubled').toBe(acknowledged.vehicles.size)
    expect(rows.filter(({ details }) => details !== 1)).toEqual([])
    expect(await lostImages(db, server, acknowledged)).toEqual([])
  })
  const verified = await server.manage('verify')
  expect(verified.code, verified.output).toBe(0)
}, 1_800_000)

/** A station: sends batches, each repeated until acknowledged, until `over` aborts. */
async function sendUntil(over: AbortSignal, server: Server, id: number, key: string, acknowledged: Acknowledgements) {
  for (let sequence = 1; !over.aborted; sequence += BATCH) {
    const createdAt = new Date().toISOString()
    const batch = Array.from({ length: BATCH }, (_, index) =>
      car(sequence + index, { createdAt, laneNumber: 1 + (index % 2), speed: 60 + ((sequence + index * 7) % 90) }),
    )
    const [first] = batch as [WireMeasurement]
    const image = await jpeg(sequence % 200)
    // Responses may be lost too: sometimes everything is sent twice.
    for (let time = 0; time < (sequence % 3 === 1 ? 2 : 1); time++)
      await untilTaken(server, 'POST', '/measurements', key, 'application/json', JSON.stringify(batch))
    for (const vehicle of batch) acknowledged.vehicles.set(vehicleId(id, vehicle.sequence), createdAt)
    const place = `/measurements/${first.sequence}/images/front?createdAt=${createdAt}`
    await untilTaken(server, 'PUT', place, key, 'image/jpeg', image)
    const sha256 = createHash('sha256').update(image).digest('hex')
    acknowledged.images.set(vehicleId(id, first.sequence), { createdAt, sha256 })
  }
}

async function untilTaken(
  { url }: Server,
  method: string,
  path: string,
  key: string,
  type: string,
  body: string | Buffer,
): Promise<void> {
  for (;;) {
    const answer = await fetch(`${url}${API_BASE}${path}`, {
      method,
      body: body as never,
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (answer?.ok && text !== null) {
      const { rejected = [] } = (text ? JSON.parse(text) : {}) as { rejected?: unknown[] }
      if (rejected.length > 0) throw new Error(`rejected: ${text}`)
      return
    }
    // A dead or failing server is retried; a refusal is an error.
    if (answer && answer.status < 500) throw new Error(`${path}: ${answer.status} ${text}`)
    await pause(50)
  }
}

/** Images whose row is missing or different, or whose bytes are not on disk. */
async function lostImages(db: Pool, { dataDir }: Server, { images }: Acknowledgements): Promise<number[]> {
  const files = openFiles({ dataDir, s3Url: undefined, diskReserve: 0 })
  const rows = await db.query<{ id: number; sha256: string }>(
    sql`select id, encode(sha256, 'hex') as sha256 from vehicle_image`,
  )
  const stored = new Map(rows.map(({ id, sha256 }) => [id, sha256]))
  const lost: number[] = []
  for (const [id, { createdAt, sha256 }] of images) {
    const key = { locationId: locationOf(id), createdAt: new Date(createdAt), id }
    const bytes = await files.get(imagePath(key, { type: 1, sha256 }))
    const isThere = bytes !== null && createHash('sha256').update(bytes).digest('hex') === sha256
    if (!isThere || stored.get(id) !== sha256) lost.push(id)
  }
  return lost
}
