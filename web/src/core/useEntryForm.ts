import { type FormEvent, useRef, useState } from 'react'
import { fieldErrors } from './errors.ts'
import { hasCode } from './failure.ts'
import { useBanner } from './useBanner.ts'
import { useDraftBase, useDraftState } from './useDraft.ts'
import { useRebase } from './useRebase.ts'

export type EntryFormProps<T> = {
  /** The stored entry when the form opens; absent: a new entry. */
  entry?: T
  onSaved: () => void
  /** The lists are outdated. */
  onStale: () => void
  onCancel?: () => void
}

type Options<T, V> = {
  /** Id and displayed name of the form, for its draft; `withheld`: secrets, which are never stored. */
  draft: { form: string; title: string; withheld?: readonly (keyof V & string)[] }
  valuesOf: (entry: T | undefined) => V
  /** Fetches the stored entry. */
  fetch: (entry: T) => Promise<T>
  /** Formats a stored value for its field; empty if there is none. */
  storedText: (entry: T, field: keyof V & string) => string
  /** Fields that server errors may name. */
  fields: readonly string[]
  /** Whether the required fields are filled. */
  isFilled: (values: V) => boolean
  send: (values: V, entry: T | undefined) => Promise<unknown>
  /** Values to keep for the next new entry. */
  keep: (sent: V) => Partial<V>
}

/**
 * State of an entry form. After adding, the form is cleared for the next entry. When editing, an edit conflict offers
 * to load the newer version first. Input is kept as a draft over an automatic sign-out.
 */
export function useEntryForm<T extends { id: number; version: number }, V extends Record<string, unknown>>(
  { entry, onSaved, onStale }: EntryFormProps<T>,
  { draft, valuesOf, fetch, storedText, fields, isFilled, send, keep }: Options<T, V>,
) {
  const { base: loaded, isOlder } = useDraftBase(draft.form, entry)
  const [initial, setInitial] = useState(() => valuesOf(loaded))
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [saving, setSaving] = useState(false)
  const [isConflict, setConflict] = useState(false)
  const banner = useBanner()
  const firstField = useRef<HTMLInputElement>(null)
  const filled = isFilled(values)
  const { base, stored, load } = useRebase<T | undefined, V>(
    loaded,
    { getValues: () => values, setInitialValues: setInitial, setValues },
    {
      valuesOf,
      fetch: async () => entry && fetch(entry),
      storedText: (current, field) => (current ? storedText(current, field) : ''),
      isOlder,
      onLoaded: () => setConflict(false),
      onFailure: banner.show,
    },
  )
  const restored = useDraftState(
    {
      values,
      dirty: JSON.stringify(values) !== JSON.stringify(initial),
      restore: (part) => setValues((current) => ({ ...current, ...part })),
      reset: () => setValues(initial),
    },
    { ...draft, base: () => base.current ?? null },
  )

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!filled || saving) return
    setSaving(true)
    setConflict(false)
    banner.clear()
    try {
      await send(values, base.current)
      if (!base.current) {
        const next = { ...valuesOf(undefined), ...keep(values) }
        setInitial(next)
        setValues(next)
      }
      firstField.current?.focus()
      onSaved()
    } catch (error) {
      setErrors(fieldErrors(error, fields))
      const conflict = hasCode(error, 'changed-meanwhile')
      setConflict(conflict)
      if (!conflict) banner.show(error)
      if (base.current) onStale()
    } finally {
      setSaving(false)
    }
  }
  const change = (part: Partial<V>) => {
    setValues((current) => ({ ...current, ...part }))
    setErrors({})
  }
  return {
    isNew: entry === undefined,
    values,
    change,
    errors,
    stored,
    filled,
    saving,
    draft: restored,
    notices: { isConflict, load, stored, banner },
    firstField,
    onSubmit: (event: FormEvent) => void save(event),
  }
}
