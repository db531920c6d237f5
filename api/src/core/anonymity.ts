import { hasRight } from '@rogatka/contract/access.ts'
import type { SortColumn } from '@rogatka/contract/vehicle.ts'
import { anonymiseMeasurement } from '@rogatka/domain/ingest/anonymity.ts'
import { anonymise, anonymiseRecord, platesIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'

/** Whether this session sees no plates and no faces. */
export const isAnonymised = (session: Pick<Session, 'permissions'>): boolean =>
  hasRight(session.permissions, 'Anonymization')

/** The vehicle as this session may see it. */
export const anonymiseFor = <V extends Parameters<typeof anonymise>[0]>(
  session: Pick<Session, 'permissions'>,
  vehicle: V,
): V => (isAnonymised(session) ? anonymise(vehicle) : vehicle)

type AuditRecord = { subject: string; before: unknown; after: unknown }

/** A line of the audit log as this session may see it: what was done to a plate does not tell which. */
export function anonymiseAuditFor<E extends AuditRecord>(session: Pick<Session, 'permissions'>, entry: E): E {
  if (!isAnonymised(session)) return entry
  const plates = [entry.before, entry.after].flatMap(platesIn)
  const [subject, before, after] = [entry.subject, entry.before, entry.after].map((it) => anonymiseRecord(it, plates))
  return { ...entry, subject: String(subject), before, after }
}

/** A rejected measurement as this session may see it. */
export const measurementAsSeenBy = (session: Pick<Session, 'permissions'>, measurement: unknown): unknown =>
  isAnonymised(session) ? anonymiseMeasurement(measurement) : measurement

type PlateUse = { plateLpr?: string | undefined; similarity?: number | undefined }

/**
 * Refuses a search or an order by plate to a session that sees none: the answers would tell what the mask hides.
 */
export function assertPlateQueryAllowed(
  session: Pick<Session, 'permissions'>,
  filters: PlateUse,
  columns: readonly (SortColumn | undefined)[],
): void {
  if (!isAnonymised(session)) return
  if (filters.plateLpr) throw new Refusal('plates-are-anonymised', 403, 'plateLpr')
  if (columns.includes('plateLpr')) throw new Refusal('plates-are-anonymised', 403, 'orderByColumnName')
}
