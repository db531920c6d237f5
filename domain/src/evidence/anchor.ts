/** The end of a chain: of a log, or of the seals of a station. Hash in hexadecimal digits. */
export type ChainHead = { chain: string; locationId: number | null; seq: number; hash: string }

/** The ends of all chains at a time. `previous`: SHA-256 of the text of the anchor before; 64 zeros before the first. */
export type Anchor = { number: number; at: Date; previous: string; heads: readonly ChainHead[] }

/** The text that is copied and stamped. */
export const anchorText = ({ number, at, previous, heads }: Anchor): string =>
  [
    `anchor ${number}`,
    `at ${at.toISOString()}`,
    `previous ${previous}`,
    ...heads.map(({ chain, locationId, seq, hash }) =>
      [chain, ...(locationId === null ? [] : [locationId]), seq, hash].join(' '),
    ),
    '',
  ].join('\n')

const HEADER = /^anchor (\d+)\nat (\S+)\nprevious ([0-9a-f]{64})\n/
const HEAD = /^([a-z]+) (?:(\d+) )?(\d+) ([0-9a-f]{64})$/

/** Null if the text is not that of an anchor. */
export function parseAnchor(text: string): Anchor | null {
  const [header = '', number, at = '', previous = ''] = HEADER.exec(text) ?? []
  if (header === '' || !text.endsWith('\n')) return null
  const lines = text.slice(header.length).split('\n').slice(0, -1)
  const heads = lines.map((line) => {
    const [, chain = '', locationId, seq, hash = ''] = HEAD.exec(line) ?? []
    return { chain, locationId: locationId === undefined ? null : Number(locationId), seq: Number(seq), hash }
  })
  const anchor = { number: Number(number), at: new Date(at), previous, heads }
  if (Number.isNaN(anchor.at.getTime()) || heads.some(({ chain }) => chain === '')) return null
  return anchorText(anchor) === text ? anchor : null
}

/** The beginning of the line of a head. */
const CUT_HEAD = /^[a-z]*(?: [\d ]*[0-9a-f]*)?$/

/** The anchor of the whole lines of a text that ends within a line, after the first three; null if it is not such a text. */
export function parseCutAnchor(text: string): Anchor | null {
  const end = text.lastIndexOf('\n') + 1
  return end < text.length && CUT_HEAD.test(text.slice(end)) ? parseAnchor(text.slice(0, end)) : null
}

/** An anchor is due once a day, in UTC, and after so many lines of the audit log. */
export const ANCHOR_LINES = 10_000

/** Whether another anchor is due. `last` null: there is none. */
export const isAnchorDue = (last: { at: Date; auditSeq: number } | null, auditSeq: number, now: Date): boolean =>
  last === null || dayOf(now) > dayOf(last.at) || auditSeq - last.auditSeq >= ANCHOR_LINES

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
