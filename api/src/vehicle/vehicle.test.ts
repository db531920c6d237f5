import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { withScans } from '../testing/jpeg.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'

const id = (sequence: number) => vehicleId(7, sequence)
const at = ({ sequence }: WireMeasurement) => ({ id: id(sequence) })
const here = { locationId: 7 }

async function withImages(settings = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-images-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, ...settings })
  return { api, dataDir, station: await api.station() }
}

const seenLive = (user: Client, sequence: number) =>
  eventually(async () => {
    const { body } = await user.call(current.list)
    expect(body.content.map((vehicle) => vehicle.id)).toContain(id(sequence))
  })

const yesterday = car(1, { createdAt: '2026-10-19T08:00:01Z' })
const lastWeek = car(2, { createdAt: '2026-10-13T08:00:00Z' })
const longAgo = car(3, { createdAt: '2026-08-13T08:00:00Z' })

test('finds live vehicles for a day, archived ones for 31 days, and any archived one by its time', async () => {
  const api = await testApi()
  const station = await api.station()
  await send(station, [yesterday, lastWeek, longAgo])
  const user = await api.as('CurrentMeasurements', 'ArchiveMeasurements')
  const statusOf = async (family: typeof current | typeof archive, vehicle: WireMeasurement, timed: boolean) => {
    const query = timed ? { ...here, createdAt: vehicle.createdAt } : here
    return (await user.call(family.detail, { params: at(vehicle), query })).status
  }
  expect(await statusOf(current, yesterday, false)).toBe(200)
  expect(await statusOf(current, lastWeek, false)).toBe(404)
  // The live list does not reach the archive by a time.
  expect(await statusOf(current, lastWeek, true)).toBe(404)
  expect(await statusOf(archive, lastWeek, false)).toBe(200)
  expect(await statusOf(archive, longAgo, false)).toBe(404)
  expect(await statusOf(archive, longAgo, true)).toBe(200)
})

test('the live detail equals the archived one', async () => {
  const api = await testApi()
  const user = await api.as('CurrentMeasurements', 'ArchiveMeasurements')
  const vehicle = car(1, { euro: { make: 'Fiat' } })
  await send(await api.station(), [vehicle])
  await seenLive(user, 1)
  const live = await user.call(current.detail, { params: at(vehicle), query: here })
  const archived = await user.call(archive.detail, { params: at(vehicle), query: here })
  expect(live.body).toMatchObject({ euro: { make: 'Fiat' }, axles: [{}, {}], tags: [] })
  // The state of the sign is only known while the vehicle is live.
  const { plateVms, manageable, ...measured } = live.body
  expect({ plateVms, manageable }).toMatchObject({ plateVms: { available: false }, manageable: false })
  expect(measured).toEqual(archived.body)
})

test.each([
  ['an unknown id', { id: id(5) }, here],
  ['an id of another station', { id: id(1) }, { locationId: 8 }],
  ['an impossible station', { id: id(1) }, { locationId: 2 ** 40 }],
  ['another time', { id: id(1) }, { ...here, createdAt: '2026-10-19T08:00:02Z' }],
  ['the year 0', { id: id(1) }, { ...here, createdAt: '0000-01-01T00:00:00Z' }],
  ['the last representable time', { id: id(1) }, { ...here, createdAt: '9999-12-31T23:59:59-23:00' }],
])('finds no vehicle for %s', async (_what, params, query) => {
  const api = await testApi()
  await send(await api.station(), [yesterday])
  const user = await api.as('CurrentMeasurements', 'ArchiveMeasurements')
  for (const family of [current, archive]) {
    const { status, errors } = await user.call(family.detail, { params, query })
    expect([status, errors[0]?.code]).toEqual([404, 'vehicle-not-found'])
    expect((await user.call(family.image, { params: { ...params, number: 1 }, query })).status).toBe(404)
    expect((await user.call(family.tags, { params, query })).status).toBe(404)
    expect((await user.call(family.addTag, { params, query, body: {} })).status).toBe(404)
  }
})

