import { setImmediate } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'
import * as endpoints from '@rogatka/contract/tickets.ts'
import { MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { filesOnDisk } from '../core/files-disk.ts'
import { Refusal } from '../core/refusal.ts'
import { testApi } from '../testing/test-api.ts'
import { contentDisposition, safeName, storeAttachment } from './attachment.ts'
import { form } from './testing.ts'

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#14508c' } })
    .toFormat(format)
    .toBuffer()

const PHOTO = await picture('jpeg')

async function pdf(draw: (document: PDFKit.PDFDocument) => void = () => {}): Promise<Buffer> {
  const document = new PDFDocument()
  const parts: Buffer[] = []
  document.on('data', (part) => parts.push(part))
  document.text('Protokół')
  draw(document)
  document.end()
  await new Promise((resolve) => document.on('end', resolve))
  return Buffer.concat(parts)
}

/** Stores in memory; returns the stored file, or code and status of the refusal. */
async function verdict(name: string, bytes: Buffer) {
  const stored: string[] = []
  const files = { ...filesOnDisk('/nowhere', 0, 1_000), put: async (path: string) => void stored.push(path) }
  try {
    const { sha256: _, ...kept } = await storeAttachment(files, { name, bytes })
    return { ...kept, stored: stored.length }
  } catch (error) {
    if (!(error instanceof Refusal) || stored.length > 0) throw error
    return [error.message, error.status]
  }
}

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  'stores a %s image under its true type, whatever its name',
  async (format) => {
    const bytes = await picture(format)
    const name = `szafa.${format === 'jpeg' ? 'jpg' : format}`
    expect(await verdict('szafa.exe', bytes)).toEqual({ name, type: `image/${format}`, size: bytes.length, stored: 1 })
  },
)

test.each([
  ['a progressive JPEG', () => sharp(PHOTO).jpeg({ progressive: true }).toBuffer()],
  [
    'a JPEG with an end marker in its metadata',
    () =>
      sharp(PHOTO)
        .withExif({ IFD0: { Copyright: '\xff\xd9' } })
        .jpeg()
        .toBuffer(),
  ],
  ['an interlaced PNG with a palette', () => sharp(PHOTO).png({ progressive: true, palette: true }).toBuffer()],
  [
    'an animated GIF',
    () =>
      sharp(Buffer.alloc(60 * 40 * 3, 7), { raw: { width: 60, height: 40, channels: 3, pageHeight: 20 } })
        .gif({ loop: 0 })
        .toBuffer(),
  ],
] as const)('stores %s', async (_, bytes) => {
  expect(await verdict('x', await bytes())).toMatchObject({ stored: 1 })
})

test('stores a PDF', async () => {
  const bytes = await pdf()
  expect(await verdict('protokół.pdf', bytes)).toEqual({
    name: 'protokół.pdf',
    type: 'application/pdf',
    size: bytes.length,
    stored: 1,
  })
})

const zipped = (text: string) => deflateSync(Buffer.from(text, 'latin1'))
type Stored = { dictionary: string; data: Buffer }

