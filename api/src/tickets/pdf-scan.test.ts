import { setImmediate } from 'node:timers/promises'
import { deflateSync } from 'node:zlib'
import * as endpoints from '@rogatka/contract/tickets.ts'
import { expect, test } from 'vitest'
import { testApi } from '../testing/test-api.ts'
import { checkAttachment, createPdf, form, JPEG } from './testing.ts'

const zipped = (text: string) => deflateSync(Buffer.from(text, 'latin1'))
type PdfStream = { dictionary: string; data: Buffer }

/** A PDF (ISO 32000) of these objects, numbered from 1, the first being the catalogue. */
function written(objects: (string | PdfStream)[], trailer = ''): Buffer {
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

const page = (content: string, more: (string | PdfStream)[] = [], catalogue = '') =>
  written([
    `<</Type/Catalog/Pages 2 0 R${catalogue}>>`,
    ...PAGES,
    { dictionary: '', data: Buffer.from(content, 'latin1') },
    ...more,
  ])

const packed = (text: string, dictionary = '', data?: Buffer): PdfStream => ({
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
  ['with white space after its end', async () => Buffer.concat([await createPdf(), Buffer.from('\r\n\0\0')])],
  ['with images', async () => createPdf((document) => void document.image(JPEG).image(JPEG, { width: 80 }))],
  [
    'with links, an outline and metadata',
    async () =>
      createPdf((document) => {
        document.outline.addItem('JavaScript /JS')
        document.text('x', { link: 'https://example.org/JS' })
        document.info.Title = '/JavaScript'
      }),
  ],
] as const)('accepts a harmless PDF %s', async (_, bytes) => {
  expect(await checkAttachment('x.pdf', await bytes())).toMatchObject({ type: 'application/pdf', stored: 1 })
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
  ['as an embedded file', () => createPdf((document) => void document.file(Buffer.from('MZ'), { name: 'a.exe' }))],
  ['as an XFA form', async () => page('', [], '/AcroForm<</#58FA 5 0 R>>')],
] as const)('refuses a PDF with active content %s', async (_, bytes) => {
  expect(await checkAttachment('x.pdf', await bytes())).toEqual(['attachment-not-harmless', 422])
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
  const kept = checkAttachment('x.pdf', bytes).then(() => order.push('kept'))
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  order.push('others')
  await kept
  expect(order).toEqual(['others', 'kept'])
})
