import { hasRight } from '@rogatka/contract/access.ts'
import type { SortColumn } from '@rogatka/contract/vehicle.ts'
import { anonymiseMeasurement } from '@rogatka/domain/ingest/anonymity.ts'
import { anonymise, anonymiseRecord, maskPlate, platesIn } from '@rogatka/domain/vehicle/anonymity.ts'
import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'

/** Whether this session's role hides plates and faces. */
export const isAnonymised = (session: Pick<Session, 'permissions'>): boolean =>
  hasRight(session.permissions, 'Anonymization')

/** For what has no masked form. @throws 403 for anonymised users */
export function assertNotAnonymised(session: Pick<Session, 'permissions'>): void {
  if (isAnonymised(session)) throw new Refusal('forbidden', 403)
}

/** A plate, masked if the session is anonymised. */
export const plateFor = (session: Pick<Session, 'permissions'>, plateLpr: string): string =>
  isAnonymised(session) ? maskPlate(plateLpr) : plateLpr

/** The vehicle, masked if the session is anonymised. */
export const anonymiseFor = <V extends Parameters<typeof anonymise>[0]>(
  session: Pick<Session, 'permissions'>,
  vehicle: V,
): V => (isAnonymised(session) ? anonymise(vehicle) : vehicle)

type AuditRecord = { subject: string; before: unknown; after: unknown }

/** An audit entry, with its plates masked if the session is anonymised. */
export function anonymiseAuditFor<E extends AuditRecord>(session: Pick<Session, 'permissions'>, entry: E): E {
  if (!isAnonymised(session)) return entry
  const plates = [entry.before, entry.after].flatMap(platesIn)
  const [subject, before, after] = [entry.subject, entry.before, entry.after].map((it) => anonymiseRecord(it, plates))
  return { ...entry, subject: String(subject), before, after }
}

/** A rejected measurement, masked if the session is anonymised. */
export const anonymiseMeasurementFor = (session: Pick<Session, 'permissions'>, measurement: unknown): unknown =>
  isAnonymised(session) ? anonymiseMeasurement(measurement) : measurement

type PlateUse = { plateLpr?: string | undefined; similarity?: number | undefined; plates?: string[] | undefined }

/**
 * Rejects a search or sort by plate in an anonymised session, as the results would reveal what the mask hides.
 * @throws 403
 */
export function assertPlateQueryAllowed(
  session: Pick<Session, 'permissions'>,
  filters: PlateUse,
  columns: readonly (SortColumn | undefined)[],
): void {
  if (!isAnonymised(session)) return
  if (filters.plates?.length) throw new Refusal('plates-are-anonymised', 403, 'plates')
  if (filters.plateLpr) throw new Refusal('plates-are-anonymised', 403, 'plateLpr')
  if (columns.includes('plateLpr')) throw new Refusal('plates-are-anonymised', 403, 'orderByColumnName')
}
