import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { entryRedirect, recordSearch } from './entry.ts'
import { changeSearch, readStatisticsSearch } from './search.ts'
import type { StatisticsSearch, Step } from './urlParams.ts'

/** The wizard's search in the URL, and functions that change it. */
export function useStatisticsSearch() {
  const search = readStatisticsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const hasEntered = useRef(false)
  const isWritten = Boolean(search.step || search.result)

  // Starts from the current URL, which may be newer than the rendered one.
  const update = (next: (current: StatisticsSearch) => StatisticsSearch, replace: boolean) =>
    void navigate({ to: '/stat', search: (current) => next(readStatisticsSearch(current)), replace })

  useEffect(() => {
    const redirect = entryRedirect(search, hasEntered.current)
    hasEntered.current = true
    if (redirect) void navigate({ to: '/stat', search: redirect, replace: true })
    else recordSearch(search)
  })

  return {
    search,
    /** The URL is about to be redirected. */
    entering: !isWritten,
    /** Steps and results create history entries; filters replace the current one. */
    goTo: (step: Step) => update((current) => ({ ...current, step, result: undefined }), false),
    /** Shows the result and resets the wizard to its first step. */
    show: (changes: Partial<StatisticsSearch>) =>
      update((current) => ({ ...current, ...changes, step: 1, result: true }), false),
    /** Returns to the first step if a required field is missing. */
    reset: () => update((current) => ({ ...current, step: 1, result: undefined }), true),
    change: (changes: Partial<StatisticsSearch>) =>
      update((current) => ({ step: 1, ...changeSearch(current, changes) }), true),
  }
}
