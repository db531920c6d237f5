import { hash, type X509Certificate } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { type Anchor, anchorText, isAnchorDue, parseAnchor, parseCutAnchor } from '@rogatka/domain/evidence/anchor.ts'
import type { Database, Pool } from '../core/database.ts'
import {
  allHeads,
  anchorStamps,
  anchorStampsToCopy,
  anchorsInOrder,
  anchorsToCopy,
  hashAt,
  insertAnchor,
  lastAnchor,
  type StoredAnchor,
  setCopied,
  setStampCopied,
} from './anchor-queries.ts'
import { chains, FIRST_HASH } from './chains.ts'
import { lockSealing } from './seal-queries.ts'
import { requestStamp } from './stamp-queries.ts'
import { StampError, verifyToken } from './tsp.ts'

/** Where anchors are copied: a folder, or below a base URL by PUT. */
export type CopyTarget = { folder: string } | { url: string }

const PUT_TIMEOUT_MS = 10_000

const chainNames = chains.map(({ name }) => name)

/** Stores the ends of all chains, if that is due; `isStamped`: with a request for a time stamp. */
export const anchorChains = (db: Pool, now: Date, isStamped: boolean): Promise<void> =>
  db.transaction(async (db) => {
    await lockSealing(db)
    const [last, heads] = [await lastAnchor(db), await allHeads(db, chainNames)]
    const auditSeq = heads.find(({ chain }) => chain === 'audit')?.seq ?? 0
    if (heads.length === 0 || !isAnchorDue(last, auditSeq, now)) return
    const number = (last?.number ?? 0) + 1
    const text = anchorText({ number, at: now, previous: (last?.sha256 ?? FIRST_HASH).toString('hex'), heads })
    const sha256 = hash('sha256', text, 'buffer')
    await insertAnchor(db, { number, at: now, text, sha256, auditSeq })
    if (isStamped) await requestStamp(db, sha256, 'anchor', now)
  })

/**
 * The name of the copy of an anchor, or of its time stamp. With a part of its SHA-256, so that an anchor after a restore does
 * not meet the copy of another one that had its number before.
 */
const fileName = ({ number, sha256 }: Pick<StoredAnchor, 'number' | 'sha256'>, type: 'txt' | 'tst') =>
  `anchor-${String(number).padStart(6, '0')}-${sha256.toString('hex', 0, 8)}.${type}`

/** A copy exists with another content. */
class CopyConflict extends Error {}

/**
 * Copies the anchors, and the time stamps of anchors, that were not copied yet, oldest first. A copy is never replaced: one
 * that exists with the same content counts as made; one with other content does not keep the others from being copied.
 * @throws if one cannot be copied: the next call continues with it
 */
export async function copyAnchors(db: Database, target: CopyTarget, now: Date): Promise<void> {
  const conflicts: CopyConflict[] = []
  const copy = async (name: string, content: Buffer, setDone: () => Promise<unknown>) => {
    try {
      await ('folder' in target ? writeCopy(target.folder, name, content) : putCopy(target.url, name, content))
    } catch (error) {
      if (!(error instanceof CopyConflict)) throw error
      conflicts.push(error)
      return
    }
    await setDone()
  }
  for (const anchor of await anchorsToCopy(db))
    await copy(fileName(anchor, 'txt'), Buffer.from(anchor.text), () => setCopied(db, anchor.number, now))
  for (const { token, ...anchor } of await anchorStampsToCopy(db))
    await copy(fileName(anchor, 'tst'), token, () => setStampCopied(db, anchor.number, now))
  if (conflicts[0]) throw conflicts[0]
}

/** Creates a file, for a folder in which files can only be created or appended to. */
async function writeCopy(folder: string, name: string, content: Buffer): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  try {
    await writeFile(path, content, { flag: 'wx', flush: true })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
    const existing = await readFile(path)
    if (!content.subarray(0, existing.length).equals(existing))
      throw new CopyConflict(`EVIDENCE_COPY: ${name} exists with another content`)
    // It was interrupted.
    if (existing.length < content.length)
      await writeFile(path, content.subarray(existing.length), { flag: 'a', flush: true })
  }
}

/** Statuses of stores that refuse to replace what exists. */
const REFUSED_STATUSES = [403, 409, 412]

async function putCopy(base: string, name: string, content: Buffer): Promise<void> {
  const url = new URL(base)
  const { username, password } = url
  url.username = url.password = ''
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  const authorization = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString(
    'base64',
  )
  const call = (method: 'PUT' | 'GET', headers: Record<string, string> = {}) =>
    fetch(url, {
      method,
      headers: { ...headers, ...((username || password) && { authorization: `Basic ${authorization}` }) },
      ...(method === 'PUT' && { body: new Uint8Array(content) }),
      redirect: 'error',
      signal: AbortSignal.timeout(PUT_TIMEOUT_MS),
    })
  const type = name.endsWith('.txt') ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  const response = await call('PUT', { 'content-type': type, 'if-none-match': '*' })
  await response.body?.cancel()
  if (response.ok) return
  const error = new Error(`EVIDENCE_COPY: ${response.status}`)
  if (!REFUSED_STATUSES.includes(response.status)) throw error
  // An earlier request may have stored it without an answer.
  const existing = await call('GET')
  if (!existing.ok) {
    await existing.body?.cancel()
    throw error
  }
  if (!Buffer.from(await existing.arrayBuffer()).equals(content))
    throw new CopyConflict(`EVIDENCE_COPY: ${response.status}, ${name} exists with another content`)
}

