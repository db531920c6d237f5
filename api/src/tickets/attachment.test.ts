import { crc32 } from 'node:zlib'
import { MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withScans } from '../testing/jpeg.ts'
import { contentDisposition, safeName } from './attachment.ts'
import { checkAttachment, createImage, createPdf, JPEG, SVG } from './testing.ts'

test.each(['jpeg', 'png', 'webp', 'gif'] as const)(
  'stores a %s image under its true type, regardless of its name',
  async (format) => {
    const bytes = await createImage(format)
    const name = `szafa.${format === 'jpeg' ? 'jpg' : format}`
    expect(await checkAttachment('szafa.exe', bytes)).toEqual({
      name,
      type: `image/${format}`,
      size: bytes.length,
      stored: 1,
    })
  },
)

test.each([
  ['a progressive JPEG', () => sharp(JPEG).jpeg({ progressive: true }).toBuffer()],
  [
    'a JPEG with an end marker in its metadata',
    () =>
      sharp(JPEG)
        .withExif({ IFD0: { Copyright: '\xff\xd9' } })
        .jpeg()
        .toBuffer(),
  ],
  ['an interlaced PNG with a palette', () => sharp(JPEG).png({ progressive: true, palette: true }).toBuffer()],
  [
    'an animated GIF',
    () =>
      sharp(Buffer.alloc(60 * 40 * 3, 7), { raw: { width: 60, height: 40, channels: 3, pageHeight: 20 } })
        .gif({ loop: 0 })
        .toBuffer(),
  ],
] as const)('stores %s', async (_, bytes) => {
  expect(await checkAttachment('x', await bytes())).toMatchObject({ stored: 1 })
})

test('stores a PDF', async () => {
  const bytes = await createPdf()
  expect(await checkAttachment('protokół.pdf', bytes)).toEqual({
    name: 'protokół.pdf',
    type: 'application/pdf',
    size: bytes.length,
    stored: 1,
  })
})

/** A PNG of one colour: a few KB that decode to width × height × 3 bytes. */
const bomb = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#fff' }, limitInputPixels: false })
    .png()
    .toBuffer()

test('refuses an image of more than 256 MB of pixels before decoding it', async () => {
  // 9,460 x 9,460 x 3 = 268,474,800 bytes; 256 MB are 268,435,456.
  expect(await checkAttachment('x.png', await bomb(9_460, 9_460))).toEqual(['picture-too-large', 422])
  // Only the header claims 60,000 x 60,000.
  const header = Buffer.from(await createImage('png'))
  header.writeUInt32BE(60_000, 16)
  header.writeUInt32BE(60_000, 20)
  header.writeUInt32BE(crc32(header.subarray(12, 29)), 29)
  expect((await checkAttachment('x.png', header))[0 as never]).toMatch(/picture-too-large|attachment-damaged/)
})

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
  ['a truncated JPEG', async () => (await createImage('jpeg')).subarray(0, 250), 'attachment-damaged', 422],
  ['a JPEG of more than 100 scans', () => withScans(101), 'attachment-damaged', 422],
  ['a truncated PNG', async () => (await createImage('png')).subarray(0, -20), 'attachment-damaged', 422],
  [
    'a PNG with an appended SVG',
    async () => Buffer.concat([await createImage('png'), Buffer.from(SVG)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a PNG with an appended byte',
    async () => Buffer.concat([await createImage('png'), Buffer.from('x')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a WebP with appended bytes',
    async () => Buffer.concat([await createImage('webp'), Buffer.from('xx')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a JPEG with an appended script',
    async () => Buffer.concat([await createImage('jpeg'), Buffer.from(script)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a GIF with an appended ZIP',
    async () => Buffer.concat([await createImage('gif'), Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a JPEG with an appended program',
    async () => Buffer.concat([await createImage('jpeg'), Buffer.from('MZ\x90\0')]),
    'attachment-not-harmless',
    422,
  ],
  [
    'a GIF with an appended byte',
    async () => Buffer.concat([await createImage('gif'), Buffer.from('x')]),
    'attachment-not-harmless',
    422,
  ],
  ['a truncated GIF', async () => (await createImage('gif')).subarray(0, -8), 'attachment-damaged', 422],
  ['a truncated PDF', async () => (await createPdf()).subarray(0, 400), 'attachment-damaged', 422],
  [
    'an SVG between PDF markers',
    async () => Buffer.from(`%PDF-1.7\n${SVG}\nstartxref 5 %%EOF`),
    'attachment-damaged',
    422,
  ],
  [
    'a PDF with an open action',
    () =>
      createPdf((document) => {
        const root = (document as unknown as { _root: { data: Record<string, unknown> } })._root
        root.data.OpenAction = { S: 'JavaScript', JS: new String('app.alert(1)') }
      }),
    'attachment-not-harmless',
    422,
  ],
  [
    'a file above the size limit',
    async () => Buffer.concat([await createImage('jpeg'), Buffer.alloc(MAX_ATTACHMENT_BYTES)]),
    'attachment-too-large',
    413,
  ],
] as const)('refuses %s and stores nothing', async (_, bytes, code, status) => {
  expect(await checkAttachment('szafa.png', await bytes())).toEqual([code, status])
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
