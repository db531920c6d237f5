import type { Language } from '@rogatka/contract/languages.ts'
import { parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import type { Database } from '../core/database.ts'
import type { ZipEntry } from '../reports/public-api.ts'
import { anchorsSince } from './anchor-queries.ts'
import { type Chain, chains } from './chains.ts'
import { sha256 } from './cms.ts'
import {
  describeSheet,
  finishPackage,
  lineFiles,
  PACKAGE,
  type PackageSigning,
  stampFile,
  textFile,
} from './package.ts'
import { type ChainLine, listChainLines } from './proofs.ts'
import { sealedBetween } from './seal-queries.ts'
import { findStamp } from './stamp-queries.ts'
import { type LogPart, verifyLogGuide } from './verify-guide.ts'

/** Lines of a chain in a package at most: checking one line takes a shell some milliseconds. */
export const MAX_LOG_LINES = 10_000

const FILES: Record<string, Pick<LogPart, 'name' | 'links'>> = {
  access: { name: PACKAGE.access, links: PACKAGE.accessLinks },
  visits: { name: PACKAGE.visits, links: PACKAGE.visitLinks },
}

type ChainPart = LogPart & { lines: readonly ChainLine[] }

/** The sealed lines of the access trail in a range, in the order of their chains, and the anchor that has them. */
export type TrailPart = {
  parts: readonly ChainPart[]
  anchor: { number: number; text: string } | null
  /** The number of a line in the chain of the trail, by its id; undefined: it was not sealed yet. */
  numberOf: (id: number) => number | undefined
}

/** Lines of the chains of the trail in [from, to): those of its longest chain. */
export async function countTrailLines(db: Database, range: { from: Date; to: Date }): Promise<number> {
  const found = await findTrailRanges(db, range)
  return Math.max(0, ...found.map(({ first, last }) => last - first + 1))
}

async function findTrailRanges(db: Database, range: { from: Date; to: Date }) {
  const found: { chain: Chain; first: number; last: number }[] = []
  for (const chain of chains) {
    const between = chain.name in FILES ? await sealedBetween(db, chain.name, range) : undefined
    if (between) found.push({ chain, ...between })
  }
  return found
}

/** Reads the part of the access trail in [from, to), and goes on to the next anchor if that is near. */
export async function trailPart(db: Database, range: { from: Date; to: Date }): Promise<TrailPart> {
  const ranges = await findTrailRanges(db, range)
  const anchor = await findTrailAnchor(db, ranges, range.from)
  const parts: ChainPart[] = []
  for (const { chain, first, last: end } of ranges) {
    const head = anchor?.heads.find((head) => head.chain === chain.name)?.seq ?? 0
    const last = isNear(first, head) ? Math.max(end, head) : end
    const lines = await listChainLines(db, chain, { first, last })
    const names = FILES[chain.name]
    const begin = lines[0]?.seq
    if (!names || begin === undefined) continue
    const anchored = head >= begin && head <= last ? head : null
    parts.push({ chain: chain.name, ...names, first: begin, last: lines.at(-1)?.seq ?? begin, anchored, lines })
  }
  const numbers = new Map(parts.find(({ chain }) => chain === 'access')?.lines.map(({ id, seq }) => [id, seq]))
  return { parts, anchor, numberOf: (id) => numbers.get(id) }
}

const isNear = (first: number, head: number) => head - first < MAX_LOG_LINES

/** The first anchor with the whole part of the trail, if that is near; else the last one with some of it. */
async function findTrailAnchor(
  db: Database,
  ranges: readonly { chain: Chain; first: number; last: number }[],
  since: Date,
) {
  const trail = ranges.find(({ chain }) => chain.name === 'access')
  if (!trail) return null
  const anchors = (await anchorsSince(db, since)).flatMap(({ text }) => {
    const anchor = parseAnchor(text)
    const seq = anchor?.heads.find(({ chain }) => chain === 'access')?.seq ?? 0
    return anchor && seq >= trail.first ? [{ ...anchor, text, seq }] : []
  })
  const whole = anchors.find(({ seq }) => seq >= trail.last && isNear(trail.first, seq))
  return whole ?? anchors.findLast(({ seq }) => seq < trail.last) ?? null
}

export type TrailPackager = (
  db: Database,
  parts: TrailPart & { sheet: Buffer; language: Language; issuer: string; now: Date },
) => Promise<ZipEntry[]>

/** Makes the evidence of a part of the access trail: a sheet, and the lines with which their chain is checked. */
export const createTrailPackager =
  (signing: PackageSigning): TrailPackager =>
  async (db, { parts, anchor, sheet, language, issuer, now }) => {
    const stamp = anchor && (await findStamp(db, sha256(Buffer.from(anchor.text))))
    const guide = verifyLogGuide({
      ...{ language, issuer, now, parts, ...describeSheet(signing, sheet) },
      anchor: anchor ? { number: anchor.number, hasStamp: !!stamp } : 'none',
    })
    const files = [
      ...parts.flatMap(({ name, links, lines }) => lineFiles(lines, name, links)),
      ...(anchor ? [textFile(PACKAGE.anchor, anchor.text)] : []),
      ...(stamp ? [stampFile(PACKAGE.anchorStamp, stamp.token)] : []),
    ]
    return finishPackage(signing, { sheet, files, guide })
  }
