import { audit, list, outbox, vmsLogs } from '@rogatka/contract/activity.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import type { EventType } from './search.ts'

export const PAGE_SIZE = 10

const SIGNS: EventType = 3

/** What the history is asked for; the range is half-open. */
export type ActivityQuery = {
  dateTimeStart: string
  dateTimeEnd: string
  userId: number | undefined
  eventType: EventType | undefined
}

const paged = (page: number) => ({ page, limit: PAGE_SIZE, orderDirection: 'desc' as const })
const kept = { placeholderData: keepPreviousData, staleTime: 0 }

/** A page of the history, newest first; that of the signs alone has a call of its own. */
export const useActivity = ({ eventType, ...search }: ActivityQuery, page: number) =>
  useQuery({
    queryKey: ['activity', 'history', search, eventType, page],
    queryFn: ({ signal }) => {
      const query = { ...search, ...paged(page) }
      if (eventType === SIGNS) return call(vmsLogs, { query, signal, background: true })
      const eventTypes = eventType ? String(eventType) : undefined
      return call(list, { query: { ...query, eventTypes }, signal, background: true })
    },
    ...kept,
  })

/** A page of the changes, newest first. */
export const useAudit = ({ dateTimeStart, dateTimeEnd, userId }: Omit<ActivityQuery, 'eventType'>, page: number) =>
  useQuery({
    queryKey: ['activity', 'audit', dateTimeStart, dateTimeEnd, userId, page],
    queryFn: ({ signal }) =>
      call(audit, { query: { dateTimeStart, dateTimeEnd, userId, ...paged(page) }, signal, background: true }),
    ...kept,
  })

/** A page of the messages to people, newest first. */
export const useOutbox = (page: number) =>
  useQuery({
    queryKey: ['activity', 'outbox', page],
    queryFn: ({ signal }) => call(outbox, { query: paged(page), signal, background: true }),
    ...kept,
  })
