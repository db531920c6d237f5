import { hash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import type { Image, ImageType, Vehicle } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { notifySessionChange } from '../core/session-queries.ts'
import { sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { addressOf, readEventStream } from '../testing/event-stream.ts'
import { inject } from '../testing/inject.ts'
import { startS3 } from '../testing/s3.ts'
import { type Client, eventually, type TestApi, testApi, testStation } from '../testing/test-api.ts'
import { createImageAddresses } from './image-addresses.ts'
import { renewImageKey } from './image-key-queries.ts'

const passage = (sequence = 1) => ({
  params: { id: vehicleId(7, sequence) },
  query: { locationId: 7, createdAt: car(sequence).createdAt },
})
const day = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: '7' }
const DAY_SECONDS = 86_400
const MB = 1024 * 1024

/** Noise, so that blurred and scaled versions differ. */
const photo = (width = 400, height = 300) =>
  sharp({
    create: { width, height, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .jpeg()
    .toBuffer()

/** A vehicle of today with a photo. */
async function withPhoto(settings = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-versions-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, ...settings })
  const [station, original] = [await api.station(), await photo()]
  await send(station, [car(1)])
  expect((await sendImage(station, car(1), 'front', original)).status).toBe(204)
  const [user, masked] = [
    await api.as('CurrentMeasurements', 'ArchiveMeasurements'),
    await api.as('CurrentMeasurements', 'ArchiveMeasurements', 'Anonymization'),
  ]
  return { api, dataDir, station, original, user, masked }
}

const IMAGE_HEADERS = ['cache-control', 'connection', 'content-length', 'content-type', 'date', 'etag', 'vary']

async function get(api: TestApi, { token }: Client, path: string, headers: Record<string, string> = {}) {
  const response = await inject(api.app.api.http, {
    method: 'GET',
    url: API_BASE + path,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
  })
  return { status: response.statusCode, bytes: response.rawPayload, headers: response.headers }
}

/** The address of the photo of a vehicle for this user. */
async function pathFor(user: Client, type: ImageType = 'front', sequence = 1): Promise<string> {
  const { body } = await user.call(archive.detail, passage(sequence))
  return body.images?.find((image) => image.type === type)?.path as string
}

/** Width and height of a JPEG by its frame header (ITU-T T.81, B.2.2). */
function sizeOf(bytes: Buffer): [width: number, height: number] {
  for (let at = 2; ; at += 2 + bytes.readUInt16BE(at + 2))
    if ([0xc0, 0xc1, 0xc2].includes(bytes[at + 1] as number))
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)]
}

/** Stored images and their versions, by the end of their names. */
async function storedVersions(dataDir: string): Promise<Record<string, string>> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [name.replace(/^.*-[0-9a-f]{16}-?/, ''), join(parentPath, name)]),
  )
}

/** Lets a minute pass, for which a process keeps viewed thumbnails in memory. */
function forgetViews({ clock }: TestApi): void {
  clock.now = new Date(clock.now.getTime() + 60_001)
}

/** The JPEG with comments of this size in all, after its first marker. */
function padded(bytes: Buffer, size: number): Buffer {
  const comment = Buffer.alloc(0x10000, 1)
  comment.set([0xff, 0xfe, 0xff, 0xfe])
  const comments = Array<Buffer>(Math.ceil(size / comment.length)).fill(comment)
  return Buffer.concat([bytes.subarray(0, 2), ...comments, bytes.subarray(2)])
}

const ALL_VERSIONS = ['.jpg', 'anonymised-full.jpg', 'anonymised-thumbnail.jpg', 'sharp-thumbnail.jpg'].toSorted()

