import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { threeWayMerge } from './rebase.ts'

/** The used part of a Mantine form. */
type Form<V> = {
  getValues: () => V
  setInitialValues: (values: V) => void
  setValues: (values: V) => void
}

type Options<T, V> = {
  valuesOf: (stored: T) => V
  /** Loads the stored record. */
  fetch: () => Promise<T>
  /** Text of a stored value, shown beside its field. */
  storedText: (record: T, field: keyof V & string) => string
  /** The base is from a draft and older than the stored record: rebases at once. */
  isOlder: boolean
  onLoaded: () => void
  onFailure: (error: unknown) => void
}

/** Rebases a form when another user saved its record: loads the record and keeps the user's input. */
export function useRebase<T, V extends Record<string, unknown>>(
  loaded: T,
  form: Form<V>,
  { valuesOf, fetch, storedText, isOlder, onLoaded, onFailure }: Options<T, V>,
) {
  /** The record as loaded last. */
  const base = useRef(loaded)
  /** Stored values, as text, of the conflicting fields. */
  const [stored, setStored] = useState<Partial<Record<keyof V, string>>>({})
  const load = useMutation({
    mutationFn: fetch,
    onSuccess: (record) => {
      const { values, conflicts } = threeWayMerge(valuesOf(base.current), form.getValues(), valuesOf(record))
      base.current = record
      form.setInitialValues(valuesOf(record))
      form.setValues(values)
      setStored(Object.fromEntries(conflicts.map((field) => [field, storedText(record, field)])) as typeof stored)
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
