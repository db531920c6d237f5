import type { HealthEvidence, Ticket } from '@rogatka/contract/tickets.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { auditAsSystem } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { interpolate } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import { locations } from '../locations/public-api.ts'
import { ticketChange } from './audit.ts'
import {
  type CheckKey,
  type CheckResult,
  closeFailure,
  type Failure,
  healthSettings,
  openFailure,
  openFailures,
  saveCheckResults,
  setFailureTicket,
} from './health-queries.ts'
import { insertTicket, lockTicket, ticketById, updateTicket } from './queries.ts'
import { ticketTexts } from './texts.ts'

/** Whoever reads a ticket that nobody wrote: the language of the road authority. */
const LANGUAGE = 'pl'

const sameCheck = (a: CheckKey, b: CheckKey) =>
  a.locationId === b.locationId && a.laneNumber === b.laneNumber && a.kind === b.kind

/**
 * Keeps the verdicts, begins and ends failures by them, and opens and closes their tickets where the settings say so. A
 * failure that stands has one ticket, also when somebody has closed it by hand; what is not known changes nothing.
 */
export async function applyCheckResults(
  db: Pool,
  verdicts: readonly CheckResult[],
  organization: string | null,
  now: Date,
): Promise<void> {
  if (verdicts.length === 0) return
  await saveCheckResults(db, verdicts, now)
  const standing = await openFailures(db)
  const names = new Map((await locations(db)).map(({ id, shortName }) => [id, shortName]))
  for (const verdict of verdicts) {
    const failure = standing.find((one) => sameCheck(one, verdict))
    if (verdict.state === 'bad' && !failure?.ticketId) {
      const station = names.get(verdict.locationId) ?? String(verdict.locationId)
      await db.transaction((db) => openFor(db, verdict, station, organization, now))
    }
    if (verdict.state === 'well' && failure) await db.transaction((db) => closeFor(db, failure, organization, now))
  }
}

async function openFor(
  db: Database,
  verdict: CheckResult,
  station: string,
  organization: string | null,
  now: Date,
): Promise<void> {
  const failure = await openFailure(db, verdict, now)
  const { autoOpen } = await healthSettings(db)
  if (!autoOpen || failure.ticketId !== null) return
  const id = await insertTicket(db, organization, {
    ...textOf(verdict, station, now),
    status: 'open',
    createdAt: now,
    closedAt: null,
    handleBy: null,
    userId: null,
    reporterName: null,
    reporterEmail: null,
    about: { locationId: verdict.locationId, laneNumber: verdict.laneNumber || null, kind: verdict.kind },
  })
  await setFailureTicket(db, failure.id, id)
  const after = (await ticketById(db, id, organization)) as Ticket
  await auditAsSystem(db, now, { action: 'ticket-added', ...ticketChange(null, after) })
}

async function closeFor(db: Database, failure: Failure, organization: string | null, now: Date): Promise<void> {
  if (!(await closeFailure(db, failure.id, now)) || failure.ticketId === null) return
  const { autoClose } = await healthSettings(db)
  const before = await lockTicket(db, failure.ticketId, organization)
  if (!autoClose || !before?.isOpen) return
  const { over } = ticketTexts(LANGUAGE).health
  await updateTicket(db, before.id, before.version, {
    title: before.title,
    description: `${before.description}\n${interpolate(over, { at: warsawTime(now) })}`,
    status: 'closed',
    closedAt: now,
    handleBy: before.handleBy,
  })
  const after = (await ticketById(db, before.id, organization)) as Ticket
  await auditAsSystem(db, now, { action: 'ticket-changed', ...ticketChange(before, after) })
}

/** What is wrong, where, and by what it was seen. */
function textOf({ kind, laneNumber, evidence }: CheckResult, station: string, now: Date) {
  const words = ticketTexts(LANGUAGE).health
  const isNeverSent = kind === 'station-silent' && evidence.lastVehicleTime === null
  const place = interpolate(laneNumber ? words.lane : words.place, { station, lane: String(laneNumber) })
  return {
    title: interpolate(words.titles[kind], { place }),
    description: [
      interpolate(isNeverSent ? words.neverSent : words.found[kind], numbersOf(evidence)),
      interpolate(words.self, { at: warsawTime(now) }),
    ].join('\n'),
  }
}

const numbersOf = (evidence: HealthEvidence): Record<string, string | number> => ({
  last: evidence.lastVehicleTime ? warsawTime(evidence.lastVehicleTime) : ticketTexts(LANGUAGE).health.never,
  silent: evidence.silentMinutes ?? 0,
  age: durationText(evidence.silentMinutes ?? 0),
  expected: Math.round(evidence.expectedVehicles ?? 0),
  vehicles: evidence.vehicles ?? 0,
  share: Math.round(evidence.sharePercent ?? 0),
  clock: evidence.clockSeconds ?? 0,
  deviation: String(evidence.deviationPercent ?? 0).replace('.', ','),
})