/** Waits for the thumbnail, then views the blurred image, and returns all versions. */
async function untilStored({
  api,
  dataDir,
  masked,
}: Pick<Awaited<ReturnType<typeof withPhoto>>, 'api' | 'dataDir' | 'masked'>) {
  await eventually(async () => {
    expect(Object.keys(await storedVersions(dataDir)).toSorted()).toEqual(['.jpg', 'sharp-thumbnail.jpg'])
  })
  expect((await get(api, masked, `${await pathFor(masked)}/thumbnail`)).status).toBe(200)
  const stored = await storedVersions(dataDir)
  expect(Object.keys(stored).toSorted()).toEqual(ALL_VERSIONS)
  return stored
}

test('lists, details and streams have one address of an image, which returns it in full and as a thumbnail', async () => {
  const { api, original, user } = await withPhoto()
  const path = await pathFor(user)
  const pathOf = (vehicles: { images?: Image[] | undefined }[]) => vehicles[0]?.images?.map((image) => image.path)
  await eventually(async () => {
    const { body } = await user.call(current.list, { query: { withImages: true } })
    expect(pathOf(body.content)).toEqual([path])
  })
  const found = await user.call(archive.search, { query: { ...day, withImages: true } })
  expect(found.body.content[0]?.images).toEqual([{ number: 1, type: 'front', path }])
  expect(pathOf([(await user.call(current.detail, passage())).body])).toEqual([path])
  const events = await readEventStream(
    await addressOf(api),
    user.token,
    `${API_BASE}${current.stream.path}?withImages=true`,
  )
  expect(pathOf((await events.next<{ content: { images?: Image[] }[] }>('list')).content)).toEqual([path])

  expect((await get(api, user, `${path}/full`)).bytes).toEqual(original)
  const thumbnail = await get(api, user, `${path}/thumbnail`)
  expect([thumbnail.status, thumbnail.headers['content-type']]).toEqual([200, 'image/jpeg'])
  // 0.3 of 400 × 300.
  expect(sizeOf(thumbnail.bytes)).toEqual([120, 90])
})

test('browsers may cache an image as long as it is kept, and revalidate it by its strong ETag', async () => {
  const { api, user } = await withPhoto({ imageRetentionDays: 30 })
  const path = await pathFor(user)
  const etags = new Set<unknown>()
  for (const version of ['full', 'thumbnail']) {
    const { headers } = await get(api, user, `${path}/${version}`)
    // The vehicle passed two seconds before.
    expect(headers['cache-control']).toBe(`private, max-age=${30 * DAY_SECONDS - 2}, immutable`)
    expect(headers.etag).toMatch(/^"[^"]+"$/)
    // Nor may the next user of a browser get it from there.
    expect(headers.vary).toBe('authorization')
    // Node.js checks each header of each response: thumbnails have only those that protect them.
    expect(Object.keys(headers).sort()).toEqual([...IMAGE_HEADERS, 'x-content-type-options', 'x-request-id'])
    etags.add(headers.etag)
    const known = await get(api, user, `${path}/${version}`, { 'if-none-match': `"other", W/${headers.etag}` })
    expect([known.status, known.bytes.length, known.headers.etag]).toEqual([304, 0, headers.etag])
    expect((await get(api, user, `${path}/${version}`, { 'if-none-match': '"other"' })).status).toBe(200)
  }
  expect(etags.size).toBe(2)
})

test('an image is found by its address without a statement to the database', async () => {
  const { api, user, masked } = await withPhoto()
  const paths: [Client, string][] = [
    [user, await pathFor(user)],
    [masked, await pathFor(masked)],
  ]
  const spies = (['query', 'prepared', 'arrays', 'execute', 'transaction', 'reserve'] as const).map((name) =>
    vi.spyOn(api.db, name),
  )
  const statements = () => spies.reduce((sum, { mock }) => sum + mock.calls.length, 0)
  // Again if work in the background has sent one meanwhile.
  await eventually(async () => {
    const before = statements()
    for (const [caller, path] of paths)
      for (const version of ['full', 'thumbnail'])
        expect((await get(api, caller, `${path}/${version}`)).status, `${path}/${version}`).toBe(200)
    expect((await get(api, user, `${paths[0]?.[1].slice(0, -1)}!/full`)).status).toBe(404)
    expect(statements()).toBe(before)
  })
  await pathFor(user)
  expect(statements()).toBeGreaterThan(0)
})

