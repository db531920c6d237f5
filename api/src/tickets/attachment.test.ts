import * as endpoints from '@rogatka/contract/tickets.ts'
import { MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { filesOnDisk } from '../core/files-disk.ts'
import { Refusal } from '../core/refusal.ts'
import { testApi } from '../core/testing.ts'
import { disposition, keepAttachment, safeName } from './attachment.ts'
import { form } from './testing.ts'

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif') =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#14508c' } })
    .toFormat(format)
    .toBuffer()

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

/** Stores in memory; answers what was stored, or the code and status of the refusal. */
async function verdict(name: string, bytes: Buffer) {
  const stored: string[] = []
  const files = { ...filesOnDisk('/nowhere', 0), put: async (path: string) => void stored.push(path) }
  try {
    const { sha256: _, ...kept } = await keepAttachment(files, { name, bytes })
    return { ...kept, stored: stored.length }
  } catch (error) {
    if (!(error instanceof Refusal) || stored.length > 0) throw error
    return [error.message, error.status]
  }
}

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  'a picture in %s is kept under what it is, whatever it was called',
  async (format) => {
    const bytes = await picture(format)
    const name = `szafa.${format === 'jpeg' ? 'jpg' : format}`
    expect(await verdict('szafa.exe', bytes)).toEqual({ name, type: `image/${format}`, size: bytes.length, stored: 1 })
  },
)

test('a PDF is kept', async () => {
  const bytes = await pdf()
  expect(await verdict('protokół.pdf', bytes)).toEqual({
    name: 'protokół.pdf',
    type: 'application/pdf',
    size: bytes.length,
    stored: 1,
  })
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
    'an SVG behind blanks',
    async () => Buffer.from(`\n  <?xml version="1.0"?>${SVG}`),
    'attachment-kind-not-accepted',
    415,
  ],
  ['nothing', async () => Buffer.alloc(0), 'attachment-kind-not-accepted', 415],
  [
    'a program behind the first bytes of a PNG',
    async () => Buffer.from('\x89PNG\r\n\x1a\nMZ\x90\0', 'latin1'),
    'attachment-damaged',
    422,
  ],
  ['half a JPEG', async () => (await picture('jpeg')).subarray(0, 250), 'attachment-damaged', 422],
  ['half a PNG', async () => (await picture('png')).subarray(0, -20), 'attachment-damaged', 422],
  [
    'a PNG with an SVG behind it',
    async () => Buffer.concat([await picture('png'), Buffer.from(SVG)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a PNG with anything behind it',
    async () => Buffer.concat([await picture('png'), Buffer.from('x')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a WebP with anything behind it',
    async () => Buffer.concat([await picture('webp'), Buffer.from('xx')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a JPEG with a script behind it',
    async () => Buffer.concat([await picture('jpeg'), Buffer.from(script)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a GIF with a zip behind it',
    async () => Buffer.concat([await picture('gif'), Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    'attachment-not-harmless',
    422,
  ],
  ['half a PDF', async () => (await pdf()).subarray(0, 400), 'attachment-damaged', 422],
  ['a PDF in name only', async () => Buffer.from(`%PDF-1.7\n${SVG}\nstartxref 5 %%EOF`), 'attachment-damaged', 422],
  [
    'a PDF that runs something when it is opened',
    () =>
      pdf((document) => {
        const root = (document as unknown as { _root: { data: Record<string, unknown> } })._root
        root.data.OpenAction = { S: 'JavaScript', JS: new String('app.alert(1)') }
      }),
    'attachment-not-harmless',
    422,
  ],
  [
    '11 MB',
    async () => Buffer.concat([await picture('jpeg'), Buffer.alloc(MAX_ATTACHMENT_BYTES)]),
    'attachment-too-large',
    413,
  ],
] as const)('%s is refused and not stored', async (_, bytes, code, status) => {
  expect(await verdict('szafa.png', await bytes())).toEqual([code, status])
})

test('a name keeps its letters and loses all that means something to a system', () => {
  expect(safeName('Zdjęcie szafy (1).JPEG', 'image/jpeg')).toBe('Zdjęcie szafy (1).jpg')
  expect(safeName('../../etc/passwd', 'image/png')).toBe('passwd.png')
  expect(safeName('C:\\Users\\a\\b.png', 'image/png')).toBe('b.png')
  expect(safeName('a"b\r\nset-cookie: x.png', 'image/png')).toBe('a_b__set-cookie_ x.png')
  expect(safeName('...', 'application/pdf')).toBe('attachment.pdf')
  expect(disposition('żółć.png')).toBe(`attachment; filename="zoc.png"; filename*=UTF-8''%C5%BC%C3%B3%C5%82%C4%87.png`)
})

test('a report with a file is a form; the file comes back as a download that no browser shows', async () => {
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

test('a refused file leaves no ticket, and 100 MB are not even read', async () => {
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
