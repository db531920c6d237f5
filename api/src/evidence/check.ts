import { CHECK_PAUSE_MINUTES } from '@rogatka/contract/trail.ts'
import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import {
  CHECK_FAILED,
  type EvidenceCheck,
  insertCheck,
  insertCheckRequest,
  lastCheck,
  lastCompleteCheck,
} from './anchor-queries.ts'
import { verifyAnchors } from './anchors.ts'
import { chains } from './chains.ts'
import { describeLink, describePassage } from './describe.ts'
import { verifyChain } from './verify-log.ts'
import { type PassageVerification, verifyPassages } from './verify-passages.ts'
import { findLostVisit } from './verify-visits.ts'

/** Days whose seals of vehicles and images are verified each night; the command verifies all. */
const PASSAGE_DAYS = 8

/**
 * Verifies the chains of all logs, the anchors, and the seals of the last days from the rows, and stores the result. Returns
 * the first fault, or null. @throws if it fails, which is stored, too
 */
export async function checkEvidence(
  db: Database,
  now: () => Date,
  kept: PassageVerification['kept'],
): Promise<string | null> {
  const startedAt = now()
  try {
    const result = await findFaults(db, startedAt, kept)
    await insertCheck(db, { startedAt, endedAt: now(), ...result })
    return result.fault
  } catch (error) {
    const fault = `${CHECK_FAILED}${(error as Error).message}`
    // Without the database nothing is stored, and the last check becomes too old.
    await insertCheck(db, { startedAt, endedAt: now(), links: 0, seals: 0, fault }).catch(() => {})
    throw error
  }
}

async function findFaults(db: Database, startedAt: Date, kept: PassageVerification['kept']) {
  const faults: string[] = []
  let links = 0
  for (const chain of chains) {
    const verified = await verifyChain(db, chain, null, startedAt)
    links += verified.links
    if (verified.broken) faults.push(`${chain.name}: ${describeLink(verified.broken)}`)
  }
  const from = new Date(startedAt.getTime() - PASSAGE_DAYS * DAY_MS)
  const lost = await findLostVisit(db, from, startedAt)
  if (lost) faults.push(`visits: ${describeLink(lost)}`)
  const { seals, broken } = await verifyPassages(db, { now: startedAt, from, kept, files: null })
  if (broken) faults.push(`passages: ${describePassage(broken)}`)
  const anchorFault = await verifyAnchors(db)
  if (anchorFault) faults.push(anchorFault)
  return { links, seals, fault: faults[0] ?? null }
}

/** The job that checks each night, and when it is requested. */
export const EVIDENCE_CHECK = 'check-evidence'

/** Requests a check, unless one waits, runs, or has ended a short time ago: it reads all logs. */
export const requestEvidenceCheck = (db: Database, now: Date): Promise<unknown> =>
  insertCheckRequest(db, EVIDENCE_CHECK, new Date(now.getTime() - CHECK_PAUSE_MINUTES * MINUTE_MS))

/** Age from which a check is outdated: one runs each night. */
const MAX_CHECK_AGE_MS = 2 * DAY_MS

/** Broken: the last complete check found a fault. Unchecked: it is too old, or a later one failed. */
export type EvidenceState = 'intact' | 'broken' | 'unchecked'

/** What the checks say of the chains; intact before the first one. */
export async function evidenceState(db: Database, now: Date): Promise<EvidenceState> {
  const [last, complete] = [await lastCheck(db), await lastCompleteCheck(db)]
  if (complete?.fault) return 'broken'
  if (!last) return 'intact'
  return last.fault || isCheckOld(last, now) ? 'unchecked' : 'intact'
}

const isCheckOld = ({ endedAt }: EvidenceCheck, now: Date): boolean => +now - +endedAt > MAX_CHECK_AGE_MS

/** Why the last check does not say that all holds; null: it does. In English, as faults are. */
export const faultOfCheck = (check: EvidenceCheck, now: Date): string | null =>
  check.fault ?? (isCheckOld(check, now) ? 'no check has ended for two days' : null)
