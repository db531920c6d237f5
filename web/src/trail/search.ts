import { type LookKind, lookKinds, type Purpose, purposes } from '@rogatka/contract/looks.ts'
import { instantIn, oneOf, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** URL parameters of the access trail. The default range is the last day. */
export type TrailSearch = {
  userId?: number | undefined
  systemId?: number | undefined
  kind?: LookKind | undefined
  purpose?: Purpose | undefined
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  /** Id of a search by plate: no address has a plate. */
  lookup?: string | undefined
  page?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. */
export function readTrailSearch(search: Record<string, unknown>): TrailSearch {
  const userId = positiveIn(search.userId)
  return {
    userId,
    systemId: userId === undefined ? positiveIn(search.systemId) : undefined,
    kind: oneOf(lookKinds, search.kind),
    purpose: oneOf(purposes, search.purpose),
    dateTimeStart: instantIn(search.dateTimeStart),
    dateTimeEnd: instantIn(search.dateTimeEnd),
    lookup: textIn(search.lookup),
    page: pageIn(search.page),
  }
}

/** Value of a selected person or system; null: everyone. */
export const whoOf = ({ userId, systemId }: Pick<TrailSearch, 'userId' | 'systemId'>): string | null =>
  userId !== undefined ? `user ${userId}` : systemId !== undefined ? `system ${systemId}` : null

/** The opposite of `whoOf`. */
export function whoIn(value: string | null): Pick<TrailSearch, 'userId' | 'systemId'> {
  const [kind, id] = value?.split(' ') ?? []
  return { userId: kind === 'user' ? Number(id) : undefined, systemId: kind === 'system' ? Number(id) : undefined }
}
