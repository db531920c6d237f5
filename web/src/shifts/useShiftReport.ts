import { report } from '@rogatka/contract/shifts.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../core/call.ts'

/**
 * The report of the shift of an instant; undefined: the current one. While another loads, the previous one stays. Not polled, as
 * each answer is a look at plates.
 */
export const useShiftReport = (at: string | undefined) =>
  useQuery({
    queryKey: ['shifts', 'report', at ?? 'current'],
    queryFn: ({ signal }) => call(report, { query: { at }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  })
