import { deviation, list } from '@rogatka/contract/calibration.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { type CalibrationSearch, type Kind, toQueries } from './search.ts'

const ROOM = 'calibration'

/** Results of the lanes, by station. Chart images depend on the language. */
export function calibrationQuery(kind: Kind, search: CalibrationSearch, language: string) {
  const questions = toQueries(search)
  return queryOptions({
    queryKey: [ROOM, kind, questions?.[kind], language],
    queryFn: ({ signal }) => {
      if (!questions) throw new Error('nothing is asked')
      return kind === 'load'
        ? call(list, { query: questions.load, signal })
        : call(deviation, { query: questions.deviation, signal })
    },
    retry: false,
  })
}

/** Clears cached results of one page, or of both once a reference has changed. */
export const invalidateCalibration = (kind?: Kind): void =>
  queryClient.removeQueries({ queryKey: kind ? [ROOM, kind] : [ROOM] })

export const finishesKey = (locations: readonly number[]) =>
  [ROOM, 'finishes', [...locations].sort((a, b) => a - b)] as const

/** Refetches everything that is shown, as a reference has changed. */
export const refreshCalibration = (): void => void queryClient.invalidateQueries({ queryKey: [ROOM] })
