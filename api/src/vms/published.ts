import type { SignFault } from '@rogatka/contract/vms.ts'
import type { PublishedGroup, PublishedSign } from '@rogatka/domain/datex/signs.ts'
import { multiText } from '@rogatka/domain/vms/multi.ts'
import type { Database } from '../core/database.ts'
import { type Content, contents, groups, type SignRow, signs } from './queries.ts'
import { type ShownContent, SWITCH_TIMEOUT_MS, shownContent } from './shown-content.ts'
import { signState } from './view.ts'

/** The groups of some stations or of all with the state of their signs. The texts contain plates. */
export async function publishedGroups(
  db: Database,
  now: Date,
  locationIds: readonly number[] | undefined,
): Promise<PublishedGroup[]> {
  const rows = await groups(db, locationIds)
  const [all, knownContents] = await Promise.all([signs(db, { groupIds: rows.map(({ id }) => id) }), contents(db)])
  const groupSigns = Map.groupBy(all, ({ groupId }) => groupId)
  return rows.map(({ id, description }) => ({
    id,
    description,
    signs: (groupSigns.get(id) ?? []).map((sign) => publishedSign(sign, knownContents, now)),
  }))
}

function publishedSign(sign: SignRow, knownContents: readonly Content[], now: Date): PublishedSign {
  const { isAvailable, asOrdered } = signState(sign, knownContents, now)
  const shows = isAvailable ? shownContent(sign, knownContents) : null
  return {
    number: sign.number,
    roadNumber: sign.roadNumber,
    chainage: sign.chainage,
    isAvailable,
    shows: shows && { kind: shows.kind, lines: multiText(shows.multi).split('\n').filter(Boolean) },
    setAt: shows && setAt(sign, shows),
    faults: isAvailable ? ((sign.faults ?? []) as SignFault[]) : [],
    asOrdered,
    overdueSince: overdueSince(sign, now),
    polledAt: sign.answeredAt ?? sign.checkedAt,
  }
}

/** Since when a sign shows this; null if unknown. */
function setAt({ plate, enabledAt }: SignRow, { kind }: ShownContent): Date | null {
  if (kind === 'plate' || kind === 'trucks') return plate?.shownAt ?? null
  return kind === 'content' ? enabledAt : null
}

/** Since when a sign should have cleared its plate, once it has had the time for it; else null. */
function overdueSince({ plate }: SignRow, now: Date): Date | null {
  if (plate === null) return null
  const { endingAt, until } = plate
  const end = endingAt !== null && endingAt < until ? endingAt : until
  return now.getTime() - end.getTime() > SWITCH_TIMEOUT_MS ? end : null
}
