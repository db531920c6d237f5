import { eventTypes } from '@rogatka/contract/activity.ts'

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

const oneOf = <T>(options: readonly T[], value: unknown) => options.find((option) => String(option) === String(value))

const positive = (value: unknown) => {
  const number = Number(value)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

const instantIn = (value: unknown): string | undefined => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** Reads the address; what is malformed is left out, and the first page stands for itself. */
export function readActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const page = positive(search.page)
  return {
    tab: oneOf(['audit', 'outbox'] as const, search.tab),
    userId: positive(search.userId),
    eventType: oneOf(eventTypes, search.eventType),
    dateTimeStart: instantIn(search.dateTimeStart),
    dateTimeEnd: instantIn(search.dateTimeEnd),
    page: page === 1 ? undefined : page,
  }
}
