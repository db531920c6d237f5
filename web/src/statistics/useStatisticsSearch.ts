import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { StatisticsSearch, Step } from './address.ts'
import { entryRedirect, recordSearch } from './entry.ts'
import { changeSearch, readStatisticsSearch } from './search.ts'

/** The address of the statistics' wizard and the ways to change it. */
export function useStatisticsSearch() {
  const search = readStatisticsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const within = useRef(false)
  const isWritten = Boolean(search.step || search.result)

  // From the newest address, which may be newer than what is on the screen.
  const go = (next: (now: StatisticsSearch) => StatisticsSearch, replace: boolean) =>
    void navigate({ to: '/stat', search: (now) => next(readStatisticsSearch(now)), replace })

  useEffect(() => {
    const instead = entryRedirect(search, within.current)
    within.current = true
    if (instead) void navigate({ to: '/stat', search: instead, replace: true })
    else recordSearch(search)
  })

  return {
    search,
    /** The address is about to be replaced by where the operator was. */
    entering: !isWritten,
    /** Steps and results are places to come back to; filters are not. */
    goTo: (step: Step) => go((now) => ({ ...now, step, result: undefined }), false),
    /** The result, with the wizard at its first step again. */
    show: (changes: Partial<StatisticsSearch>) => go((now) => ({ ...now, ...changes, step: 1, result: true }), false),
    /** Back to the first step, where something needed is missing. */
    reset: () => go((now) => ({ ...now, step: 1, result: undefined }), true),
    change: (changes: Partial<StatisticsSearch>) => go((now) => ({ step: 1, ...changeSearch(now, changes) }), true),
  }
}
