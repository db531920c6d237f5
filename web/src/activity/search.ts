import { eventTypes } from '@rogatka/contract/activity.ts'
import { instantIn, oneOf, pageIn, positiveIn } from '../core/address.ts'

/** The history, the changes, and the messages that left. */
export const tabs = ['activity', 'audit', 'outbox'] as const
export type Tab = (typeof tabs)[number]

export type EventType = (typeof eventTypes)[number]

/** What the address of the activity history holds. Without a range it is that of the last day. */
export type ActivitySearch = {
  tab?: Exclude<Tab, 'activity'> | undefined
  userId?: number | undefined
  eventType?: EventType | undefined
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  page?: number | undefined
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export const readActivitySearch = (search: Record<string, unknown>): ActivitySearch => ({
  tab: oneOf(['audit', 'outbox'] as const, search.tab),
  userId: positiveIn(search.userId),
  eventType: oneOf(eventTypes, search.eventType),
  dateTimeStart: instantIn(search.dateTimeStart),
  dateTimeEnd: instantIn(search.dateTimeEnd),
  page: pageIn(search.page),
})