/** A PDF (ISO 32000) of these objects, numbered from 1, the first being the catalogue. */
function written(objects: (string | Stored)[], trailer = ''): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const places = objects.map((one, at) => {
    const place = text.length
    const body =
      typeof one === 'string'
        ? one
        : `<<${one.dictionary}/Length ${one.data.length}>>\nstream\n${one.data.toString('latin1')}\nendstream`
    text += `${at + 1} 0 obj\n${body}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  text += `trailer\n<</Size ${objects.length + 1}/Root 1 0 R${trailer}>>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
const PAGES = ['<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>']
const page = (content: string, more: (string | Stored)[] = [], catalogue = '') =>
  written([
    `<</Type/Catalog/Pages 2 0 R${catalogue}>>`,
    ...PAGES,
    { dictionary: '', data: Buffer.from(content, 'latin1') },
    ...more,
  ])
const packed = (text: string, dictionary = '', data?: Buffer): Stored => ({
  dictionary: `/Type/ObjStm/N 1/First 4/Filter/FlateDecode${dictionary}`,
  data: data ?? zipped(`9 0 ${text}`),
})

test.each([
  ['with script names in a content stream', async () => page('q /JS Do /JavaScript Do Q\n')],
  ['with stream keywords in a stream', async () => page('(endstream endobj 9 0 obj (unclosed /JS) Tj')],
  [
    'with script names in strings',
    async () => page('', ['<</Title (How /JS and /JavaScript \\( work)/Subject <2f4a53>>>']),
  ],
  ['with script names in a comment', async () => page('', ['<</Title (x) % /JS\n>>'])],
  ['with names that only share a prefix', async () => page('', ['<</JSX 1/Launched 2/XFA2 3/EmbeddedFilesystem 4>>'])],
  ['with a harmless object stream', async () => page('', [packed('<</Title (/JS)/Kind/Info>>')])],
  [
    'with an object stream whose filter is an array',
    async () => page('', [{ ...packed('<<>>'), dictionary: '/Type/ObjStm/N 1/First 4/Filter[/FlateDecode]' }]),
  ],
  ['with white space after its end', async () => Buffer.concat([await pdf(), Buffer.from('\r\n\0\0')])],
  ['with images', async () => pdf((document) => void document.image(PHOTO).image(PHOTO, { width: 80 }))],
  [
    'with links, an outline and metadata',
    async () =>
      pdf((document) => {
        document.outline.addItem('JavaScript /JS')
        document.text('x', { link: 'https://example.org/JS' })
        document.info.Title = '/JavaScript'
      }),
  ],
] as const)('accepts a harmless PDF %s', async (_, bytes) => {
  expect(await verdict('x.pdf', await bytes())).toMatchObject({ type: 'application/pdf', stored: 1 })
})

const ACTION = '/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>'
test.each([
  ['in plain names', async () => page('', [], ACTION)],
  ['in escaped names', async () => page('', [], ACTION.replaceAll('/J', '/#4a').replace('Script', '#53cript'))],
  ['with an escaped letter in the middle', async () => page('', [], '/OpenAction<</S/J#61vaScript>>')],
  ['in an object stream', async () => page('', [packed(`<<${ACTION}>>`)])],
  [
    'in an object stream without its type',
    async () => page('', [{ ...packed(`<<${ACTION}>>`), dictionary: '/N 1/First 4/Filter/Fl' }]),
  ],
  [
    'in an object stream without compression',
    async () => page('', [{ dictionary: '/Type/ObjStm/N 1/First 4', data: Buffer.from(`9 0 <<${ACTION}>>`) }]),
  ],
  [
    'in an object stream compressed twice',
    async () =>
      page('', [
        packed('', '', zipped('x')),
        {
          dictionary: '/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]',
          data: deflateSync(zipped(`9 0 <<${ACTION}>>`)),
        },
      ]),
  ],
  ['in an object stream after a false end marker', async () => page('', [packed(`<</A(endstream)${ACTION}>>`)])],
  ['after an unclosed string', async () => page('', ['(open ', `<<${ACTION}>>`])],
  ['after a false end of a stream', async () => page('endstream (', [`<<${ACTION}>>`])],
  [
    'after a comment between object numbers',
    async () =>
      Buffer.from((await page('', [`<<${ACTION}>>`])).toString('latin1').replace('5 0 obj', '5 0%\nobj'), 'latin1'),
  ],
  [
    'in the trailer',
    async () => written(['<</Type/Catalog/Pages 2 0 R>>', ...PAGES, { dictionary: '', data: Buffer.alloc(0) }], ACTION),
  ],
  [
    'in an object stream that inflates to 65 MB',
    async () => page('', [packed('', '', deflateSync(Buffer.alloc(65 * 1024 * 1024, 32)))]),
  ],
  ['as an embedded file', () => pdf((document) => void document.file(Buffer.from('MZ'), { name: 'a.exe' }))],
  ['as an XFA form', async () => page('', [], '/AcroForm<</#58FA 5 0 R>>')],
] as const)('refuses a PDF with active content %s', async (_, bytes) => {
  expect(await verdict('x.pdf', await bytes())).toEqual(['attachment-not-harmless', 422])
})

const MB = 1024 * 1024
test.each([
  ['in plain objects', () => page('', ['['.repeat(9 * MB)])],
  ['in an object stream', () => page('', [packed('['.repeat(15 * MB))])],
  ['in many object streams', () => page('', Array(40).fill(packed(`(${' '.repeat(MB)})`)))],
  ['in consecutive comments', () => page('', ['9 0 obj<</First 1>>%'.repeat(0.4 * MB)])],
  ['in unterminated object streams', () => page('', ['9 0 obj<</First 1/N 1/Length 0>>stream\n'.repeat(0.2 * MB)])],
] as const)('refuses a PDF with too much content %s', async (_, bytes) => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const refused = await user.call(endpoints.add, form({ description: 'x' }, { name: 'x.pdf', bytes: bytes() }))
  expect([refused.status, refused.errors[0]?.code]).toEqual([422, 'attachment-not-harmless'])
})

test('accepts a large harmless PDF without blocking the event loop', async () => {
  const bytes = page('', [packed(`[${'<</A[1 0 R]/B(x)>>'.repeat(100_000)}]`), `[${'[1 2]/N'.repeat(500_000)}]`])
  const order: string[] = []
  const kept = verdict('x.pdf', bytes).then(() => order.push('kept'))
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  order.push('others')
  await kept
  expect(order).toEqual(['others', 'kept'])
})

/** A PNG of one colour: a few KB that decode to width × height × 3 bytes. */
const bomb = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' }, limitInputPixels: false })
    .png()
    .toBuffer()

test('refuses an image of more than 256 MB of pixels before decoding it', async () => {
  // 9,460 x 9,460 x 3 = 268,474,800 bytes; 256 MB are 268,435,456.
  expect(await verdict('x.png', await bomb(9_460, 9_460))).toEqual(['picture-too-large', 422])
  // Only the header claims 60,000 x 60,000.
  const header = Buffer.from(await picture('png'))
  header.writeUInt32BE(60_000, 16)
  header.writeUInt32BE(60_000, 20)
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29)
  expect((await verdict('x.png', header))[0 as never]).toMatch(/picture-too-large|attachment-damaged/)
})

