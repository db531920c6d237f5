import { createHash } from 'node:crypto'
import * as endpoints from '@rogatka/contract/tickets.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { openFiles } from '../core/open-files.ts'
import { testApi } from '../testing/test-api.ts'
import { createImage, form, SVG } from './testing.ts'

test('accepts a report with a file as a form, and returns the file as a download', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const bytes = await createImage('png')
  const fields = {
    title: '',
    description: 'Brak zdjęć',
    status: 'open',
    isOpen: 'true',
    handleBy: 'null',
    closedAt: '',
    userId: String(user.userId),
  }
  const added = await user.call(endpoints.add, form(fields, { name: 'kamera.png', bytes }))
  expect(added.status).toBe(200)
  expect(added.body).toMatchObject({
    title: 'Zgłoszenie z systemu WIM',
    description: 'Brak zdjęć',
    handleBy: null,
    userId: user.userId,
    attachments: [{ number: 1, name: 'kamera.png', type: 'image/png', size: bytes.length }],
  })
  const file = await user.call(endpoints.attachment, { params: { id: added.body.id } })
  expect(file.bytes.equals(bytes)).toBe(true)
  expect(file.headers).toMatchObject({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="kamera.png"; filename*=UTF-8''kamera.png`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'no-store',
  })
  const none = await user.call(endpoints.attachment, { params: { id: added.body.id }, query: { number: 2 } })
  expect(none.errors).toMatchObject([{ code: 'attachment-not-found' }])
})

test('a refused file creates no ticket, and 100 MB are refused', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const refused = await user.call(endpoints.add, form({ description: 'x' }, { name: 'x.png', bytes: Buffer.from(SVG) }))
  expect([refused.status, refused.errors]).toMatchObject([
    415,
    [{ path: 'attachment', code: 'attachment-kind-not-accepted' }],
  ])
  const { headers } = form({}, { name: 'x', bytes: Buffer.alloc(0) })
  const huge = await user.call(endpoints.add, { payload: Buffer.alloc(100 * 1024 * 1024), headers })
  expect([huge.status, huge.errors]).toMatchObject([413, [{ path: null, code: 'too-large' }]])
  const broken = await user.call(endpoints.add, { payload: 'no form at all', headers })
  expect([broken.status, broken.errors[0]?.code]).toEqual([400, 'bad-request'])
  expect((await user.call(endpoints.list)).body.content).toEqual([])
})

test('a report has its subject, the page it was written on, and up to five files', async () => {
  const api = await testApi()
  await api.station()
  const user = await api.as('Tickets')
  const bytes = await createImage('png')
  const fields = {
    title: 'Waga',
    description: 'x',
    locationId: '7',
    laneNumber: '2',
    sign: 'Z1',
    page: '/archival?step=4',
    version: '0.1.0',
    listRequests: '12',
  }
  const files = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `${at}.png`, bytes }))
  const { body, status } = await user.call(endpoints.add, form(fields, ...files(5)))
  expect(status).toBe(200)
  expect(body).toMatchObject({
    title: 'Waga',
    location: { id: 7, shortName: 'S8 Test' },
    laneNumber: 2,
    sign: 'Z1',
    healthKind: null,
    context: { page: '/archival?step=4', version: '0.1.0', listRequests: 12 },
  })
  expect(body.attachments.map(({ number, name }) => [number, name])).toEqual([
    [1, '0.png'],
    [2, '1.png'],
    [3, '2.png'],
    [4, '3.png'],
    [5, '4.png'],
  ])
  const refused = async (change: object, count = 1) =>
    (await user.call(endpoints.add, form({ ...fields, ...change }, ...files(count)))).errors[0]
  expect(await refused({}, 6)).toMatchObject({ path: 'attachment', code: 'list-too-long' })
  expect(await refused({ locationId: '99' })).toMatchObject({ path: 'locationId', code: 'location-not-found' })
  expect(await refused({ laneNumber: '9' })).toMatchObject({ path: 'laneNumber', code: 'invalid-value' })
  expect(await refused({ locationId: '' })).toMatchObject({ path: 'locationId' })
})

test('adds files to a ticket: five per request, 20 in total, without duplicates, under concurrency', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const photo = (shade: number) =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: { r: shade, g: 0, b: 0 } } })
      .png()
      .toBuffer()
  const files = (from: number, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, at) => ({ name: `${from + at}.png`, bytes: await photo(from + at) })),
    )
  const { body: ticket } = await user.call(endpoints.add, form({ description: 'x' }, ...(await files(1, 1))))
  const addTo = (id: number, who: typeof user, sent: Awaited<ReturnType<typeof files>>) =>
    who.call(endpoints.addAttachments, { ...form({}, ...sent), params: { id } })
  const add = async (from: number, count: number, who = user) => addTo(ticket.id, who, await files(from, count))

  const onDisk = openFiles(api.app.api.config)
  const pathOf = async (shade: number) => {
    const digest = createHash('sha256')
      .update(await photo(shade))
      .digest('hex')
    return `tickets/${digest.slice(0, 2)}/${digest}`
  }
  const isStored = async (shade: number) => (await onDisk.get(await pathOf(shade))) !== null
  // The folder outlives a run that failed.
  for (const shade of [30, 31]) await onDisk.remove(await pathOf(shade))

  api.clock.now = new Date('2026-10-20T08:01:00Z')
  const added = await add(2, 5)
  expect(added.body.attachments.map(({ number, name }) => `${number} ${name}`)).toEqual(
    [1, 2, 3, 4, 5, 6].map((at) => `${at} ${at}.png`),
  )
  expect(added.body.version).toBe(ticket.version)
  const fetched = await user.call(endpoints.attachment, { params: { id: ticket.id }, query: { number: 6 } })
  expect(fetched.bytes.equals(await photo(6))).toBe(true)
  // A retry after a lost response.
  expect((await add(2, 5)).body.attachments).toHaveLength(6)

  const other = await api.as('Tickets')
  await Promise.all([add(7, 5), add(12, 5, other)])
  expect((await add(17, 4)).body.attachments.map(({ number }) => number)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  const refused = async (answer: ReturnType<typeof addTo>) => {
    const { status, errors } = await answer
    return [status, errors[0]?.path, errors[0]?.code]
  }
  expect(await refused(add(30, 1))).toEqual([422, 'attachment', 'too-many-attachments'])
  expect(await refused(add(30, 6))).toEqual([422, 'attachment', 'list-too-long'])
  expect(await refused(add(30, 0))).toEqual([400, 'attachment', 'required-parameter-missing'])
  expect(await refused(addTo(999, user, await files(1, 1)))).toEqual([404, null, 'ticket-not-found'])
  const svg = { name: 'x.png', bytes: Buffer.from(SVG) }
  expect(await refused(addTo(ticket.id, user, [...(await files(30, 3)), svg]))).toEqual([
    415,
    'attachment',
    'attachment-kind-not-accepted',
  ])
  // Refused files are not stored.
  expect(await Promise.all([20, 30, 31].map(isStored))).toEqual([true, false, false])
  const json = { params: { id: ticket.id }, body: {} as never }
  expect(await refused(user.call(endpoints.addAttachments, json))).toEqual([400, null, 'bad-request'])

  const { body: events } = await user.call(endpoints.history, { params: { id: ticket.id } })
  const [report, first, ...rest] = events
  expect(report).toMatchObject({ isNew: true, addedFiles: [] })
  expect(first).toEqual({
    at: '2026-10-20T08:01:00.000Z',
    by: user.username,
    kind: 'portal',
    isNew: false,
    changes: [],
    addedFiles: ['2.png', '3.png', '4.png', '5.png', '6.png'],
  })
  expect(rest.map(({ addedFiles }) => addedFiles.length)).toEqual([5, 5, 4])
})
