import { audit, list, outbox, vmsLogs } from '@rogatka/contract/activity.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import type { Direction } from '../ui/sortLevels.ts'
import type { EventType } from './search.ts'

export const PAGE_SIZE = 10

const SIGN_EVENT: EventType = 3

/** Filters of the history; the end is exclusive. */
export type ActivityQuery = {
  dateTimeStart: string
  dateTimeEnd: string
  userId: number | undefined
  eventType: EventType | undefined
}

/** A page of a list by time. */
export type TimePage = { page: number; orderDirection: Direction }

const paged = (page: TimePage) => ({ ...page, limit: PAGE_SIZE })
const listOptions = { placeholderData: keepPreviousData, staleTime: 0 }

/** One page of visits; those of signs have their own endpoint. */
export const useActivity = ({ eventType, ...search }: ActivityQuery, page: TimePage) =>
  useQuery({
    queryKey: ['activity', 'history', search, eventType, page],
    queryFn: ({ signal }) => {
      const query = { ...search, ...paged(page) }
      if (eventType === SIGN_EVENT) return call(vmsLogs, { query, signal, background: true })
      const eventTypes = eventType ? String(eventType) : undefined
      return call(list, { query: { ...query, eventTypes }, signal, background: true })
    },
    ...listOptions,
  })

/** One page of the audit log. */
export const useAudit = ({ dateTimeStart, dateTimeEnd, userId }: Omit<ActivityQuery, 'eventType'>, page: TimePage) =>
  useQuery({
    queryKey: ['activity', 'audit', dateTimeStart, dateTimeEnd, userId, page],
    queryFn: ({ signal }) =>
      call(audit, { query: { dateTimeStart, dateTimeEnd, userId, ...paged(page) }, signal, background: true }),
    ...listOptions,
  })

/** One page of outgoing messages. */
export const useOutbox = (page: TimePage) =>
  useQuery({
    queryKey: ['activity', 'outbox', page],
    queryFn: ({ signal }) => call(outbox, { query: paged(page), signal, background: true }),
    ...listOptions,
  })
