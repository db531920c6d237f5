import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { file } from '@rogatka/contract/reports.ts'
import { imageTypes } from '@rogatka/contract/vehicle.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { car, send, sendImage } from '../ingest/testing.ts'
import { fetchReport, unzipFiles } from '../reports/testing.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'

const RESTRICTED = ['ROLE_1', 'ROLE_2', 'ROLE_37']
const FREE = ['ROLE_1', 'ROLE_2']

/** A vehicle with an image, and its request parameters. */
async function passage() {
  const api = await testApi()
  const station = await api.station()
  const measured = car(1, { plateLpr: 'WGM 4K281', nationality: 'PL', createdAt: api.clock.now.toISOString() })
  await send(station, [measured])
  // Noise: a single colour would look equal when blurred.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const image = await sharp({ create: { width: 320, height: 180, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer()
  await sendImage(station, measured, 'front', image)
  const range = {
    dateTimeStart: new Date(api.clock.now.getTime() - 3_600_000).toISOString(),
    dateTimeEnd: new Date(api.clock.now.getTime() + 3_600_000).toISOString(),
    locations: '7',
  }
  const key = {
    params: { id: vehicleId(7, measured.sequence) },
    query: { locationId: 7, createdAt: measured.createdAt },
  }
  return {
    api,
    range,
    key,
    image,
    restricted: await api.withPermissions(RESTRICTED),
    free: await api.withPermissions(FREE),
  }
}

test('masks plates for anonymised roles', async () => {
  const { range, key, restricted, free } = await passage()
  const masked = 'WG******'

  const found = await restricted.call(archive.search, { query: range })
  expect(found.body.content.map(({ plateLpr }) => plateLpr)).toEqual([masked])
  expect((await restricted.call(archive.detail, key)).body.plateLpr).toBe(masked)
  await expect.poll(async () => (await restricted.call(current.list)).body.content[0]?.plateLpr).toBe(masked)
  expect((await restricted.call(current.detail, key)).body.plateLpr).toBe(masked)

  const ordered = await restricted.call(archive.report, { query: { ...range, reportType: 'csv' } })
  const csv = await restricted.call(file, { params: { token: ordered.body.link.replace('/reports/', '') } })
  expect(csv.bytes.toString()).toContain(masked)
  expect(csv.bytes.toString()).not.toContain('4K281')
  expect((await free.call(archive.detail, key)).body.plateLpr).toBe('WGM4K281')
})

test('anonymised roles can neither search nor sort by plate', async () => {
  const { range, restricted } = await passage()
  const refused = [
    await restricted.call(archive.search, { query: { ...range, plateLpr: 'WGM4K28?' } }),
    await restricted.call(archive.search, { query: { ...range, orderByColumnName2: 'plateLpr' } }),
    await restricted.call(archive.report, { query: { ...range, plateLpr: 'WGM4K281', reportType: 'csv' } }),
    await restricted.call(current.list, { query: { plateLpr: 'W*' } }),
    await restricted.call(current.list, { query: { orderByColumnName: 'plateLpr' } }),
    await restricted.call(current.check, { query: { plateLpr: 'W*' } }),
    await restricted.call(current.counters, { query: { plateLpr: 'W*' } }),
  ]
  for (const { status, errors } of refused) expect([status, errors[0]?.code]).toEqual([403, 'plates-are-anonymised'])
})

test('blurs full and scaled images for anonymised roles, and caches them separately', async () => {
  const { key, image, restricted, free } = await passage()
  const get = (caller: typeof free, scale?: number) =>
    caller.call(archive.image, {
      params: { ...key.params, number: 1 },
      query: { ...key.query, ...(scale && { scale }) },
    })
  const clear = await get(free)
  const blurred = await get(restricted)
  expect(clear.bytes.equals(image)).toBe(true)
  expect(blurred.bytes.equals(image)).toBe(false)
  const sizes = await Promise.all([sharp(clear.bytes).metadata(), sharp(blurred.bytes).metadata()])
  expect([sizes[1].width, sizes[1].height]).toEqual([sizes[0].width, sizes[0].height])
  const scaled = [await get(free, 0.5), await get(restricted, 0.5)]
  expect(scaled[0]?.bytes.equals(scaled[1]?.bytes as Buffer)).toBe(false)
})

