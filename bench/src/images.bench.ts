import { randomUUID } from 'node:crypto'
import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { detail } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, vehicleId } from '@rogatka/contract/ingest.ts'
import type { imageVersions } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { startBare } from './bare-process.ts'
import { type Comparison, type Contender, isQuick } from './bench.ts'
import { startBenchPortal } from './bench-portal.ts'
import { bodyRequest, getRequest, type HttpConnection, openConnection, postRequest } from './http-connection.ts'
import { benchRandom } from './random.ts'
import { signIn } from './sign-in.ts'
import { benchStation, trafficFrom } from './traffic.ts'

type ImageSlot = { sequence: number; createdAt: string; path?: string | undefined }

/** Concurrent connections; their commits must not wait for each other. */
const CONCURRENCY = 8
const IMAGES = isQuick ? 20 : 100
/** Downloads of a round: each image several times, for a measurable time. */
const DOWNLOADS = IMAGES * 5

const WRITTEN = 'files written and flushed'
const READ = 'files read'

export const bench: Comparison = {
  summary:
    'Uploads of images of 1,280 × 960 (150 kB) to a server process, stored durably, against files written and flushed one by one; and their downloads by signed address, against files read one by one. Versions are made in the background during uploads, and are complete before downloads. Left out: TLS, the cache of browsers, and S3',
  goal: 'uploads at 0.5 of the files written, downloads at 0.3 of the files read, thumbnails too',
  unit: 'images',
  rounds: 5,
  async prepare() {
    const { portal, db } = await startBenchPortal()
    await addLocation(db, benchStation(1, 'S8'))
    const station = { authorization: `Bearer ${await createStationKey(db, 1, new Date())}` }
    const operator = { authorization: `Bearer ${await signIn(db)}` }
    await db.end()
    const images = join(portal.dataDir, 'files/images')
    const port = Number(new URL(portal.url).port)
    const connections = await Promise.all(Array.from({ length: CONCURRENCY }, () => openConnection(port)))
    const [connection] = connections as [HttpConnection]

    const vehicles = trafficFrom(9, () => Date.now())(IMAGES)
    const slots: ImageSlot[] = vehicles.map(({ sequence, createdAt }) => ({ sequence, createdAt }))
    await requestOk(connection, postRequest(API_BASE + post.path, vehicles, station))
    let shade = 0
    const createImage = await createImages()
    const put = (connection: HttpConnection, { sequence, createdAt }: ImageSlot) => {
      const path = `${API_BASE}/measurements/${sequence}/images/front?createdAt=${createdAt}`
      const headers = { ...station, 'content-type': 'image/jpeg' }
      return requestOk(connection, bodyRequest('PUT', path, createImage(shade++), headers))
    }
    const get = (version: (typeof imageVersions)[number]) => (connection: HttpConnection, slot: ImageSlot) =>
      requestOk(connection, getRequest(`${API_BASE}${slot.path}/${version}`, operator))

    /** Waits until all images have their versions. */
    const untilIdle = async () => {
      for (;;) {
        const names = await readdir(images, { recursive: true })
        const made = names.filter((name) => name.endsWith('-sharp-thumbnail.jpg')).length
        if (made === names.filter((name) => /-[0-9a-f]{16}\.jpg$/.test(name)).length) return
        await pause(100)
      }
    }
    const loadPaths = async () => {
      await untilIdle()
      for (const slot of slots) {
        const path = detail.path.replace(':id', String(vehicleId(1, slot.sequence)))
        const query = `locationId=1&createdAt=${slot.createdAt}&withImages=true`
        const response = await requestOk(connection, getRequest(`${API_BASE}${path}?${query}`, operator))
        slot.path = /"path":"([^"]+)"/.exec(response)?.[1]
      }
    }
    const each = (name: string, against: string, count: number, work: (at: number) => Promise<unknown>): Contender => ({
      name,
      against,
      run: async () => {
        for (let at = 0; at < count; at++) await work(at)
        return count
      },
    })
    type Work = (connection: HttpConnection, slot: ImageSlot) => Promise<unknown>
    const requests = (name: string, against: string, count: number, work: Work): Contender[] =>
      [1, CONCURRENCY].map((concurrency) => ({
        name: `${name}, ${concurrency === 1 ? 'one connection' : `${concurrency} connections`}`,
        against,
        before: against === READ ? loadPaths : untilIdle,
        run: async () => {
          let next = 0
          const runWorker = async (connection: HttpConnection) => {
            while (next < count) await work(connection, slots[next++ % slots.length] as ImageSlot)
          }
          await Promise.all(connections.slice(0, concurrency).map(runWorker))
          return count
        },
      }))
    for (const slot of slots) await put(connection, slot)
    await untilIdle()
    const storedFile = join(portal.dataDir, randomUUID())
    await writeAndFlush(storedFile, createImage(0))
    const bare = await startBare('file', storedFile)
    const bareConnections = await Promise.all(Array.from({ length: CONCURRENCY }, () => openConnection(bare.port)))

    return {
      contenders: [
        each(WRITTEN, WRITTEN, IMAGES, () => writeAndFlush(join(portal.dataDir, randomUUID()), createImage(shade++))),
        ...requests('PUT of an image', WRITTEN, IMAGES, put),
        each(READ, READ, DOWNLOADS, () => readFile(storedFile)),
        ...requests('GET of an image', READ, DOWNLOADS, get('full')),
        ...requests('GET of a thumbnail', READ, DOWNLOADS, get('thumbnail')),
        ...requests('an image from a bare Fastify route', READ, DOWNLOADS, (connection) =>
          requestOk(
            bareConnections[connections.indexOf(connection)] as HttpConnection,
            getRequest('/file', { accept: '*/*' }),
          ),
        ),
      ],
      clear: async () => {
        for (const connection of [...connections, ...bareConnections]) connection.close()
        bare.stop()
        await portal.stop()
      },
    }
  },
}

async function requestOk(connection: HttpConnection, request: Buffer): Promise<string> {
  const response = await connection.send(request)
  if (!/^HTTP\/1.1 20[04]/.test(response)) throw new Error(response.slice(0, 1_000))
  return response
}

async function writeAndFlush(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
}

/** Creates a generator of distinct JPEGs of about 150 kB: the same noise with a different comment. */
async function createImages(): Promise<(index: number) => Buffer> {
  const [width, height] = [1_280, 960]
  const random = benchRandom(10)
  const noise = Buffer.from(Array.from({ length: width * height * 3 }, () => 96 + random.below(24)))
  const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
  // A comment segment after the first marker: another hash for the same image.
  return (index) => {
    const comment = Buffer.from(
      [0xff, 0xfe, 0, 6, index >>> 24, index >>> 16, index >>> 8, index].map((byte) => byte & 255),
    )
    return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
  }
}
