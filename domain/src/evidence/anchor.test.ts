import { expect, test } from 'vitest'
import { type Anchor, anchorText, isAnchorDue, parseAnchor, parseCutAnchor } from './anchor.ts'

const HASH = '4dbfd5ab61ffbcbadcb593ad5f49f44912cc00c86cf00257981c5d887c80a8fc'
const anchor: Anchor = {
  number: 12,
  at: new Date('2026-10-20T00:05:00.000Z'),
  previous: '0'.repeat(64),
  heads: [
    { chain: 'audit', locationId: null, seq: 12_345, hash: HASH },
    { chain: 'passages', locationId: 7, seq: 120, hash: HASH },
  ],
}
const text = `anchor 12
at 2026-10-20T00:05:00.000Z
previous ${'0'.repeat(64)}
audit 12345 ${HASH}
passages 7 120 ${HASH}
`

test('the text of an anchor has the ends of all chains, and is read again', () => {
  expect(anchorText(anchor)).toBe(text)
  expect(parseAnchor(text)).toEqual(anchor)
})

test.each([
  '',
  text.trimEnd(),
  text.replace('audit 12345', 'audit 012345'),
  text.replace('passages 7 120', 'passages  7 120'),
  text.replace('2026-10-20', '2026-13-20'),
  `${text}more\n`,
  text.toUpperCase(),
])('parseAnchor returns null for %j', (other) => {
  expect(parseAnchor(other)).toBeNull()
})

test('parseCutAnchor reads the whole lines of a text that ends within the line of a head', () => {
  const [audit, passages] = anchor.heads
  const cutAt = (mark: string, offset: number) => text.slice(0, text.indexOf(mark) + offset)
  for (const cut of [text.slice(0, -1), cutAt('passages', 3), cutAt('7 120', 0), cutAt('7 120', 3)])
    expect([cut, parseCutAnchor(cut)]).toEqual([cut, { ...anchor, heads: [audit] }])
  expect(parseCutAnchor(cutAt('audit', 8))).toEqual({ ...anchor, heads: [] })
  for (const other of [text, '', cutAt('previous', 20), `${text}${passages?.chain} Z`, `${text.toUpperCase()}a`])
    expect([other, parseCutAnchor(other)]).toEqual([other, null])
})

test.each([
  ['no anchor yet', null, 0, '2026-10-20T00:05:00Z', true],
  ['the same day', { at: anchor.at, auditSeq: 5 }, 10_004, '2026-10-20T23:59:59Z', false],
  ['the next day', { at: anchor.at, auditSeq: 5 }, 5, '2026-10-21T00:00:00Z', true],
  ['10,000 lines later', { at: anchor.at, auditSeq: 5 }, 10_005, '2026-10-20T00:06:00Z', true],
  ['a clock that was set back', { at: anchor.at, auditSeq: 5 }, 6, '2026-10-19T23:00:00Z', false],
] as const)('an anchor is due once a day and after 10,000 lines: %s', (_, last, seq, now, isDue) => {
  expect(isAnchorDue(last, seq, new Date(now))).toBe(isDue)
})
