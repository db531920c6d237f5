import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { type DraftKey, deleteDraft, readDraft, writeDraft } from './drafts.ts'
import { session } from './session.ts'

/** Not for every letter. */
const DELAY_MS = 500

type Options<V> = {
  /** Names the form and its record: `users/12`. */
  form: string
  /** What the form is called, for the warning before the sign-out. */
  title: string
  /** Fields that are never kept: passwords and files. */
  withheld?: readonly (keyof V & string)[]
  /** The record that the form stands on now; absent for a new one. */
  base?: (() => unknown) | undefined
}

type FormState<V> = {
  values: V
  dirty: boolean
  /** Puts values of a draft into the form. */
  restore: (values: Partial<V>) => void
  /** Puts back what the form began with. */
  reset: () => void
}

export type RestoredDraft = {
  /** When it was kept; null when none came back. */
  savedAt: string | null
  discard: () => void
}

/**
 * The record that a form begins with: that of its draft, so that a change by somebody else meanwhile is noticed. `isOlder`
 * when there was one.
 */
export function useDraftBase<T extends { version: number }>(form: string, stored: T): { base: T; isOlder: boolean } {
  const [base] = useState(() => {
    const draft = readDraft({ userId: session.get().userId, form })
    return (draft?.base as T | null | undefined) ?? stored
  })
  const [isOlder] = useState(base.version !== stored.version)
  return { base, isOlder }
}

/** As `useDraftState`, for a form of Mantine. */
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
 * Keeps what was typed while it is not sent, and puts it back when the form is opened again by the same user. The draft
 * goes when the form is left, saved or emptied; it stays when the session ended by itself.
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of what was typed begins the delay anew
  useEffect(() => {
    // At first the values of the draft are not in the form yet.
    if (!dirty) return
    const timer = setTimeout(() => latest.current.write(), DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, dirty])
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
      const { token, ended, mustChangePassword } = session.get()
      const isKept = token === null ? ended !== null : mustChangePassword
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
