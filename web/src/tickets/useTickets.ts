import { attachment, find, history, list, read } from '@rogatka/contract/tickets.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { call, callBlob } from '../core/call.ts'
import { storedRecord } from '../core/storedRecord.ts'
import type { TicketsSearch } from './search.ts'

/** Durations of open tickets grow every minute. */
const POLL_MS = 60_000

/** Tickets of a month; by default the newest one. */
export const useTicketMonth = ({ year, month }: TicketsSearch) =>
  useQuery({
    queryKey: ['tickets', 'month', year, month],
    queryFn: ({ signal }) => call(list, { query: { year, month }, signal, background: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: POLL_MS,
  })

export const FOUND_PAGE = 20

/** Open tickets, or those of a station, across all months. */
export const useFoundTickets = ({ open, station, page = 1 }: TicketsSearch) =>
  useQuery({
    queryKey: ['tickets', 'found', open, station, page],
    queryFn: ({ signal }) =>
      call(find, { query: { open, locationId: station, page, limit: FOUND_PAGE }, signal, background: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: POLL_MS,
  })

/** Change history of a ticket. */
export const useTicketHistory = (id: number) =>
  useQuery({
    queryKey: ['tickets', 'history', id],
    queryFn: ({ signal }) => call(history, { params: { id }, signal, background: true }),
    staleTime: 0,
  })

/** Query of a stored ticket. */
export const ticketQuery = (id: number) =>
  storedRecord('tickets', id, (signal) => call(read, { params: { id }, signal, background: true }))

/** Query of an attachment. */
export const attachmentQuery = (id: number, number: number) =>
  queryOptions({
    queryKey: ['tickets', 'attachment', id, number],
    queryFn: ({ signal }) => callBlob(attachment, { params: { id }, query: { number }, signal, background: true }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