test('a changed address is refused', async () => {
  const { api, station, user, masked } = await withPhoto()
  await send(station, [car(2)])
  await sendImage(station, car(1), 'rear', await jpeg(1))
  await sendImage(station, car(2), 'front', await jpeg(2))
  const neighbour = await api.station({ ...testStation, id: 8, shortName: 'S8 Next' })
  await send(neighbour, [car(1)])
  await sendImage(neighbour, car(1), 'front', await jpeg(3))
  const [path, ofOther] = [await pathFor(user), await pathFor(user, 'front', 2)]
  // Held in memory from now on.
  expect((await get(api, user, `${path}/thumbnail`)).status).toBe(200)
  const [, , viewer, id, createdAt, type, sha256, signature = ''] = path.split('/')
  const otherParts = ofOther.split('/')
  const swapped = signature.startsWith('A') ? 'B' : 'A'
  const forged: Record<string, (string | number | undefined)[]> = {
    'another viewer': ['anonymised', id, createdAt, type, sha256, signature],
    'another vehicle': [viewer, otherParts[3], createdAt, type, otherParts[6], signature],
    'another station': [viewer, vehicleId(8, 1), createdAt, type, sha256, signature],
    'another time': [viewer, id, '2026-10-20T07:59:58.001Z', type, sha256, signature],
    'another type': [viewer, id, createdAt, 'rear', sha256, signature],
    'another digest': [viewer, id, createdAt, type, otherParts[6], signature],
    'the signature of another image': [viewer, id, createdAt, type, sha256, otherParts[7]],
    'another first letter of the signature': [viewer, id, createdAt, type, sha256, swapped + signature.slice(1)],
    'a shorter signature': [viewer, id, createdAt, type, sha256, signature.slice(0, -1)],
    'a longer signature': [viewer, id, createdAt, type, sha256, `${signature}A`],
    'a signature of other characters': [viewer, id, createdAt, type, sha256, encodeURIComponent('ż'.repeat(22))],
  }
  for (const [about, parts] of Object.entries(forged))
    for (const version of ['full', 'thumbnail'])
      for (const caller of [user, masked]) {
        const { status, headers } = await get(api, caller, `/vehicle-images/${parts.join('/')}/${version}`)
        expect([status, headers['cache-control'], headers.etag], about).toEqual([404, 'no-store', undefined])
      }
  // Not the form of an address.
  for (const parts of [
    ['clear', id, createdAt, type, sha256, signature, 'full'],
    [viewer, id, createdAt, type, sha256, signature, 'medium'],
    [viewer, id, createdAt, type, sha256?.slice(1), signature, 'full'],
  ])
    expect((await get(api, user, `/vehicle-images/${parts.join('/')}`)).status).toBe(400)
  const stranger = await api.as('Tickets')
  for (const version of ['full', 'thumbnail']) {
    expect((await get(api, api.anyone, `${path}/${version}`)).status).toBe(401)
    expect((await get(api, stranger, `${path}/${version}`)).status).toBe(403)
    expect((await get(api, user, `${path}/${version}`)).status).toBe(200)
  }
})

