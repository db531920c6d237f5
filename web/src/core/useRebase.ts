import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { threeWayMerge } from './rebase.ts'

/** What is needed of a form. */
type Form<V> = {
  getValues: () => V
  setInitialValues: (values: V) => void
  setValues: (values: V) => void
}

type Options<T, V> = {
  valuesOf: (stored: T) => V
  /** What is stored now. */
  fetch: () => Promise<T>
  /** How a stored value reads beside its field. */
  storedText: (now: T, field: keyof V & string) => string
  /** What the form begins with is a draft's, and somebody saved since: it is loaded anew at once. */
  isOlder: boolean
  onLoaded: () => void
  onFailure: (error: unknown) => void
}

/** What a form stands on, which others may change while it is filled in: it is loaded anew without losing what was typed. */
export function useRebase<T, V extends Record<string, unknown>>(
  loaded: T,
  form: Form<V>,
  { valuesOf, fetch, storedText, isOlder, onLoaded, onFailure }: Options<T, V>,
) {
  /** As it was loaded last. */
  const base = useRef(loaded)
  /** The stored texts of the fields that were changed here and elsewhere, differently. */
  const [stored, setStored] = useState<Partial<Record<keyof V, string>>>({})
  const load = useMutation({
    mutationFn: fetch,
    onSuccess: (now) => {
      const { values, conflicts } = threeWayMerge(valuesOf(base.current), form.getValues(), valuesOf(now))
      base.current = now
      form.setInitialValues(valuesOf(now))
      form.setValues(values)
      setStored(Object.fromEntries(conflicts.map((field) => [field, storedText(now, field)])) as typeof stored)
      onLoaded()
    },
    onError: onFailure,
  })
  const { mutate } = load
  useEffect(() => {
    if (isOlder) mutate()
  }, [isOlder, mutate])
  return { base, stored, load }
}
