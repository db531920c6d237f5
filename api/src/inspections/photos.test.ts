import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as endpoints from '@rogatka/contract/inspections.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openFiles } from '../core/open-files.ts'
import { sql } from '../core/statement.ts'
import { jpeg } from '../ingest/testing.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'
import { createImage, createPdf, form } from '../tickets/testing.ts'
import { codesOf, inspectionScene, open, runJob } from './testing.ts'

test('photos are added by the officer until the inspection is closed, and deleted with it', async () => {
  const api = await testApi()
  await inspectionScene(api, 2)
  const [officer, other] = [await api.as('Inspections'), await api.as('Inspections')]
  const { id } = await open(officer, 1, { state: 'takenOver' })
  const images = await Promise.all(Array.from({ length: 13 }, (_, at) => jpeg(at * 10)))
  const add = (user: Client, ...files: Buffer[]) =>
    user.call(endpoints.addPhotos, {
      params: { id },
      ...form({}, ...files.map((bytes) => ({ name: 'zdjęcie', bytes }))),
    })
  expect(codesOf(await add(other, ...images.slice(0, 1)))).toEqual(['null forbidden'])
  const files = openFiles(api.app.api.config)
  const pathOf = (bytes: Buffer) => `inspections/${id}/photo-${createHash('sha256').update(bytes).digest('hex')}`
  const isStored = async (bytes: Buffer) => (await files.get(pathOf(bytes))) !== null
  // The folder outlives a run that failed.
  for (const bytes of images) await files.remove(pathOf(bytes))
  for (const bytes of [await createPdf(), await createImage('gif')])
    expect(codesOf(await add(officer, ...images.slice(0, 3), bytes))).toEqual(['attachment photo-kind-not-accepted'])
  // 64 megapixels and one column more, by its header.
  const huge = Buffer.from(await createImage('png'))
  huge.writeUInt32BE(8_001, 16)
  huge.writeUInt32BE(8_000, 20)
  huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
  expect(codesOf(await add(officer, huge))).toEqual(['attachment picture-too-large'])
  expect(codesOf(await add(officer, Buffer.alloc(10 * 1024 * 1024 + 1, 'x')))).toEqual([
    'attachment attachment-too-large',
  ])
  expect(await isStored(images[1] as Buffer)).toBe(false)
  // Longer than one part of the response.
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const png = await sharp({ create: { width: 400, height: 400, channels: 3, background: 'black', noise } })
    .png()
    .toBuffer()
  for (const files of [[png], images.slice(0, 5), images.slice(5, 10), images.slice(5, 10), images.slice(10, 11)])
    expect((await add(officer, ...files)).status).toBe(200)
  expect(codesOf(await add(officer, ...images.slice(9)))).toEqual(['attachment too-many-photos'])
  // Refused uploads leave no file.
  expect(await Promise.all(images.map(isStored))).toEqual([...Array(11).fill(true), false, false])
  const file = (user: Client, number: number) => user.call(endpoints.photoFile, { params: { id, number } })
  const first = await file(other, 1)
  expect([first.headers['content-type'], first.bytes.equals(png)]).toEqual(['image/png', true])

  const remove = (user: Client, number: number) => user.call(endpoints.removePhoto, { params: { id, number } })
  expect(codesOf(await remove(other, 1))).toEqual(['null forbidden'])
  const path = pathOf(png)
  expect(await files.get(path)).toEqual(png)
  expect((await remove(officer, 1)).status).toBe(204)
  expect(await files.get(path)).toBe(null)
  // Repeated as its answer was lost.
  expect((await remove(officer, 1)).status).toBe(204)
  expect(codesOf(await remove(officer, 99))).toEqual(['null photo-not-found'])
  // Its number is not used again.
  const numbers = (await add(officer, png)).body.photos.map(({ number }) => number)
  expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  // Uploaded while the same photo is deleted: both wait for the inspection, the deletion first.
  const waiting = (count: number) =>
    eventually(async () => {
      const locks = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      expect(await api.db.query(locks)).toHaveLength(count)
    })
  const lock = sql`select from inspection where id = ${id} for update`
  const pending = await api.db.transaction(async (db) => {
    await db.query(lock)
    const removing = remove(officer, 13)
    await waiting(1)
    const adding = add(officer, png)
    await waiting(2)
    return [removing, adding]
  })
  for (const { status } of await Promise.all(pending)) expect(status).toBeLessThan(300)
  expect((await file(officer, 14)).bytes.equals(png)).toBe(true)
  // The deletion removes the file after the upload has stored it.
  await remove(officer, 14)
  const [late] = await api.db.transaction(async (db) => {
    await db.query(lock)
    const adding = add(officer, png)
    await waiting(1)
    await files.remove(path)
    return [adding]
  })
  expect((await late)?.status).toBe(200)
  expect((await file(officer, 15)).bytes.equals(png)).toBe(true)
  await officer.call(endpoints.close, { params: { id }, body: { version: 1, results: [9] } })
  expect(codesOf(await add(officer, png))).toEqual(['null state-not-allowed'])
  expect(codesOf(await remove(officer, 2))).toEqual(['null state-not-allowed'])

  const day = 24 * 3_600_000
  const closedAt = api.clock.now.getTime()
  // Never finished: kept from its last step.
  api.clock.now = new Date(closedAt + day)
  const unmeasured = { vehicleId: null, createdAt: null, selection: 'random' }
  const unfinished = await open(await api.as('Inspections'), 2, { state: 'takenOver', ...unmeasured })
  const idsAt = async (at: number) => {
    api.clock.now = new Date(at)
    await runJob(api, 'delete-inspections')
    return (await (await api.as('InspectionReview')).call(endpoints.list)).body.content.map((it) => it.id)
  }
  expect(await idsAt(closedAt + 1_825 * day)).toEqual([unfinished.id, id])
  // Not while it is reopened: its photos stay, too.
  await api.db.transaction(async (db) => {
    await db.execute(sql`update inspection set state = 'weighed', reopened_at = ${new Date(closedAt)} where id = ${id}`)
    expect(await idsAt(closedAt + 1_825 * day + 1)).toEqual([unfinished.id, id])
    expect(await files.get(path)).toEqual(png)
    await db.execute(sql`update inspection set state = 'closed' where id = ${id}`)
  })
  expect(await idsAt(closedAt + 1_825 * day + 1)).toEqual([unfinished.id])
  expect(await idsAt(closedAt + 1_826 * day)).toEqual([unfinished.id])
  expect(await idsAt(closedAt + 1_826 * day + 1)).toEqual([])
  expect(await api.db.query(sql`select from inspection_photo`)).toEqual([])
})