const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const script = '<script>alert(1)</script>'

test.each([
  [
    'a program called .png',
    async () => Buffer.from('MZ\x90\0\x03 this program cannot be run'),
    'attachment-kind-not-accepted',
    415,
  ],
  ['an SVG', async () => Buffer.from(SVG), 'attachment-kind-not-accepted', 415],
  [
    'an SVG after white space',
    async () => Buffer.from(`\n  <?xml version="1.0"?>${SVG}`),
    'attachment-kind-not-accepted',
    415,
  ],
  ['an empty file', async () => Buffer.alloc(0), 'attachment-kind-not-accepted', 415],
  [
    'a program after a PNG signature',
    async () => Buffer.from('\x89PNG\r\n\x1a\nMZ\x90\0', 'latin1'),
    'attachment-damaged',
    422,
  ],
  ['a truncated JPEG', async () => (await picture('jpeg')).subarray(0, 250), 'attachment-damaged', 422],
  ['a truncated PNG', async () => (await picture('png')).subarray(0, -20), 'attachment-damaged', 422],
  [
    'a PNG with an appended SVG',
    async () => Buffer.concat([await picture('png'), Buffer.from(SVG)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a PNG with an appended byte',
    async () => Buffer.concat([await picture('png'), Buffer.from('x')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a WebP with appended bytes',
    async () => Buffer.concat([await picture('webp'), Buffer.from('xx')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a JPEG with an appended script',
    async () => Buffer.concat([await picture('jpeg'), Buffer.from(script)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a GIF with an appended ZIP',
    async () => Buffer.concat([await picture('gif'), Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a JPEG with an appended program',
    async () => Buffer.concat([await picture('jpeg'), Buffer.from('MZ\x90\0')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a GIF with an appended byte',
    async () => Buffer.concat([await picture('gif'), Buffer.from('x')]),
    'attachment-not-harmless',
    422,
  ],
  ['a truncated GIF', async () => (await picture('gif')).subarray(0, -8), 'attachment-damaged', 422],
  ['a truncated PDF', async () => (await pdf()).subarray(0, 400), 'attachment-damaged', 422],
  [
    'an SVG between PDF markers',
    async () => Buffer.from(`%PDF-1.7\n${SVG}\nstartxref 5 %%EOF`),
    'attachment-damaged',
    422,
  ],
  [
    'a PDF with an open action',
    () =>
      pdf((document) => {
        const root = (document as unknown as { _root: { data: Record<string, unknown> } })._root
        root.data.OpenAction = { S: 'JavaScript', JS: new String('app.alert(1)') }
      }),
    'attachment-not-harmless',
    422,
  ],
  [
    'a file above the size limit',
    async () => Buffer.concat([await picture('jpeg'), Buffer.alloc(MAX_ATTACHMENT_BYTES)]),
    'attachment-too-large',
    413,
  ],
] as const)('refuses %s and stores nothing', async (_, bytes, code, status) => {
  expect(await verdict('szafa.png', await bytes())).toEqual([code, status])
})

test('a file name keeps its letters and loses paths and control characters', () => {
  expect(safeName('Zdjęcie szafy (1).JPEG', 'image/jpeg')).toBe('Zdjęcie szafy (1).jpg')
  expect(safeName('../../etc/passwd', 'image/png')).toBe('passwd.png')
  expect(safeName('C:\\Users\\a\\b.png', 'image/png')).toBe('b.png')
  expect(safeName('a"b\r\nset-cookie: x.png', 'image/png')).toBe('a_b__set-cookie_ x.png')
  expect(safeName('...', 'application/pdf')).toBe('attachment.pdf')
  expect(contentDisposition('żółć.png')).toBe(
    `attachment; filename="zoc.png"; filename*=UTF-8''%C5%BC%C3%B3%C5%82%C4%87.png`,
  )
})

test('accepts a report with a file as a form, and returns the file as a download', async () => {
  const api = await testApi()
  const user = await api.as('Tickets')
  const bytes = await picture('png')
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
  const bytes = await picture('png')
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
  const svg = [{ name: 'x.png', bytes: Buffer.from(SVG) }]
  expect(await refused(addTo(ticket.id, user, svg))).toEqual([415, 'attachment', 'attachment-kind-not-accepted'])
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
