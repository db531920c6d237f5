import type { WireOf } from '@rogatka/contract/endpoint.ts'
import { list, read, readCarrier } from '@rogatka/contract/offenders.ts'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { daysOf } from '../ui/dayRange.ts'
import type { OffenderSearch } from './search.ts'

export type OffenderDetail = WireOf<typeof read, 'response'>

export type OffenderPage = WireOf<typeof list, 'response'>

export const PAGE_SIZE = 12

/** One page of vehicles, or carriers. While another page loads, the previous rows stay. */
export function useOffenders(search: OffenderSearch) {
  const { locations, minOverloads, all = false, groupBy, orderBy, orderDirection, page } = search
  const { from, until } = daysOf(search)
  const range = { from: from ?? undefined, until: until ?? undefined }
  const filters = { ...range, locations, minOverloads, repeatOnly: !all, groupBy }
  const query = { ...filters, orderBy, orderDirection, page, limit: PAGE_SIZE }
  return useQuery({
    queryKey: ['offenders', 'list', query],
    queryFn: ({ signal }) => call(list, { query, signal }),
    placeholderData: keepPreviousData,
  })
}

/** A vehicle with its spellings, months, passages and inspections. */
export const useOffender = (id: number | undefined) =>
  useQuery({
    queryKey: ['offenders', 'detail', id],
    queryFn: id === undefined ? skipToken : ({ signal }) => call(read, { params: { id }, signal }),
  })

export type CarrierDetail = WireOf<typeof readCarrier, 'response'>

/** A carrier with its vehicles, passages and inspections. */
export const useCarrier = (key: string) =>
  useQuery({
    queryKey: ['offenders', 'carrier', key],
    queryFn: ({ signal }) => call(readCarrier, { query: { key }, signal }),
  })
