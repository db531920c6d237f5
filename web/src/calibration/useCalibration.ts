import { deviation, list } from '@rogatka/contract/calibration.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { type CalibrationSearch, type Kind, toQueries } from './search.ts'

const FEATURE = 'calibration'

/** Results of the lanes, by station. Chart images depend on the language. */
export function calibrationQuery(kind: Kind, search: CalibrationSearch, language: string) {
  const queries = toQueries(search)
  return queryOptions({
    queryKey: [FEATURE, kind, queries?.[kind], language],
    queryFn: ({ signal }) => {
      if (!queries) throw new Error('query without criteria')
      return kind === 'load'
        ? call(list, { query: queries.load, signal })
        : call(deviation, { query: queries.deviation, signal })
    },
    retry: false,
  })
}

/** Clears cached results of one page, or of both once a reference has changed. */
export const invalidateCalibration = (kind?: Kind): void =>
  queryClient.removeQueries({ queryKey: kind ? [FEATURE, kind] : [FEATURE] })

export const finishesKey = (locations: readonly number[]) =>
  [FEATURE, 'finishes', [...locations].sort((a, b) => a - b)] as const

/** Refetches everything that is shown, as a reference has changed. */
export const refreshCalibration = (): void => void queryClient.invalidateQueries({ queryKey: [FEATURE] })
