import { lookKinds, purposes } from '@rogatka/contract/looks.ts'
import { SEARCH_HOURS, type TrailEntry, type TrailFilters } from '@rogatka/contract/trail.ts'
import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import { z } from 'zod'
import { isAnonymised } from '../core/anonymity.ts'
import { Refusal } from '../core/refusal.ts'
import { decrypt, encrypt } from '../core/secrets.ts'
import type { Session } from '../core/sessions.ts'
import { ASKED, type Look, questionMacs } from '../core/trail.ts'
import type { LineRow, TrailSearch } from './queries.ts'

/** Who looks for whom is itself a look: there is no masked view. */
export function refuseAnonymised(session: Session): void {
  if (isAnonymised(session)) throw new Refusal('forbidden', 403)
}

/** What the id of a search holds, encrypted for one user. */
const searchContent = z.object({ plate: z.string(), until: z.number() })
const aboutSearch = ({ userId }: Session) => `trail-search-${userId}`

/** The id of a search: opens for the user who made it only, and says nothing to others. */
export function createSearchId(key: Buffer, session: Session, plate: string, now: Date) {
  const until = now.getTime() + SEARCH_HOURS * HOUR_MS
  const content = encrypt(key, JSON.stringify({ plate, until }), aboutSearch(session))
  return { searchId: content.toString('base64url'), expiresAt: new Date(until) }
}

/** The plate of a search. @throws 404 if it has expired or is somebody else's */
export function plateOfSearch(key: Buffer, session: Session, searchId: string, now: Date): string {
  const text = decrypt(key, Buffer.from(searchId, 'base64url'), aboutSearch(session))
  const content = text === null ? null : searchContent.parse(JSON.parse(text))
  if (!content || content.until <= now.getTime()) throw new Refusal('search-not-found', 404, 'search')
  return content.plate
}

/** The filters, with a plate as its HMACs. @throws 404 for an unknown search */
export function toTrailSearch(
  key: Buffer,
  session: Session,
  { search, ...filters }: TrailFilters,
  now: Date,
): { search: TrailSearch; asked: string[] } {
  if (search === undefined) return { search: filters, asked: [] }
  const plate = plateOfSearch(key, session, search, now)
  return { search: { ...filters, macs: questionMacs(key, [plate]) }, asked: [plate] }
}

const named = (id: number | null, name: string) => (id === null ? null : { id, name })

/** A line as its readers see it. */
export function toEntry(key: Buffer, row: LineRow): TrailEntry {
  const { id, at, ip, call, criteria, reference, note, results, isListed, isVisit, endedAt } = row
  const text = row.askedText ? decrypt(key, row.askedText, ASKED) : '[]'
  const [vehicleId, createdAt] = row.vehicleKey?.split('@').map(Number) ?? []
  return {
    id,
    at,
    user: named(row.userId, row.userName),
    system: named(row.systemId, row.userName),
    device: named(row.deviceId, row.userName),
    role: row.roleName,
    ip,
    call,
    kind: lookKinds[row.kind - 1] ?? 'list',
    purpose: purposes[(row.purpose ?? 0) - 1] ?? null,
    reference,
    note,
    criteria,
    plates: text === null ? null : z.array(z.string()).parse(JSON.parse(text)),
    results,
    shown: row.plates,
    isListed,
    vehicle: vehicleId && createdAt ? { id: vehicleId, createdAt: new Date(createdAt) } : null,
    visit: isVisit ? { endedAt } : null,
  }
}

/** What a list of lines shows: the plates that they asked for. */
export const lookAtLines = (lines: readonly TrailEntry[], totalCount: number, asked: string[]): Omit<Look, 'kind'> => {
  const plates = lines.flatMap(({ plates }) => plates ?? [])
  return { asked, results: totalCount, shown: { count: plates.length, plates: [...new Set(plates)] } }
}
