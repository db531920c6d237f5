import * as archive from '@rogatka/contract/archive.ts'
import * as current from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { file } from '@rogatka/contract/reports.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testApi } from '../core/testing.ts'
import { car, send, sendPicture } from '../ingest/testing.ts'

const RESTRICTED = ['ROLE_1', 'ROLE_2', 'ROLE_37']
const FREE = ['ROLE_1', 'ROLE_2']

/** A vehicle with a picture, and everything that names it in a call. */
async function passage() {
  const api = await testApi()
  const station = await api.station()
  const measured = car(1, { plateLpr: 'WGM 4K281', nationality: 'PL', createdAt: api.clock.now.toISOString() })
  await send(station, [measured])
  // Of one colour it would look the same blurred.
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const picture = await sharp({ create: { width: 320, height: 180, channels: 3, background: 'black', noise } })
    .jpeg()
    .toBuffer()
  await sendPicture(station, measured, 'front', picture)
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
    picture,
    restricted: await api.withPermissions(RESTRICTED),
    free: await api.withPermissions(FREE),
  }
}

test('whoever may not know whose vehicle it is sees two characters of the plate, in lists and details alike', async () => {
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

test('they neither search nor sort by plate, because the answers would tell it', async () => {
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

test('pictures come blurred, in full and scaled, and no memory on the way mixes them with the clear ones', async () => {
  const { key, picture, restricted, free } = await passage()
  const get = (caller: typeof free, scale?: number) =>
    caller.call(archive.picture, {
      params: { ...key.params, number: 1 },
      query: { ...key.query, ...(scale && { scale }) },
    })
  const clear = await get(free)
  const blurred = await get(restricted)
  expect(clear.bytes.equals(picture)).toBe(true)
  expect(blurred.bytes.equals(picture)).toBe(false)
  expect(blurred.headers.etag).not.toBe(clear.headers.etag)
  const sizes = await Promise.all([sharp(clear.bytes).metadata(), sharp(blurred.bytes).metadata()])
  expect([sizes[1].width, sizes[1].height]).toEqual([sizes[0].width, sizes[0].height])
  const scaled = [await get(free, 0.5), await get(restricted, 0.5)]
  expect(scaled[0]?.bytes.equals(scaled[1]?.bytes as Buffer)).toBe(false)
})