/** Mean difference of neighbouring pixels in each quarter of the width: small if blurred. */
async function detailOf(jpeg: Buffer): Promise<number[]> {
  const { data, info } = await sharp(jpeg).greyscale().raw().toBuffer({ resolveWithObject: true })
  return [0, 1, 2, 3].map((quarter) => {
    const [from, until] = [quarter, quarter + 1].map((at) => Math.floor((at * info.width) / 4)) as [number, number]
    let [sum, count] = [0, 0]
    for (let y = 0; y < info.height; y++)
      for (let x = from + 1; x < until; x++, count++) {
        const at = (y * info.width + x) * info.channels
        sum += Math.abs((data[at] as number) - (data[at - info.channels] as number))
      }
    return sum / count
  })
}

/** Every JPEG in a file: the file itself, those in a ZIP or XLSX, those in a PDF. */
async function jpegsIn(bytes: Buffer): Promise<Buffer[]> {
  if (bytes.subarray(0, 2).toString() === 'PK')
    return (await Promise.all(Object.values(unzipFiles(bytes)).map(jpegsIn))).flat()
  const found: Buffer[] = []
  const start = Buffer.from([0xff, 0xd8, 0xff])
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    const candidate = bytes.subarray(at)
    // Compressed data contains these three bytes now and then.
    if (
      await sharp(candidate)
        .metadata()
        .then(
          () => true,
          () => false,
        )
    )
      found.push(candidate)
  }
  return found
}

test('no image of a wrong-way vehicle is sharp for anonymised roles', async () => {
  const api = await testApi()
  const station = await api.station()
  // Driving the wrong way, the cab is in the right half of the side image, and the front image shows the rear.
  const measured = car(1, { createdAt: api.clock.now.toISOString(), wrongDirection: true })
  await send(station, [measured])
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const image = await sharp({ create: { width: 320, height: 180, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer()
  for (const type of imageTypes) await sendImage(station, measured, type, image)
  const [restricted, free] = [await api.withPermissions(RESTRICTED), await api.withPermissions(FREE)]
  const params = { id: vehicleId(7, 1) }
  const query = { locationId: 7, createdAt: measured.createdAt }
  // The live list is notified shortly after images are stored.
  const last = { params: { ...params, number: imageTypes.length }, query }
  await eventually(async () => expect((await free.call(current.image, last)).status).toBe(200))
  const hour = (by: number) => new Date(api.clock.now.getTime() + by * 3_600_000).toISOString()
  const range = { dateTimeStart: hour(-1), dateTimeEnd: hour(1), locations: '7' }

  const imagesFor = async (caller: Client) => {
    const images = new Map<string, Buffer[]>()
    for (const [family, { image }] of Object.entries({ current, archive }))
      for (const [at, type] of imageTypes.entries())
        for (const scale of [undefined, 0.3, 1]) {
          const request = { params: { ...params, number: at + 1 }, query: { ...query, ...(scale && { scale }) } }
          images.set(`${family} ${type} ${scale}`, [(await caller.call(image, request)).bytes])
        }
    const report = async (name: string, { body }: { body: { link: string } }) =>
      images.set(name, await jpegsIn((await fetchReport(caller, body)).bytes))
    for (const reportType of ['csv-with-image', 'xlsx-with-image', 'pdf-with-image'] as const)
      await report(reportType, await caller.call(archive.report, { query: { ...range, reportType } }))
    await report('evidence pdf', await caller.call(current.report, { params, query: { ...query, reportType: 'pdf' } }))
    return images
  }

  // Neighbours differ by about 40 in the noise; reduced to 24 px and enlarged, by less than a tenth of that.
  const mean = (detail: number[]) => detail.reduce((sum, one) => sum + one, 0) / detail.length
  for (const [name, images] of await imagesFor(free)) {
    const details = await Promise.all(images.map(detailOf))
    expect(Math.max(...details.map(mean)), name).toBeGreaterThan(10)
  }
  const blurred = await imagesFor(restricted)
  expect(blurred.get('evidence pdf')?.length).toBeGreaterThanOrEqual(imageTypes.length)
  for (const [name, images] of blurred) {
    expect(images.length, name).toBeGreaterThan(0)
    for (const image of images) for (const quarter of await detailOf(image)) expect(quarter, name).toBeLessThan(5)
  }
})
