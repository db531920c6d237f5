import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors } from '../core/errors.ts'
import { useBanner } from '../core/useBanner.ts'

type Options<V> = {
  empty: V
  /** What the server may name as wrong. */
  fields: readonly string[]
  /** Whether there is enough to be sent. */
  isFilled: (values: V) => boolean
  send: (values: V) => Promise<unknown>
  /** What stays in the form for the next entry. */
  keep: (sent: V) => Partial<V>
  onAdded: () => void
}

/**
 * A form that adds one entry after the other: emptied when one is added, its first field ready for the next. One that
 * changes an entry begins with its values and keeps what was sent.
 */
export function useEntryForm<V extends object>({ empty, fields, isFilled, send, keep, onAdded }: Options<V>) {
  const [values, setValues] = useState(empty)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [saving, setSaving] = useState(false)
  const banner = useBanner()
  const first = useRef<HTMLInputElement>(null)
  const filled = isFilled(values)

  const add = async (event: FormEvent) => {
    event.preventDefault()
    if (!filled || saving) return
    setSaving(true)
    banner.clear()
    try {
      await send(values)
      setValues({ ...empty, ...keep(values) })
      first.current?.focus()
      onAdded()
    } catch (error) {
      setFaults(fieldErrors(error, fields))
      banner.show(error)
    } finally {
      setSaving(false)
    }
  }
  const change = (part: Partial<V>) => {
    setValues((now) => ({ ...now, ...part }))
    setFaults({})
  }
  return { values, change, faults, filled, saving, banner, first, onSubmit: (event: FormEvent) => void add(event) }
}

export type EntryFormState = ReturnType<typeof useEntryForm>
