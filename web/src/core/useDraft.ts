import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { type DraftKey, deleteDraft, readDraft, writeDraft } from './drafts.ts'
import { session } from './session.ts'

/** Debounce of writing, ms. */
const DELAY_MS = 500

type Options<V> = {
  /** Id of the form and its record: `users/12`. */
  form: string
  /** Displayed name of the form, for the inactivity warning. */
  title: string
  /** Fields that are never stored: passwords and files. */
  withheld?: readonly (keyof V & string)[]
  /** The form's current base record; absent for a new one. */
  base?: (() => unknown) | undefined
}

type FormState<V> = {
  values: V
  dirty: boolean
  /** Sets values of a draft. */
  restore: (values: Partial<V>) => void
  /** Restores the initial values. */
  reset: () => void
}

export type RestoredDraft = {
  /** When it was stored; null without a restored draft. */
  savedAt: string | null
  discard: () => void
}

const storedDraft = (form: string) => readDraft({ userId: session.get().userId, form })

/** Whether the user has a draft of a form, which then has to be opened again. */
export const hasDraft = (form: string): boolean => storedDraft(form) !== null

/**
 * The base record of a form: that of its draft, so that changes by other users are detected. `isOlder` if the draft's
 * differs from the stored one. Undefined for a new record.
 */
export function useDraftBase<T extends { version: number } | undefined>(
  form: string,
  stored: T,
): { base: T; isOlder: boolean } {
  const [base] = useState(() => (storedDraft(form)?.base as T | null | undefined) ?? stored)
  const [isOlder] = useState(base?.version !== stored?.version)
  return { base, isOlder }
}

/** `useDraftState` for a Mantine form. */
export const useDraft = <V extends Record<string, unknown>>(
  form: UseFormReturnType<V>,
  options: Options<V>,
): RestoredDraft =>
  useDraftState(
    {
      values: form.getValues(),
      dirty: form.isDirty(),
      restore: (values) => form.setValues(values as Parameters<typeof form.setValues>[0]),
      reset: () => form.reset(),
    },
    options,
  )

/**
 * Stores unsent input and restores it when the same user opens the form again. The draft is deleted when the form is
 * left, saved or reset; it is kept when the session ends automatically.
 */
export function useDraftState<V extends object>(
  { values, dirty, restore, reset }: FormState<V>,
  { form, title, withheld = [], base = () => null }: Options<V>,
): RestoredDraft {
  const [key] = useState<DraftKey>(() => ({ userId: session.get().userId, form }))
  const [draft, setDraft] = useState(() => readDraft(key))
  const text = JSON.stringify(values, (field, value) =>
    withheld.includes(field as keyof V & string) ? undefined : value,
  )
  const latest = useRef({ dirty, restore, write: () => {} })
  useEffect(() => {
    const write = () =>
      writeDraft(key, { title, savedAt: new Date().toISOString(), values: JSON.parse(text), base: base() })
    latest.current = { dirty, restore, write }
  })
  useEffect(() => {
    if (draft) latest.current.restore(draft.values as Partial<V>)
  }, [draft])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the text restarts the delay
  useEffect(() => {
    // On the first render the draft's values are not in the form yet.
    if (!dirty) return
    const timer = setTimeout(() => latest.current.write(), DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, dirty])
  useEffect(() => {
    // The page may be left before the delay has ended, for example for a provider that asks for a step-up.
    const leave = () => {
      if (latest.current.dirty) latest.current.write()
    }
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
  const wasDirty = useRef(false)
  useEffect(() => {
    if (wasDirty.current && !dirty) {
      deleteDraft(key)
      setDraft(null)
    }
    wasDirty.current = dirty
  }, [dirty, key])
  useEffect(
    () => () => {
      if (!latest.current.dirty) return
      const { token, ended, mustChangePassword, mustSetUpFactor } = session.get()
      const isKept = token === null ? ended !== null : mustChangePassword || mustSetUpFactor
      if (isKept) latest.current.write()
      else deleteDraft(key)
    },
    [key],
  )
  return {
    savedAt: draft?.savedAt ?? null,
    discard: () => {
      deleteDraft(key)
      setDraft(null)
      reset()
    },
  }
}
