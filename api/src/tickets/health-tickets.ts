import type { Ticket } from '@rogatka/contract/tickets.ts'
import type { HealthEvidence } from '@rogatka/contract/tickets-health.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { auditAsSystem } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { warsawTime } from '../core/warsaw.ts'
import { recordWebhookEvent } from '../core/webhook-events.ts'
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

/** The language of automatic tickets: that of the road authority. */
const LANGUAGE = 'pl'

const isSameCheck = (a: CheckKey, b: CheckKey) =>
  a.locationId === b.locationId && a.laneNumber === b.laneNumber && a.kind === b.kind

/**
 * Stores check results, opens and closes failures accordingly, and their tickets if enabled. An open failure has one
 * ticket, even if closed by hand; unknown results change nothing.
 */
export async function applyCheckResults(
  db: Pool,
  results: readonly CheckResult[],
  organization: string | null,
  now: Date,
): Promise<void> {
  if (results.length === 0) return
  await saveCheckResults(db, results, now)
  const failures = await openFailures(db)
  const names = new Map((await locations(db)).map(({ id, shortName }) => [id, shortName]))
  for (const result of results) {
    const failure = failures.find((failure) => isSameCheck(failure, result))
    if (result.state === 'bad' && !failure?.ticketId) {
      const station = names.get(result.locationId) ?? String(result.locationId)
      await db.transaction((db) => openWithTicket(db, result, station, organization, now))
    }
    if (result.state === 'well' && failure) await closeFailures(db, [failure], organization, now)
  }
}

/** Closes open failures, and their tickets if enabled. */
export async function closeFailures(
  db: Pool,
  failures: readonly Failure[],
  organization: string | null,
  now: Date,
): Promise<void> {
  for (const failure of failures) await db.transaction((db) => closeWithTicket(db, failure, organization, now))
}

async function openWithTicket(
  db: Database,
  result: CheckResult,
  station: string,
  organization: string | null,
  now: Date,
): Promise<void> {
  const failure = await openFailure(db, result, now)
  if (failure.isNew) await recordHealth(db, result, 'failing', now)
  const { autoOpen } = await healthSettings(db)
  if (!autoOpen || failure.ticketId !== null) return
  const id = await insertTicket(db, organization, {
    ...textOf(result, station, now),
    status: 'open',
    createdAt: now,
    closedAt: null,
    handleBy: null,
    userId: null,
    reporterName: null,
    reporterEmail: null,
    about: { locationId: result.locationId, laneNumber: result.laneNumber || null, kind: result.kind },
  })
  await setFailureTicket(db, failure.id, id)
  const after = (await ticketById(db, id, organization)) as Ticket
  await auditAsSystem(db, now, { action: 'ticket-added', ...ticketChange(null, after) })
}

async function closeWithTicket(db: Database, failure: Failure, organization: string | null, now: Date): Promise<void> {
  if (!(await closeFailure(db, failure.id, now))) return
  await recordHealth(db, failure, 'ok', now)
  if (failure.ticketId === null) return
  const { autoClose } = await healthSettings(db)
  const before = await lockTicket(db, failure.ticketId, organization)
  if (!autoClose || !before?.isOpen) return
  await updateTicket(db, before.id, before.version, {
    title: before.title,
    description: `${before.description}\n${ticketTexts.format(LANGUAGE, 'health.over', { at: warsawTime(now) })}`,
    status: 'closed',
    closedAt: now,
    handleBy: before.handleBy,
  })
  const after = (await ticketById(db, before.id, organization)) as Ticket
  await auditAsSystem(db, now, { action: 'ticket-changed', ...ticketChange(before, after) })
}

/** Records the event that a check of a station fails, or is OK again. */
const recordHealth = (db: Database, { locationId, laneNumber, kind }: CheckKey, state: 'failing' | 'ok', now: Date) => {
  const data = { laneNumber: laneNumber || null, check: kind, state }
  return recordWebhookEvent(db, { type: 'station.health', locationId, data }, now)
}

/** Title and description of a failure: what, where, and the evidence. */
function textOf({ kind, laneNumber, evidence }: CheckResult, station: string, now: Date) {
  const isSilent = kind === 'station-silent'
  const isNeverSent = isSilent && evidence.lastVehicleTime === null
  const isTypicalUnknown = isSilent && evidence.expectedVehicles === null
  const found = isNeverSent
    ? 'health.neverSent'
    : isTypicalUnknown
      ? 'health.silentLong'
      : (`health.found.${kind}` as const)
  const location = ticketTexts.format(LANGUAGE, laneNumber ? 'health.lane' : 'health.station', {
    station,
    lane: String(laneNumber),
  })
  return {
    title: ticketTexts.format(LANGUAGE, `health.titles.${kind}`, { location }),
    description: [
      ticketTexts.format(LANGUAGE, found, numbersOf(evidence)),
      ticketTexts.format(LANGUAGE, 'health.self', { at: warsawTime(now) }),
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
  clock: Math.round(evidence.clockSeconds ?? 0),
  deviation: String(evidence.deviationPercent ?? 0).replace('.', ','),
})
