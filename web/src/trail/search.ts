import { instantIn, pageIn, positiveIn, textIn } from '../core/urlParams.ts'

/** URL parameters of the access trail. The default range is the last day. */
export type TrailSearch = {
  userId?: number | undefined
  systemId?: number | undefined
  /** A kind and a purpose of looks, which the page checks. */
  kind?: string | undefined
  purpose?: string | undefined
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  /** Id of a search by plate: no address has a plate. */
  lookup?: string | undefined
  page?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. Loaded with every page, so without the lists of options. */
export function readTrailSearch(search: Record<string, unknown>): TrailSearch {
  const userId = positiveIn(search.userId)
  return {
    userId,
    systemId: userId === undefined ? positiveIn(search.systemId) : undefined,
    kind: textIn(search.kind),
    purpose: textIn(search.purpose),
    dateTimeStart: instantIn(search.dateTimeStart),
    dateTimeEnd: instantIn(search.dateTimeEnd),
    lookup: textIn(search.lookup),
    page: pageIn(search.page),
  }
}