test('anonymised users get addresses of blurred images, and are refused sharp ones', async () => {
  const { api, original, user, masked } = await withPhoto()
  const [path, blurredPath] = [await pathFor(user), await pathFor(masked)]
  expect(path).toMatch(/^\/vehicle-images\/sharp\//)
  expect(blurredPath).toMatch(/^\/vehicle-images\/anonymised\//)
  const live = await eventually(async () => {
    const { body } = await masked.call(current.list, { query: { withImages: true } })
    expect(body.content[0]?.images).toHaveLength(1)
    return body.content
  })
  const found = await masked.call(archive.search, { query: { ...day, withDataImages: true } })
  const events = await readEventStream(
    await addressOf(api),
    masked.token,
    `${API_BASE}${current.stream.path}?withImages=true`,
  )
  const { content } = await events.next<{ content: { images?: Image[] }[] }>('list')
  for (const vehicles of [live, found.body.content, content]) expect(vehicles[0]?.images?.[0]?.path).toBe(blurredPath)

  for (const version of ['full', 'thumbnail']) {
    const refused = await get(api, masked, `${path}/${version}`)
    expect([refused.status, refused.headers['cache-control']]).toEqual([403, 'no-store'])
    const { status, bytes, headers } = await get(api, masked, `${blurredPath}/${version}`)
    const clear = await get(api, user, `${path}/${version}`)
    expect([status, clear.status]).toEqual([200, 200])
    expect(headers.etag).not.toBe(clear.headers.etag)
    expect(sizeOf(bytes)).toEqual(sizeOf(clear.bytes))
    // No segment of the sharp image is part of the blurred one, such as a thumbnail in its metadata.
    const middle = clear.bytes.subarray(clear.bytes.length / 2, clear.bytes.length / 2 + 64)
    expect(bytes.includes(middle)).toBe(false)
    expect(clear.bytes.includes(middle)).toBe(true)
    expect(bytes.includes(original.subarray(0, 1_000))).toBe(false)
  }
  // A user who sees everything may have an address from before.
  expect((await get(api, user, `${blurredPath}/full`)).status).toBe(200)
})

test('a user who becomes anonymised is refused the addresses of before at once', async () => {
  const { api, user } = await withPhoto()
  const path = await pathFor(user)
  const statuses = () =>
    Promise.all(['full', 'thumbnail'].map(async (version) => (await get(api, user, `${path}/${version}`)).status))
  expect(await statuses()).toEqual([200, 200])
  const permissions = [...user.permissions, 'ROLE_37']
  await api.db.execute(sql`update role set permissions = ${permissions} where name = ${user.username}`)
  await notifySessionChange(api.db, user.userId)
  await eventually(async () => expect(await statuses()).toEqual([403, 403]))
  expect(await pathFor(user)).toMatch(/^\/vehicle-images\/anonymised\//)
})

test('an image that replaces another has another address, and both stay valid', async () => {
  const { api, station, original, user } = await withPhoto()
  const path = await pathFor(user)
  const [replacement, small] = [await photo(), await get(api, user, `${path}/thumbnail`)]
  await sendImage(station, car(1), 'front', replacement)
  const newPath = await pathFor(user)
  expect(newPath).not.toBe(path)
  expect((await get(api, user, `${newPath}/full`)).bytes).toEqual(replacement)
  expect((await get(api, user, `${path}/full`)).bytes).toEqual(original)
  expect((await get(api, user, `${path}/thumbnail`)).bytes).toEqual(small.bytes)
  expect((await get(api, user, `${newPath}/thumbnail`)).bytes).not.toEqual(small.bytes)
})

test('users of the live list alone see images of the last day', async () => {
  const { api, user } = await withPhoto()
  const [watcher, path] = [await api.as('CurrentMeasurements'), await pathFor(user)]
  const status = async (caller: Client) => (await get(api, caller, `${path}/thumbnail`)).status
  api.clock.now = new Date('2026-10-21T07:59:57Z')
  const [later, reader] = [await api.as('CurrentMeasurements'), await api.as('ArchiveMeasurements')]
  expect([await status(later), await status(reader)]).toEqual([200, 200])
  api.clock.now = new Date('2026-10-21T07:59:59Z')
  expect([await status(later), await status(reader)]).toEqual([404, 200])
  // Idle for a day.
  expect(await status(watcher)).toBe(401)
})

test('images are deleted with all of their versions when their retention has passed', async () => {
  const { api, dataDir, user, masked } = await withPhoto({ partitions: 'month', imageRetentionDays: 30 })
  const path = await pathFor(user)
  await untilStored({ api, dataDir, masked })
  // Kept until the whole partition has expired, no longer cached.
  api.clock.now = new Date('2026-11-25T08:00:00Z')
  const reader = await api.as('ArchiveMeasurements')
  const kept = await get(api, reader, `${path}/thumbnail`)
  expect([kept.status, kept.headers['cache-control']]).toEqual([200, 'private, max-age=0, immutable'])
  // Not stored again, lest it stays.
  const thumbnail = (await storedVersions(dataDir))['sharp-thumbnail.jpg'] as string
  await rm(thumbnail)
  expect((await get(api, reader, `${path}/thumbnail`)).bytes).toEqual(kept.bytes)
  expect(await stat(thumbnail).catch(() => null)).toBeNull()

  api.clock.now = new Date('2026-12-02T08:00:00Z')
  const later = await api.as('ArchiveMeasurements')
  await api.app.jobs.recurring.find(({ name }) => name === 'drop-expired')?.work()
  expect(await storedVersions(dataDir)).toEqual({})
  for (const version of ['full', 'thumbnail']) expect((await get(api, later, `${path}/${version}`)).status).toBe(404)
  expect(await storedVersions(dataDir)).toEqual({})
})

test('versions are made once, thumbnails without a view, and again when they are lost or truncated', async () => {
  const { api, dataDir, user, masked } = await withPhoto()
  const stored = await untilStored({ api, dataDir, masked })
  const inodes = () => Promise.all(Object.values(stored).map(async (file) => (await stat(file)).ino))
  const before = await inodes()
  const views: [Client, string, string][] = [
    [user, `${await pathFor(user)}/thumbnail`, 'sharp-thumbnail.jpg'],
    [masked, `${await pathFor(masked)}/full`, 'anonymised-full.jpg'],
    [masked, `${await pathFor(masked)}/thumbnail`, 'anonymised-thumbnail.jpg'],
  ]
  const made = new Map<string, Buffer>()
  for (const [caller, path, name] of views) {
    made.set(name, (await get(api, caller, path)).bytes)
    expect(await readFile(stored[name] as string), name).toEqual(made.get(name))
  }
  expect(await inodes()).toEqual(before)

  for (const [caller, path, name] of views) {
    const file = stored[name] as string
    const whole = await readFile(file)
    for (const lost of [null, Buffer.alloc(0), whole.subarray(0, whole.length / 2), Buffer.alloc(whole.length)]) {
      await (lost ? writeFile(file, lost) : rm(file))
      forgetViews(api)
      expect((await get(api, caller, path)).bytes, name).toEqual(made.get(name))
      expect(await readFile(file), name).toEqual(whole)
    }
  }
})

test('two processes make the thumbnail of a new image once, before it is viewed', async () => {
  const { s3Url, names, requests } = await startS3()
  const api = await testApi({ s3Url })
  const other = await testApi({ s3Url }, api)
  const [station, user] = [await api.station(), await api.as('ArchiveMeasurements')]
  const cars = Array.from({ length: 5 }, (_, index) => car(index + 1))
  await send(station, cars)
  const addresses = await createImageAddresses(api.db)
  // Both are asked as soon as the image is announced, as screens do.
  let onAnnounced = () => {}
  const listener = await api.db.open((_channel, payload) => payload.startsWith('image') && onAnnounced())
  await listener.execute(sql`listen live`)
  for (const { sequence, createdAt } of cars) {
    const original = await photo()
    const image = { type: 'front' as const, number: 1, sha256: hash('sha256', original) }
    const vehicle = {
      id: vehicleId(7, sequence),
      createdAt: new Date(createdAt),
      images: [image],
    } as unknown as Vehicle
    const path = addresses.show(vehicle, false).images?.[0]?.path
    const views = new Promise<Awaited<ReturnType<typeof get>>[]>((resolve) => {
      onAnnounced = () => resolve(Promise.all([other, api].map((one) => get(one, user, `${path}/thumbnail`))))
    })
    expect((await sendImage(station, car(sequence), 'front', original)).status).toBe(204)
    const [first, second] = await views
    expect([first?.status, second?.status]).toEqual([200, 200])
    expect(first?.bytes).toEqual(second?.bytes)
  }
  await listener.close()
  const isThumbnail = (name?: string) => name?.endsWith('-sharp-thumbnail.jpg')
  expect(names().filter(isThumbnail)).toHaveLength(cars.length)
  expect(requests.filter((request) => request.startsWith('PUT ') && isThumbnail(request))).toHaveLength(cars.length)
})

test('a thumbnail that was viewed in the last minute is not read again', async () => {
  const { api, dataDir, user, masked } = await withPhoto()
  const stored = await untilStored({ api, dataDir, masked })
  const views: [Client, string][] = [
    [user, `${await pathFor(user)}/thumbnail`],
    [masked, `${await pathFor(masked)}/thumbnail`],
  ]
  const viewAll = () => Promise.all(views.map(([caller, path]) => get(api, caller, path)))
  const first = await viewAll()
  expect(first[0]?.bytes).not.toEqual(first[1]?.bytes)
  for (const name of ['sharp-thumbnail.jpg', 'anonymised-thumbnail.jpg']) await rm(stored[name] as string)
  api.clock.now = new Date(api.clock.now.getTime() + 59_000)
  const again = await viewAll()
  for (const [index, { status, bytes, headers }] of again.entries()) {
    const { bytes: expected, headers: before } = first[index] as (typeof again)[number]
    expect([status, headers.etag, headers.vary]).toEqual([200, before.etag, 'authorization'])
    expect(headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(bytes).toEqual(expected)
  }
  expect((await get(api, masked, (views[0] as [Client, string])[1])).status).toBe(403)
  expect(Object.keys(await storedVersions(dataDir)).toSorted()).toEqual(['.jpg', 'anonymised-full.jpg'])

  // A minute after the first view: views do not prolong it.
  api.clock.now = new Date(api.clock.now.getTime() + 2_000)
  expect((await viewAll()).map(({ bytes }) => bytes)).toEqual(first.map(({ bytes }) => bytes))
  expect(Object.keys(await storedVersions(dataDir)).toSorted()).toEqual(ALL_VERSIONS)
})

test('a thumbnail of a deleted image is served for a minute at most', async () => {
  const { api, dataDir, user, masked } = await withPhoto()
  await untilStored({ api, dataDir, masked })
  const path = await pathFor(user)
  const status = async () => (await get(api, user, `${path}/thumbnail`)).status
  expect(await status()).toBe(200)
  await rm(join(dataDir, 'files'), { recursive: true })
  expect(await status()).toBe(200)
  forgetViews(api)
  expect(await status()).toBe(404)
})

test('a thumbnail in memory is not served when its retention has passed', async () => {
  const { api, dataDir, user, masked } = await withPhoto({ imageRetentionDays: 30 })
  const path = await pathFor(user)
  await untilStored({ api, dataDir, masked })
  api.clock.now = new Date('2026-11-19T07:59:50Z')
  const reader = await api.as('ArchiveMeasurements')
  const status = async () => (await get(api, reader, `${path}/thumbnail`)).status
  expect(await status()).toBe(200)
  await rm(join(dataDir, 'files'), { recursive: true })
  expect(await status()).toBe(200)
  api.clock.now = new Date('2026-11-19T07:59:59Z')
  expect(await status()).toBe(404)
})

test('evicts the least recently viewed thumbnail when the memory for thumbnails is full', async () => {
  const { api, dataDir, station, user, masked } = await withPhoto()
  await untilStored({ api, dataDir, masked })
  const sequences = Array.from({ length: 9 }, (_, index) => index + 2)
  await send(
    station,
    sequences.map((sequence) => car(sequence)),
  )
  for (const sequence of sequences) await sendImage(station, car(sequence), 'front', await jpeg(sequence))
  const paths = await Promise.all(sequences.map((sequence) => pathFor(user, 'front', sequence)))
  const view = async (path: string) => (await get(api, user, `${path}/thumbnail`)).bytes.length
  const sizes = new Map<string, number>()
  for (const path of paths) sizes.set(path, await view(path))
  forgetViews(api)
  const folder = join(dataDir, 'files')
  const namesOf = async (version: string) =>
    (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(`-${version}.jpg`))
  // The last version that is created in the background: nothing is written after it.
  await eventually(async () => expect(await namesOf('anonymised-thumbnail')).toHaveLength(sequences.length + 1))
  const names = await namesOf('sharp-thumbnail')
  for (const name of names) await writeFile(join(folder, name), padded(await readFile(join(folder, name)), 2 * MB))
  expect(names.length).toBe(sequences.length + 1)

  // Eight of just over 2 MB exceed 16 MB, seven fit.
  const [first, second, third, ...others] = paths as [string, string, string, ...string[]]
  for (const path of [first, second, third, ...others.slice(0, 4)]) expect(await view(path)).toBeGreaterThan(2 * MB)
  expect(await view(first)).toBeGreaterThan(2 * MB)
  expect(await view(others[4] as string)).toBeGreaterThan(2 * MB)
  for (const name of names) await rm(join(folder, name))
  expect(await view(first)).toBeGreaterThan(2 * MB)
  expect(await view(third)).toBeGreaterThan(2 * MB)
  expect(await view(second)).toBe(sizes.get(second))
})

test('an image that cannot be decoded is remembered as damaged', async () => {
  const { api, dataDir, station, user, masked } = await withPhoto()
  const whole = await photo()
  const codes = whole.indexOf(Buffer.from([0xff, 0xc4]))
  // A Huffman table with more codes than bits can tell apart.
  const damaged = Buffer.from(whole).fill(0xff, codes + 5, codes + 21)
  await untilStored({ api, dataDir, masked })
  await rm(join(dataDir, 'files'), { recursive: true })
  expect((await sendImage(station, car(1), 'front', damaged)).status).toBe(204)
  const [path, blurredPath] = [await pathFor(user), await pathFor(masked)]
  const statuses = async () => [
    (await get(api, user, `${path}/full`)).status,
    (await get(api, user, `${path}/thumbnail`)).status,
    (await get(api, masked, `${blurredPath}/full`)).status,
    (await get(api, masked, `${blurredPath}/thumbnail`)).status,
  ]
  expect(await statuses()).toEqual([200, 404, 404, 404])
  const marks = async () => {
    const { '.jpg': _original, ...versions } = await storedVersions(dataDir)
    return Promise.all(Object.entries(versions).map(async ([name, file]) => [name, (await stat(file)).ino]))
  }
  const before = await marks()
  expect(before.map(([name]) => name).toSorted()).toEqual(['anonymised-full.jpg', 'sharp-thumbnail.jpg'])
  expect(await statuses()).toEqual([200, 404, 404, 404])
  expect(await marks()).toEqual(before)
})

test('addresses are valid in all processes, and refused by all after the key was renewed', async () => {
  const { api, dataDir, user } = await withPhoto()
  const other = await testApi({ dataDir }, api)
  const path = await pathFor(user)
  const statuses = (path: string) =>
    Promise.all([api, other].map(async (one) => (await get(one, user, `${path}/full`)).status))
  expect(await statuses(path)).toEqual([200, 200])
  // Addresses of live vehicles are kept in memory.
  const livePath = async () => (await user.call(current.detail, passage())).body.images?.[0]?.path
  await eventually(async () => {
    expect((await user.call(current.list)).body.content).toHaveLength(1)
    expect(await livePath()).toBe(path)
  })
  await renewImageKey(api.db)
  await eventually(async () => expect(await statuses(path)).toEqual([404, 404]))
  const renewed = await pathFor(user)
  expect(renewed).not.toBe(path)
  expect(await statuses(renewed)).toEqual([200, 200])
  expect(await livePath()).toBe(renewed)
})
