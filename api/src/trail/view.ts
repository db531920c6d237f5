import { lookKinds, purposes } from '@rogatka/contract/looks.ts'
import type { TrailEntry, TrailFilters } from '@rogatka/contract/trail.ts'
import { z } from 'zod'
import type { Look } from '../core/look.ts'
import type { PlateSearches } from '../core/plate-searches.ts'
import { decrypt } from '../core/secrets.ts'
import type { Session } from '../core/sessions.ts'
import { ASKED, type Trail } from '../core/trail.ts'
import { questionMacs } from '../core/trail-macs.ts'
import type { LineRow, TrailSearch } from './queries.ts'

/** Saved searches of the access trail. */
export const trailSearches = { page: 'trail', filters: z.object({ plate: z.string() }) }

/** What the trail is read with: its key, and the saved searches. */
export type TrailReader = { trail: Pick<Trail, 'key'>; searches: PlateSearches }

/** The filters, with a plate as its HMACs. @throws 404 for a search that is unknown, expired or somebody else's */
export async function toTrailSearch(
  { trail, searches }: TrailReader,
  { session, now }: { session: Session; now: Date },
  { search, ...filters }: TrailFilters,
): Promise<{ search: TrailSearch; asked: string[] }> {
  if (!search) return { search: filters, asked: [] }
  const { plate } = (await searches.open(trailSearches, session, search, now)).filters
  return { search: { ...filters, macs: questionMacs(await trail.key(), [plate]) }, asked: [plate] }
}

const named = (id: number | null, name: string) => (id === null ? null : { id, name })

/** The webhook of a line, which is among its criteria; null: a user, a system or a device looked. */
const webhookIdOf = ({ kind, criteria }: LineRow): number | null =>
  lookKinds[kind - 1] === 'webhook' ? Number(criteria.webhookId) : null

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
    webhook: named(webhookIdOf(row), row.userName),
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
