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

/** Stations that send at once: their commits must not wait for each other's notifications. */
const CALLERS = 8
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
    const places = vehicles.map(({ sequence, createdAt }) => ({ sequence, createdAt }))
    await fetch(address + API_BASE + post.path, {
      method: 'POST',
      headers: { ...station, 'content-type': 'application/json' },
      body: JSON.stringify(vehicles),
    })
    let shade = 0
    const another = await images()
    const put = async ({ sequence, createdAt }: ImageSlot, bytes: Buffer) => {
      const place = `${API_BASE}/measurements/${sequence}/images/front?createdAt=${createdAt}`
      const headers = { ...station, 'content-type': 'image/jpeg' }
      const answer = await fetch(address + place, { method: 'PUT', headers, body: new Uint8Array(bytes) })
      if (!answer.ok) throw new Error(await answer.text())
    }
    const show = async ({ sequence, createdAt }: ImageSlot, more = '') => {
      const id = vehicleId(1, sequence)
      const path = image.path.replace(':id', String(id)).replace(':number', '1')
      const answer = await fetch(`${address}${API_BASE}${path}?locationId=1&createdAt=${createdAt}${more}`, {
        headers: operator,
      })
      if (!answer.ok) throw new Error(await answer.text())
      await answer.arrayBuffer()
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
    const kept = join(dataDir, randomUUID())
    await flushed(kept, another(0))

    return {
      contenders: [
        each(written, written, () => flushed(join(dataDir, randomUUID()), another(shade++))),
        each('PUT of an image', written, (at) => put(places[at] as ImageSlot, another(shade++))),
        {
          name: `PUT of an image, ${CALLERS} concurrent requests`,
          against: written,
          run: async () => {
            const queue = [...places]
            const caller = async () => {
              for (let place = queue.pop(); place; place = queue.pop()) await put(place, another(shade++))
            }
            await Promise.all(Array.from({ length: CALLERS }, caller))
            return IMAGES
          },
        },
        each(read, read, () => readFile(kept)),
        each('GET of an image', read, (at) => show(places[at] as ImageSlot)),
        each('GET of a thumbnail for a card', read, (at) => show(places[at] as ImageSlot, `&scale=${THUMBNAIL_SCALE}`)),
      ],
      clear: async () => {
        await app.close()
        await drop()
        await rm(dataDir, { recursive: true })
      },
    }
  },
}

async function flushed(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx')
  await file.writeFile(bytes)
  await file.sync()
  await file.close()
}

/** As many different ones as are asked for, about 150 kB each: the same noise with another number at its end. */
async function images(): Promise<(nth: number) => Buffer> {
  const [width, height] = [1_280, 960]
  const random = benchRandom(10)
  const noise = Buffer.from(Array.from({ length: width * height * 3 }, () => 96 + random.below(24)))
  const jpeg = await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 60 })
    .toBuffer()
  // A comment after the first marker: another file to whoever hashes it, the same picture to whoever looks.
  return (nth) => {
    const comment = Buffer.from([0xff, 0xfe, 0, 6, nth >>> 24, nth >>> 16, nth >>> 8, nth].map((byte) => byte & 255))
    return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)])
  }
}
