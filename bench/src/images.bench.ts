import { randomUUID } from 'node:crypto'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { preparePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { image } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post, vehicleId } from '@rogatka/contract/ingest.ts'
import { THUMBNAIL_SCALE } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { type Comparison, type Contender, isQuick } from './bench.ts'
import { benchDatabase } from './database.ts'
import { benchRandom } from './random.ts'
import { signIn } from './sign-in.ts'
import { benchStation, trafficFrom } from './traffic.ts'

type ImageSlot = { sequence: number; createdAt: string }

/** Concurrent uploads; their commits must not wait for each other. */
const CONCURRENCY = 8
const IMAGES = isQuick ? 20 : 100

export const bench: Comparison = {
  summary:
    'Uploads of images of 1,280 × 960, stored durably, against files written and flushed one by one; and their downloads, against files read',
  unit: 'images',
  rounds: 5,
  async prepare() {
    const { db, url, drop } = await benchDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-bench-files-'))
    const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false, dataDir }
    const app = await createApp(config, db)
    const address = await app.api.http.listen({ host: '127.0.0.1', port: 0 })
    await preparePartitions(db, new Date(), config.partitions)
    await addLocation(db, benchStation(1, 'S8'))
    const station = { authorization: `Bearer ${await createStationKey(db, 1, new Date())}` }
    const operator = { authorization: `Bearer ${await signIn(db)}` }

    const vehicles = trafficFrom(9, () => Date.now())(IMAGES)
    const slots = vehicles.map(({ sequence, createdAt }) => ({ sequence, createdAt }))
    await fetch(address + API_BASE + post.path, {
      method: 'POST',
      headers: { ...station, 'content-type': 'application/json' },
      body: JSON.stringify(vehicles),
    })
    let shade = 0
    const createImage = await createImages()
    const put = async ({ sequence, createdAt }: ImageSlot, bytes: Buffer) => {
      const path = `${API_BASE}/measurements/${sequence}/images/front?createdAt=${createdAt}`
      const headers = { ...station, 'content-type': 'image/jpeg' }
      const response = await fetch(address + path, { method: 'PUT', headers, body: new Uint8Array(bytes) })
      if (!response.ok) throw new Error(await response.text())
    }
    const download = async ({ sequence, createdAt }: ImageSlot, parameters = '') => {
      const id = vehicleId(1, sequence)
      const path = image.path.replace(':id', String(id)).replace(':number', '1')
      const response = await fetch(`${address}${API_BASE}${path}?locationId=1&createdAt=${createdAt}${parameters}`, {
        headers: operator,
      })
      if (!response.ok) throw new Error(await response.text())
      await response.arrayBuffer()
    }
    const each = (name: string, against: string, work: (at: number) => Promise<unknown>): Contender => ({
      name,
      against,
      run: async () => {
        for (let at = 0; at < IMAGES; at++) await work(at)
        return IMAGES
      },
    })
    const written = 'files written and flushed'
    const read = 'files read'
    const storedFile = join(dataDir, randomUUID())
    await writeAndFlush(storedFile, createImage(0))

    return {
      contenders: [
        each(written, written, () => writeAndFlush(join(dataDir, randomUUID()), createImage(shade++))),
        each('PUT of an image', written, (at) => put(slots[at] as ImageSlot, createImage(shade++))),
        {
          name: `PUT of an image, ${CONCURRENCY} concurrent requests`,
          against: written,
          run: async () => {
            const queue = [...slots]
            const runWorker = async () => {
              for (let slot = queue.pop(); slot; slot = queue.pop()) await put(slot, createImage(shade++))
            }
            await Promise.all(Array.from({ length: CONCURRENCY }, runWorker))
            return IMAGES
          },
        },
        each(read, read, () => readFile(storedFile)),
        each('GET of an image', read, (at) => download(slots[at] as ImageSlot)),
        each('GET of a thumbnail for a card', read, (at) =>
          download(slots[at] as ImageSlot, `&scale=${THUMBNAIL_SCALE}`),
        ),
      ],
      clear: async () => {
        await app.close()
        await drop()
        await rm(dataDir, { recursive: true })
      },
    }
  },
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
