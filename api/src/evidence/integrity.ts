import { CHECKED_DAYS, type IntegrityState } from '@rogatka/contract/trail.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import { checkedDays, isCheckRequested, lastAnchor, lastCheck } from './anchor-queries.ts'
import { chains } from './chains.ts'
import { EVIDENCE_CHECK, faultOfCheck } from './check.ts'
import { findHead, type Seal, sealAt } from './seal-queries.ts'
import { findStamp } from './stamp-queries.ts'

/** Whether the chains hold, as far as it was checked: nothing is verified now. */
export async function integrityOf(db: Database, now: Date): Promise<Omit<IntegrityState, 'isCopied'>> {
  const check = await lastCheck(db)
  const ends = await endsOfLogs(db)
  const head = ends.find(({ name }) => name === 'access')?.head
  const starts = ends.map(({ start }) => start.at.getTime())
  return {
    check: check && { endedAt: check.endedAt, fault: faultOfCheck(check, now) },
    isChecking: await isCheckRequested(db, EVIDENCE_CHECK),
    days: await lastDays(db, now),
    links: ends.reduce((sum, { head }) => sum + head.seq, 0),
    since: starts.length > 0 ? new Date(Math.min(...starts)) : null,
    head: head ? { seq: head.seq, at: head.at, hash: head.hash.toString('hex') } : null,
    anchor: await anchorState(db),
  }
}

/** The first and the last link of each log that has one. */
async function endsOfLogs(db: Database): Promise<{ name: string; start: Seal; head: Seal }[]> {
  const ends: { name: string; start: Seal; head: Seal }[] = []
  for (const { name } of chains) {
    const [start, head] = [await sealAt(db, name, 1), await findHead(db, name)]
    if (start && head) ends.push({ name, start, head })
  }
  return ends
}

async function anchorState(db: Database): Promise<IntegrityState['anchor']> {
  const anchor = await lastAnchor(db)
  if (!anchor) return null
  const { number, at, sha256, copiedAt } = anchor
  const stamp = await findStamp(db, sha256)
  return { number, at, isStampRequested: stamp !== undefined, stampedAt: stamp?.stampedAt ?? null, copiedAt }
}

/** The last days by what the checks of each found. */
async function lastDays(db: Database, now: Date): Promise<IntegrityState['days']> {
  const checked = await checkedDays(db, new Date(now.getTime() - (CHECKED_DAYS + 1) * DAY_MS))
  const found = new Map(checked.map(({ day, isIntact }) => [day, isIntact ? ('intact' as const) : ('broken' as const)]))
  const today = Date.parse(dateOf(now))
  return Array.from({ length: CHECKED_DAYS }, (_, index) => {
    const day = new Date(today - (CHECKED_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { day, state: found.get(day) ?? 'unchecked' }
  })
}