/** Compares the chains with the stored anchors, and these with each other. Returns the first fault, or null. */
export async function verifyAnchors(db: Database): Promise<string | null> {
  let previous = FIRST_HASH
  let expected = 1
  for (const stored of await anchorsInOrder(db)) {
    if (stored.number !== expected) return `anchor ${expected} is missing`
    const anchor = parseAnchor(stored.text)
    if (!anchor || !isIntact(stored, anchor, previous)) return `anchor ${stored.number} was changed`
    const fault = await verifyAnchor(db, anchor)
    if (fault) return fault
    previous = stored.sha256
    expected += 1
  }
  return null
}

const isIntact = (stored: StoredAnchor, anchor: Anchor, previous: Buffer): boolean =>
  hash('sha256', stored.text, 'buffer').equals(stored.sha256) &&
  anchor.number === stored.number &&
  anchor.at.getTime() === stored.at.getTime() &&
  anchor.previous === previous.toString('hex')

/** The anchors by their time stamps. `latest`: the last one with a valid stamp. */
export type VerifiedStamps = {
  valid: number
  pending: number
  without: number
  latest: { number: number; stampedAt: Date } | null
  /** Why the first stamp that does not hold does not; null: all hold. */
  fault: string | null
}

/** A stamp that is missing for longer is a fault, which an alarm reports, too. */
const MAX_STAMP_MS = DAY_MS

/**
 * Verifies the time stamps of anchors by the roots of their authorities. One is missing if it was copied, if an earlier
 * anchor has one, or if it has waited for a day. Anchors of before the authorities were set have none.
 */
export async function verifyAnchorStamps(
  db: Database,
  trusted: readonly X509Certificate[],
  now = new Date(),
): Promise<VerifiedStamps> {
  const stamps: VerifiedStamps = { valid: 0, pending: 0, without: 0, latest: null, fault: null }
  let isExpected = false
  for (const { number, at, sha256, isRequested, token, isStampCopied } of await anchorStamps(db)) {
    const isLate = isRequested && now.getTime() - at.getTime() > MAX_STAMP_MS
    if (!token && (isStampCopied || isLate || (isExpected && !isRequested)))
      stamps.fault ??= `the time stamp of anchor ${number} is missing`
    isExpected ||= isRequested
    if (!isRequested) stamps.without += 1
    else if (!token) stamps.pending += 1
    else
      try {
        const { stampedAt } = await verifyToken(token, { imprint: sha256, trusted })
        stamps.valid += 1
        stamps.latest = { number, stampedAt }
      } catch (error) {
        if (!(error instanceof StampError)) throw error
        stamps.fault ??= `the time stamp of anchor ${number} does not hold: ${error.code}`
      }
  }
  return stamps
}

/** Copies of anchors in a folder. `copies`: those that are whole. `fault`: the first one; null: all hold. */
type VerifiedCopies = { copies: number; incomplete: string[]; fault: string | null }

/**
 * Compares the chains with copies of anchors in a folder. A copy that was not written to its end, as it is being made or
 * the process ended meanwhile, is no fault if what it has holds: the portal completes its own copies.
 */
export async function verifyCopies(db: Database, folder: string): Promise<VerifiedCopies> {
  const names = (await readdir(folder)).filter((name) => /^anchor-\d+(-[0-9a-f]{16})?\.txt$/.test(name)).sort()
  const texts = new Map((await anchorsInOrder(db)).map((anchor) => [fileName(anchor, 'txt'), anchor.text]))
  const incomplete: string[] = []
  const verified = (fault: string | null) => ({ copies: names.length - incomplete.length, incomplete, fault })
  for (const name of names) {
    const text = await readFile(join(folder, name), 'utf8')
    const whole = texts.get(name) ?? ''
    const isBeginning = text.length < whole.length && whole.startsWith(text)
    const cut = parseCutAnchor(text)
    if (isBeginning || cut) incomplete.push(name)
    const anchor = cut ?? parseAnchor(text)
    if (!anchor && !isBeginning) return verified(`${name}: it is no anchor`)
    const fault = anchor && (await verifyAnchor(db, anchor))
    if (fault) return verified(`${name}: ${fault}`)
  }
  return verified(null)
}

/** The first head of an anchor that the chains contradict; null if there is none. */
async function verifyAnchor(db: Database, { number, heads }: Anchor): Promise<string | null> {
  for (const head of heads) {
    const { chain, locationId, seq } = head
    const link = locationId === null ? `link ${seq} of ${chain}` : `seal ${seq} of station ${locationId}`
    const found = await hashAt(db, head)
    if (found === undefined) return `${link} is missing, which anchor ${number} has`
    if (found !== head.hash) return `${link} has another hash than in anchor ${number}`
  }
  return null
}
