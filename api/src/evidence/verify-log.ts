import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import type { Database } from '../core/database.ts'
import { countQueued, findBackfill, isQueued, type LineKey } from '../core/log-queue.ts'
import { anchorsInOrder } from './anchor-queries.ts'
import { type Chain, chainHash, FIRST_HASH, lineText } from './chains.ts'
import type { LogLine, SealedLine } from './line-queries.ts'
import { findHead, firstSealSince, lastSealedId, type Seal, sealAt, sealsAfter, sealsOfLines } from './seal-queries.ts'
import { RECENT_IDS } from './sealing.ts'

/** Seals read at a time. */
const BATCH_SIZE = 10_000
/** A line is sealed this long after its time at most: an end of a visit has the time of its beginning. */
const MAX_LAG_MS = 7 * DAY_MS

/** Why a link does not hold. `seq` null: the line has no number. */
export type BrokenLink = LineKey & { seq: number | null; fault: string }

export type VerifiedChain = {
  /** Links that hold, from the first one verified. */
  links: number
  /** Those of them whose lines were removed after their retention: their hashes are taken as they are. */
  expired: number
  head: Seal | undefined
  /** The first link that does not hold. */
  broken: BrokenLink | null
  /** Lines that are to be sealed. */
  waiting: number
}

/** Where to begin: a number in the chain, or the time of a line. Null: at the beginning. */
export type VerifyFrom = number | Date | null

/**
 * Recomputes a chain from its lines, in batches, up to the first link that does not hold.
 * @param from the links before are not verified
 * @param now by which lines may have been removed after their retention
 */
export async function verifyChain(
  db: Database,
  chain: Chain,
  from: VerifyFrom = null,
  now = new Date(),
): Promise<VerifiedChain> {
  const first = from instanceof Date ? await firstSealSince(db, chain.name, from) : from
  let seq = Math.max(0, (first ?? 1) - 1)
  let previous = FIRST_HASH
  const start = seq
  let expired = 0
  const keptSince = chain.keptSince?.(now)
  let sealedAfter: ((seq: number) => number) | undefined
  /** Whether the line of a seal may have been removed after its retention. */
  const mayBeRemoved = async ({ seq, at }: Seal): Promise<boolean> => {
    if (!keptSince || at >= keptSince) return false
    // Otherwise a line could be removed by setting the time of its seal back.
    sealedAfter ??= await anchoredTimes(db, chain)
    return sealedAfter(seq) <= at.getTime() + MAX_LAG_MS
  }
  const end = (broken: BrokenLink | null, head: Seal | undefined, waiting: number) => ({
    links: seq - start,
    expired,
    head,
    broken,
    waiting,
  })
  // Before the seals: those that are inserted meanwhile are read, too.
  const waiting = await countQueued(db, chain.name)
  if (seq > 0) {
    const before = await sealAt(db, chain.name, seq)
    if (!before) return end(null, await findHead(db, chain.name), waiting)
    previous = before.hash
  }
  let head: Seal | undefined
  while (true) {
    const seals = await sealsAfter(db, chain.name, seq, BATCH_SIZE)
    if (seals.length === 0) break
    const lines = new Map((await chain.lines(db, seals)).map((line) => [line.id, line]))
    for (const seal of seals) {
      const line = lines.get(seal.id)
      const isRemoved = !line && (await mayBeRemoved(seal))
      const broken = brokenLink(seq + 1, seal, line, previous, isRemoved)
      if (broken) return end(broken, head, waiting)
      if (isRemoved) expired += 1
      seq = seal.seq
      previous = seal.hash
      head = seal
    }
  }
  return end(from === null ? await lineWithoutSeal(db, chain) : null, head, waiting)
}

/**
 * The time after which a link was sealed: that of the last anchor without it; 0 if there is none. Call it with ascending
 * numbers.
 */
async function anchoredTimes(db: Database, { name }: Chain): Promise<(seq: number) => number> {
  const ends = (await anchorsInOrder(db)).flatMap(({ text, at }) => {
    const end = parseAnchor(text)?.heads.find(({ chain }) => chain === name)
    return end ? [{ seq: end.seq, at: at.getTime() }] : []
  })
  let passed = 0
  return (seq) => {
    while ((ends[passed]?.seq ?? seq) < seq) passed += 1
    return ends[passed - 1]?.at ?? 0
  }
}

/** Why a seal does not belong to its line, or to the seal before; null if it does. */
function brokenLink(
  expected: number,
  seal: Seal,
  line: LogLine | undefined,
  previous: Buffer,
  isRemoved: boolean,
): BrokenLink | null {
  const { seq, id, at } = seal
  if (seq !== expected) return { seq: expected, id, at, fault: 'its seal is missing, the next one is of this line' }
  if (isRemoved) return null
  if (!line) return { seq, id, at, fault: 'its line is missing' }
  if (line.at.getTime() !== at.getTime()) return { seq, id, at, fault: 'line and seal have different times' }
  if (!chainHash(previous, lineText(seq, line)).equals(seal.hash))
    return { seq, id, at, fault: 'its line or its seal was changed' }
  return null
}

/**
 * The first line that has no seal and will get none: it is not queued, and its id is lower than those that the sealer
 * searches. One that is sealed meanwhile does not count.
 */
async function lineWithoutSeal(db: Database, chain: Chain): Promise<BrokenLink | null> {
  if (await findBackfill(db, chain.name)) return null
  const until = chain.unsealed ? (await lastSealedId(db, chain.name)) - RECENT_IDS : null
  for (let after: LineKey | null = null; ; ) {
    // A whole log takes longer than a statement may.
    const page: SealedLine[] = await chain.page(db, { after, until, limit: BATCH_SIZE })
    for (const { id, at, isSealed } of page) {
      if (isSealed || (await isQueued(db, chain.name, id))) continue
      const sealed = await sealsOfLines(db, chain.name, [{ id }])
      if (sealed.length === 0) return { id, at, seq: null, fault: 'it has no seal' }
    }
    after = page.at(-1) ?? null
    if (!after) return null
  }
}
