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

/** The last search of each page, restored by links without parameters. */
let lastSearches: Partial<Record<Kind, CalibrationSearch>> = {}
session.subscribe(() => {
  if (session.get().token === null) lastSearches = {}
})

/** Default search: the last day, every two hours. */
function defaultSearch(kind: Kind): CalibrationSearch {
  const { start, end } = lastDays(1, serverNow())
  const hours = kind === 'load' ? { statResolutionValue: DEFAULT_HOURS } : {}
  return { step: 1, dateTimeStart: start, dateTimeEnd: end, ...hours }
}

/** The wizard's search in the URL, and functions that change it. */
export function useCalibrationSearch(kind: Kind) {
  const address = useSearch({ strict: false }) as Record<string, unknown>
  const search = readCalibrationSearch(address)
  const navigate = useNavigate()
  const to = pathOf[kind]

  // Starts from the current URL, which may be newer than the rendered one.
  const update = (next: (current: CalibrationSearch) => CalibrationSearch, replace: boolean) =>
    void navigate({ to, search: (current) => next(readCalibrationSearch(current)), replace })

  useEffect(() => {
    if (search.step) {
      lastSearches[kind] = search
      return
    }
    // The wizard writes its step, so a URL without one is from a link.
    const definedValues = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
    const redirect =
      Object.keys(definedValues).length > 0
        ? { ...defaultSearch(kind), ...definedValues }
        : (lastSearches[kind] ?? defaultSearch(kind))
    void navigate({ to, search: redirect, replace: true })
  })

  return {
    search,
    /** The URL is about to be redirected. */
    entering: !search.step,
    /** Steps create history entries; filters replace the current one. */
    goTo: (step: Step) => update((current) => ({ ...current, step }), false),
    /** Returns to the first step if a required field is missing. */
    reset: () => update((current) => ({ ...current, step: 1 }), true),
    change: (changes: Partial<CalibrationSearch>) =>
      update((current) => ({ step: 1, ...changeSearch(current, changes) }), true),
    /** The URL contains a resolution that is not supported. */
    hasUnsupportedResolution:
      address.statResolutionValue !== undefined && hoursIn(address.statResolutionValue) === undefined,
  }
}
