import { CHECK_PAUSE_MINUTES } from '@rogatka/contract/trail.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { insertCheck, insertCheckRequest, lastCheck } from './anchor-queries.ts'
import { verifyAnchors } from './anchors.ts'
import { chains } from './chains.ts'
import { describeLink, describePassage } from './describe.ts'
import { verifyChain } from './verify-log.ts'
import { type PassageVerification, verifyPassages } from './verify-passages.ts'

/** Days whose seals of vehicles and images are verified each night; the command verifies all. */
const PASSAGE_DAYS = 8

/**
 * Verifies the chains of all logs, the anchors, and the seals of the last days from the rows, and stores the result. Returns
 * the first fault, or null.
 */
export async function checkEvidence(
  db: Database,
  now: () => Date,
  kept: PassageVerification['kept'],
): Promise<string | null> {
  const startedAt = now()
  const faults: string[] = []
  let links = 0
  for (const chain of chains) {
    const verified = await verifyChain(db, chain, null, startedAt)
    links += verified.links
    if (verified.broken) faults.push(`${chain.name}: ${describeLink(verified.broken)}`)
  }
  const from = new Date(startedAt.getTime() - PASSAGE_DAYS * DAY_MS)
  const { seals, broken } = await verifyPassages(db, { from, kept, files: null })
  if (broken) faults.push(`passages: ${describePassage(broken)}`)
  const anchorFault = await verifyAnchors(db)
  if (anchorFault) faults.push(anchorFault)
  const fault = faults[0] ?? null
  await insertCheck(db, { startedAt, endedAt: now(), links, seals, fault })
  return fault
}

/** The job that checks each night, and when it is requested. */
export const EVIDENCE_CHECK = 'check-evidence'

/** Requests a check, unless one waits, runs, or has ended a short time ago: it reads all logs. */
export const requestEvidenceCheck = (db: Database, now: Date): Promise<unknown> =>
  insertCheckRequest(db, EVIDENCE_CHECK, new Date(now.getTime() - CHECK_PAUSE_MINUTES * MINUTE_MS))

/** Whether the latest verification found a fault; false before the first one. */
export const isEvidenceBroken = async (db: Database): Promise<boolean> => (await lastCheck(db))?.fault != null
