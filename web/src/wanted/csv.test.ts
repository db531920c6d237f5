import { describe, expect, test } from 'vitest'
import { contactRows, plateRows, rowsOf, textOfFile } from './csv.ts'

const plates = (text: string) => rowsOf(text, plateRows)
const errorsOf = async (text: string) =>
  (await plates(text)).rejected.map((row) => [row.line, 'error' in row ? row.error : row.message])

describe('a file of plates', () => {
  test('accepts a header, a byte order mark, an Excel separator line and blank lines', async () => {
    const { valid, rejected } = await plates(
      '\uFEFFsep=;\r\nTablica;Opis\r\n\r\nWX 1;Kradzież\r\n;\r\npo-2; Przemyt ;;\r\n',
    )
    expect(rejected).toEqual([])
    expect(valid).toEqual([
      { line: 4, plate: 'WX 1', description: 'Kradzież', expiresAt: null, allowMisread: false },
      { line: 6, plate: 'po-2', description: 'Przemyt', expiresAt: null, allowMisread: false },
    ])
  })

  test('keeps semicolons, quotes and broken lines of quoted texts', async () => {
    const { valid, rejected } = await plates('WX1;"a;b ""c"""\nWX2;"first\nsecond"\nWX3;plain')
    expect(rejected).toEqual([])
    expect(valid.map(({ line, description }) => [line, description])).toEqual([
      [1, 'a;b "c"'],
      [2, 'first second'],
      [4, 'plain'],
    ])
  })

  test('reports errors by row and accepts the other rows', async () => {
    const text = [
      'WX1;good',
      ';no plate',
      'WX2;',
      'WX3',
      'WX4;a;31.12.2026;tak;b',
      'WX*;wildcard',
      `WX5;${'x'.repeat(101)}`,
      `${'W'.repeat(21)};too long`,
      'wx-1;the same',
      'WX6;"open',
      'WX7;"good"',
      'WX8;a "quote" within',
      'WX9;nul\u0000',
      'WX10;good',
    ].join('\n')
    expect(await errorsOf(text)).toEqual([
      [2, 'missing-plate'],
      [3, 'missing-description'],
      [4, 'too-few-columns'],
      [5, 'too-many-columns'],
      [6, 'incorrect-plate'],
      [7, 'text-too-long'],
      [8, 'text-too-long'],
      [9, 'twice-in-file'],
      [10, 'broken-quotes'],
      [13, 'broken-characters'],
    ])
    expect((await plates(text)).valid.map(({ plate }) => plate)).toEqual(['WX1', 'WX7', 'WX8', 'WX10'])
  })

  test('takes an end and whether misread characters count, in the languages of the portal', async () => {
    const { valid, rejected } = await plates(
      [
        'tablica;opis;ważny do;mylone znaki',
        // Polish time is one hour ahead of UTC in winter, two in summer.
        'WX1;a;31.12.2026;tak',
        'WX2;a;2026-07-01 14:30;nie',
        'WX3;a;2026-12-31 23:59:59;',
        'WX4;a;;JA',
        'WX5;a;1.7.2026',
        'WX6;a;31.02.2026;tak',
        'WX7;a;jutro;tak',
        'WX8;a;;może',
        'WX9;a;2026-01-01 25:00;',
      ].join('\n'),
    )
    expect(valid.map(({ expiresAt, allowMisread }) => [expiresAt, allowMisread])).toEqual([
      ['2026-12-31T22:59:59.000Z', true],
      ['2026-07-01T12:30:00.000Z', false],
      ['2026-12-31T22:59:59.000Z', false],
      [null, true],
      ['2026-07-01T21:59:59.000Z', false],
    ])
    expect(rejected.map((row) => 'error' in row && row.error)).toEqual([
      'unreadable-date',
      'unreadable-date',
      'unreadable-yes-no',
      'unreadable-date',
    ])
  })

  test('parses valid rows among ten thousand damaged ones, with an error for each other', async () => {
    const damage = [
      (n: number) => `;${n}`,
      (n: number) => `WX${n}`,
      (n: number) => `WX${n};"open`,
      (n: number) => `WX${n};${'y'.repeat(150)}`,
      () => 'WX0;the same',
      (n: number) => `W?${n};x`,
      (n: number) => `WX${n};bad \u0001`,
    ]
    const lines = Array.from({ length: 10_000 }, (_, n) =>
      n % 3 === 2 ? (damage[n % damage.length]?.(n) ?? '') : `WX${n};"Opis; nr ${n}"`,
    )
    const { valid, rejected } = await plates(lines.join('\r\n'))
    expect(valid.length + rejected.length).toBe(10_000)
    expect(valid).toHaveLength(lines.filter((_, n) => n % 3 !== 2).length)
    expect(valid.at(-1)).toMatchObject({ line: 10_000, plate: 'WX9999', description: 'Opis; nr 9999' })
    expect(rejected.every((row) => 'error' in row)).toBe(true)
  })
})

describe('a file of contacts', () => {
  test('takes the type as a number or as a word of any language', async () => {
    const text = [
      'typ;kontakt;opis',
      '0;a@example.org;x',
      'e-mail;b@example.org;x',
      '1;600 100 200;x',
      'Telefon;601100200;x',
      'telefonas;+48602100200;x',
      'phone;603 100 200;x',
    ].join('\n')
    const { valid, rejected } = await rowsOf(text, contactRows)
    expect(rejected).toEqual([])
    expect(valid.map(({ type }) => type)).toEqual([0, 0, 1, 1, 1, 1])
  })

  test('reports errors by row', async () => {
    const { valid, rejected } = await rowsOf(
      [
        'fax;600100200;x',
        '0;nobody;x',
        '1;a@example.org;x',
        '1;600100200;',
        '0;;x',
        '1;600 100 201;x',
        '1;+48600100201;x',
      ].join('\n'),
      contactRows,
    )
    expect(valid).toHaveLength(1)
    expect(rejected.map((row) => 'error' in row && row.error)).toEqual([
      'unknown-contact-type',
      'incorrect-email-address',
      'incorrect-phone-number',
      'missing-description',
      'missing-contact',
      'twice-in-file',
    ])
  })
})

test.each([
  ['UTF-8', [0xc5, 0xbc]],
  ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc5, 0xbc]],
  ['Windows-1250', [0xbf]],
  ['UTF-16, low byte first', [0xff, 0xfe, 0x7c, 0x01]],
  ['UTF-16, high byte first', [0xfe, 0xff, 0x01, 0x7c]],
])('%s is understood', (_, bytes) => expect(textOfFile(new Uint8Array(bytes)).replace('\uFEFF', '')).toBe('ż'))
