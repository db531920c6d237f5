import { deviation, list } from '@rogatka/contract/calibration.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../core/call.ts'
import { queryClient } from '../core/queryClient.ts'
import { type CalibrationSearch, type Kind, toQueries } from './search.ts'

const ROOM = 'calibration'

/** The lanes that were asked for, by station. The pictures of their charts are in the operator's language. */
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

/** Forgets what was found: of one screen, or, once a lane has another reference, of both. */
export const invalidateCalibration = (kind?: Kind): void =>
  queryClient.removeQueries({ queryKey: kind ? [ROOM, kind] : [ROOM] })

export const finishesKey = (locations: readonly number[]) =>
  [ROOM, 'finishes', [...locations].sort((a, b) => a - b)] as const

/** Asks again for all that is on the screen: a lane has another reference. */
export const refreshCalibration = (): void => void queryClient.invalidateQueries({ queryKey: [ROOM] })
