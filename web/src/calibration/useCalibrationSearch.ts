import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { serverNow } from '../core/clock.ts'
import { session } from '../core/session.ts'
import { lastDays } from '../ui/dateRange.ts'
import {
  type CalibrationSearch,
  changeSearch,
  DEFAULT_HOURS,
  hoursIn,
  type Kind,
  pathOf,
  readCalibrationSearch,
  type Step,
} from './search.ts'

/** Where the operator last stood on each screen, for when they come by a link that knows nothing of it. */
let left: Partial<Record<Kind, CalibrationSearch>> = {}
session.subscribe(() => {
  if (session.get().token === null) left = {}
})

/** One day up to now, every two hours. */
function firstSearch(kind: Kind): CalibrationSearch {
  const { start, end } = lastDays(1, serverNow())
  const hours = kind === 'load' ? { statResolutionValue: DEFAULT_HOURS } : {}
  return { step: 1, dateTimeStart: start, dateTimeEnd: end, ...hours }
}

/** The address of a calibration screen and the ways to change it. */
export function useCalibrationSearch(kind: Kind) {
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const search = readCalibrationSearch(address)
  const navigate = useNavigate()
  const to = pathOf[kind]

  // From the newest address, which may be newer than what is on the screen.
  const go = (next: (now: CalibrationSearch) => CalibrationSearch, replace: boolean) =>
    void navigate({ to, search: (now) => next(readCalibrationSearch(now)), replace })

  useEffect(() => {
    if (search.step) {
      left[kind] = search
      return
    }
    // The wizard writes its step, so an address without one comes from a link.
    const given = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
    const instead =
      Object.keys(given).length > 0 ? { ...firstSearch(kind), ...given } : (left[kind] ?? firstSearch(kind))
    void navigate({ to, search: instead, replace: true })
  })

  return {
    search,
    /** The address is about to be replaced by where the operator was. */
    entering: !search.step,
    /** Steps are places to come back to; filters are not. */
    goTo: (step: Step) => go((now) => ({ ...now, step }), false),
    /** Back to the first step, where something needed is missing. */
    reset: () => go((now) => ({ ...now, step: 1 }), true),
    change: (changes: Partial<CalibrationSearch>) => go((now) => ({ step: 1, ...changeSearch(now, changes) }), true),
    /** A resolution that a link asked for and nobody can have. */
    unsupported: address.statResolutionValue !== undefined && hoursIn(address.statResolutionValue) === undefined,
  }
}
