import { eventTypes } from '@rogatka/contract/options.ts'
import { instantIn, oneOf, pageIn, positiveIn } from '../core/urlParams.ts'

/** Visits, audit log, outgoing messages. */
export const tabs = ['activity', 'audit', 'outbox'] as const
export type Tab = (typeof tabs)[number]

export type EventType = (typeof eventTypes)[number]

/** URL parameters of the activity page. The default range is the last day. */
export type ActivitySearch = {
  tab?: Exclude<Tab, 'activity'> | undefined
  userId?: number | undefined
  eventType?: EventType | undefined
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  /** Oldest first; absent: newest first. */
  order?: 'asc' | undefined
  page?: number | undefined
}

/** Parses the URL; malformed values and page 1 are omitted. */
export const readActivitySearch = (search: Record<string, unknown>): ActivitySearch => ({
  tab: oneOf(['audit', 'outbox'] as const, search.tab),
  userId: positiveIn(search.userId),
  eventType: oneOf(eventTypes, search.eventType),
  dateTimeStart: instantIn(search.dateTimeStart),
  dateTimeEnd: instantIn(search.dateTimeEnd),
  order: oneOf(['asc'] as const, search.order),
  page: pageIn(search.page),
})
