import { hash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Anchor, anchorText, isAnchorDue, parseAnchor } from '@rogatka/domain/evidence/anchor.ts'
import type { Database, Pool } from '../core/database.ts'
import {
  allHeads,
  anchorsInOrder,
  anchorsToCopy,
  hashAt,
  insertAnchor,
  lastAnchor,
  type StoredAnchor,
  setCopied,
} from './anchor-queries.ts'
import { FIRST_HASH } from './chains.ts'
import { waitToSeal } from './seal-queries.ts'

/** Where anchors are copied: a folder, or below a base URL by PUT. */
export type CopyTarget = { folder: string } | { url: string }

const PUT_TIMEOUT_MS = 10_000

/** Stores the ends of all chains, if that is due. */
export const anchorChains = (db: Pool, now: Date): Promise<void> =>
  db.transaction(async (db) => {
    await waitToSeal(db)
    const [last, heads] = [await lastAnchor(db), await allHeads(db)]
    const auditSeq = heads.find(({ chain }) => chain === 'audit')?.seq ?? 0
    if (heads.length === 0 || !isAnchorDue(last, auditSeq, now)) return
    const number = (last?.number ?? 0) + 1
    const text = anchorText({ number, at: now, previous: (last?.sha256 ?? FIRST_HASH).toString('hex'), heads })
    await insertAnchor(db, { number, at: now, text, sha256: hash('sha256', text, 'buffer'), auditSeq })
  })

/** The name of the copy of an anchor. */
const fileName = (number: number) => `anchor-${String(number).padStart(6, '0')}.txt`

/** Copies the anchors that were not copied yet, oldest first. @throws if one cannot be copied: a later call goes on there */
export async function copyAnchors(db: Database, target: CopyTarget, now: Date): Promise<void> {
  for (const { number, text } of await anchorsToCopy(db)) {
    if ('folder' in target) await writeCopy(target.folder, fileName(number), text)
    else await putCopy(target.url, fileName(number), text)
    await setCopied(db, number, now)
  }
}

async function writeCopy(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  await writeFile(`${path}.part`, text, { flush: true })
  await rename(`${path}.part`, path)
}

async function putCopy(base: string, name: string, text: string): Promise<void> {
  const url = new URL(base)
  const { username, password } = url
  url.username = url.password = ''
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${name}`
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8' })
  const secret = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')
  if (username || password) headers.set('authorization', `Basic ${secret}`)
  const signal = AbortSignal.timeout(PUT_TIMEOUT_MS)
  const response = await fetch(url, { method: 'PUT', headers, body: text, redirect: 'error', signal })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`EVIDENCE_COPY: ${response.status}`)
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

/** Compares the chains with copies of anchors in a folder. Returns their number and the first fault, or null. */
export async function verifyCopies(db: Database, folder: string): Promise<{ copies: number; fault: string | null }> {
  const names = (await readdir(folder)).filter((name) => /^anchor-\d+\.txt$/.test(name)).sort()
  for (const name of names) {
    const anchor = parseAnchor(await readFile(join(folder, name), 'utf8'))
    const fault = anchor ? await verifyAnchor(db, anchor) : 'it is no anchor'
    if (fault) return { copies: names.length, fault: `${name}: ${fault}` }
  }
  return { copies: names.length, fault: null }
}

/** Why the chains do not pass the ends that an anchor has; null if they do. */
async function verifyAnchor(db: Database, { number, heads }: Anchor): Promise<string | null> {
  for (const head of heads) {
    const { chain, locationId, seq } = head
    const place = locationId === null ? `link ${seq} of ${chain}` : `seal ${seq} of station ${locationId}`
    const found = await hashAt(db, head)
    if (found === undefined) return `${place} is missing, which anchor ${number} has`
    if (found !== head.hash) return `${place} has another hash than in anchor ${number}`
  }
  return null
}