test('a tag is private and unique per user', async () => {
  const api = await testApi()
  await send(await api.station(), [yesterday])
  const [mine, other] = [
    await api.as('CurrentMeasurements', 'ArchiveMeasurements'),
    await api.as('ArchiveMeasurements'),
  ]
  const passage = { params: at(yesterday), query: here }

  const { body: tag } = await mine.call(current.addTag, { ...passage, body: {} })
  expect(tag).toEqual({ id: expect.any(Number), private: true, type: 1, data: null, description: 'Normal tag' })
  const again = { params: at(yesterday), query: { ...here, createdAt: yesterday.createdAt } }
  expect((await mine.call(archive.addTag, { ...again, body: { description: 'x' } })).body.id).toBe(tag.id)
  expect((await mine.call(archive.tags, passage)).body).toEqual([tag])
  expect((await mine.call(archive.detail, passage)).body.tags).toEqual([tag])

  expect((await other.call(archive.tags, passage)).body).toEqual([])
  const removal = { ...passage, params: { ...at(yesterday), tagId: tag.id } }
  const refused = await other.call(archive.removeTag, removal)
  expect([refused.status, refused.errors[0]?.code]).toEqual([404, 'tag-not-found'])
  expect((await mine.call(archive.tags, passage)).body).toHaveLength(1)

  expect((await mine.call(current.removeTag, removal)).status).toBe(204)
  expect((await mine.call(archive.tags, passage)).body).toEqual([])
  expect((await mine.call(archive.removeTag, removal)).status).toBe(404)
})

test('the live list has only own tags', async () => {
  const api = await testApi()
  const station = await api.station()
  const [mine, other] = [await api.as('CurrentMeasurements'), await api.as('CurrentMeasurements')]
  await send(station, [car(1), car(2)])
  await seenLive(mine, 2)
  await mine.call(current.addTag, { params: { id: id(2) }, query: here, body: { data: 'a' } })
  const tagged = async (user: Client) =>
    (await user.call(current.list, { query: { withTags: true } })).body.content.map(({ tags }) => tags?.length)
  expect((await tagged(mine)).sort()).toEqual([0, 1])
  expect(await tagged(other)).toEqual([0, 0])
})

test('numbers images by type, regardless of the order of arrival', async () => {
  const { api, station } = await withImages()
  await send(station, [yesterday])
  const user = await api.as('ArchiveMeasurements')
  const [front, rear, side] = [await jpeg(10), await jpeg(20), await jpeg(30)]
  for (const [type, bytes] of [
    ['side', side],
    ['front', front],
    ['rear', rear],
  ] as const)
    expect((await sendImage(station, yesterday, type, bytes)).status).toBe(204)

  const passage = { params: at(yesterday), query: { ...here, withDataImages: true } }
  const { body } = await user.call(archive.detail, passage)
  expect(body.images).toMatchObject([
    { number: 1, type: 'front', size: front.length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { number: 2, type: 'rear', size: rear.length },
    { number: 3, type: 'side', size: side.length },
  ])
  const readImage = (number: number) => user.call(archive.image, { params: { ...at(yesterday), number }, query: here })
  expect((await readImage(1)).bytes).toEqual(front)
  expect((await readImage(3)).bytes).toEqual(side)
  const missing = await readImage(4)
  expect([missing.status, missing.errors[0]?.code]).toEqual([404, 'image-not-found'])
})

test('returns an image in full or scaled, as a JPEG with no-store', async () => {
  const { api, station } = await withImages()
  await send(station, [yesterday])
  await sendImage(station, yesterday, 'front', await jpeg(10, 400))
  const user = await api.as('ArchiveMeasurements')
  const readImage = (query: object = {}) =>
    user.call(archive.image, { params: { ...at(yesterday), number: 1 }, query: { ...here, ...query } })

  const noStore = { 'content-type': 'image/jpeg', 'cache-control': 'no-store' }
  expect((await readImage()).headers).toMatchObject(noStore)
  for (const _ of [1, 2]) {
    const small = await readImage({ scale: 0.3 })
    expect(await sharp(small.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 120 })
    expect(small.headers).toMatchObject(noStore)
  }
  expect((await readImage({ scale: 7 })).status).toBe(400)
})

test('returns a live image, and its replacement', async () => {
  const { api, station } = await withImages()
  const user = await api.as('CurrentMeasurements')
  const [first, second] = [await jpeg(10), await jpeg(20)]
  await sendImage(station, car(1), 'plate', first)
  await send(station, [car(1)])
  await seenLive(user, 1)
  const readImage = () => user.call(current.image, { params: { id: id(1), number: 1 }, query: here })
  expect((await readImage()).bytes).toEqual(first)
  await sendImage(station, car(1), 'plate', second)
  await eventually(async () => expect((await readImage()).bytes).toEqual(second))
})

test('a damaged image is stored as received, and not found where it has to be scaled or blurred', async () => {
  const { api, station } = await withImages()
  await send(station, [yesterday])
  const whole = await jpeg(10, 400)
  const codes = whole.indexOf(Buffer.from([0xff, 0xc4]))
  // A Huffman table with more codes than bits can tell apart.
  const damaged = Buffer.from(whole).fill(0xff, codes + 5, codes + 21)
  expect((await sendImage(station, yesterday, 'front', damaged)).status).toBe(204)
  const ask = async (user: Client, scale?: number) => {
    const { status, bytes } = await user.call(archive.image, {
      params: { ...at(yesterday), number: 1 },
      query: { ...here, ...(scale && { scale }) },
    })
    return [status, bytes.equals(damaged)]
  }
  const user = await api.as('ArchiveMeasurements')
  expect(await ask(user)).toEqual([200, true])
  expect(await ask(user, 0.3)).toEqual([404, false])
  const masked = await api.as('ArchiveMeasurements', 'Anonymization')
  expect(await ask(masked)).toEqual([404, false])
  expect(await ask(masked, 0.3)).toEqual([404, false])
})

test('stores a repeated image once, without the data after its end marker', async () => {
  const { api, station, dataDir } = await withImages()
  const bytes = await jpeg()
  const received = ['', '', '', 'maker data'].map((text) => Buffer.concat([bytes, Buffer.from(text)]))
  const sent = await Promise.all(received.map((image) => sendImage(station, yesterday, 'front', image)))
  expect(sent.map(({ status }) => status)).toEqual([204, 204, 204, 204])
  expect(await api.db.query(sql`select 1 from vehicle_image`)).toHaveLength(1)
  const names = await readdir(dataDir, { recursive: true })
  expect(names.filter((name) => /-[0-9a-f]{16}\.jpg$/.test(name))).toHaveLength(1)
})

test('refuses an image that is no JPEG, too large, or of a wrong time', async () => {
  const { station } = await withImages()
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const whole = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#000', noise } })
    .jpeg()
    .toBuffer()
  const png = await sharp(whole).png().toBuffer()
  const put = async (bytes: Buffer, vehicle = yesterday, type = 'image/jpeg') => {
    const { status, errors } = await sendImage(station, vehicle, 'front', bytes, type)
    return [status, errors[0]?.path, errors[0]?.code]
  }
  expect(await put(png)).toEqual([422, null, 'not-a-jpeg'])
  expect(await put(Buffer.from('hello'))).toEqual([422, null, 'not-a-jpeg'])
  expect(await put(Buffer.alloc(0))).toEqual([422, null, 'not-a-jpeg'])
  expect(await put(whole.subarray(0, whole.length / 2))).toEqual([422, null, 'not-a-jpeg'])
  expect(await put(await withScans(101))).toEqual([422, null, 'not-a-jpeg'])
  expect(await put(whole, yesterday, 'image/png')).toEqual([415, null, 'unsupported-media-type'])
  expect(await put(Buffer.alloc(2 * 1024 * 1024 + 1))).toEqual([413, null, 'too-large'])
  expect(await put(whole, car(1, { createdAt: '2040-01-01T00:00:00Z' }))).toEqual([
    422,
    'createdAt',
    'measurement-in-the-future',
  ])
  expect(await put(whole, car(1, { createdAt: '2026-07-01T00:00:00Z' }))).toEqual([
    422,
    'createdAt',
    'measurement-too-old',
  ])
  expect(await put(whole, car(1, { createdAt: '0000-01-01T00:00:00Z' }))).toEqual([
    422,
    'createdAt',
    'measurement-too-old',
  ])
})
