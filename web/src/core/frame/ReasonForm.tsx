import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { type EntryFormProps, useEntryForm } from '../useEntryForm.ts'
import { EntryForm } from './EntryForm.tsx'

type Props<T> = EntryFormProps<T> & {
  entry: T
  /** Id and displayed name of the form, for its draft. */
  draft: { form: string; title: string }
  /** What the action does. */
  effect: ReactNode
  /** Label of the field, and hint while it is empty. */
  label: string
  missing: string
  /** Label of the button. */
  action: string
  send: (reason: string) => Promise<unknown>
}

/** Ends something with a reason, in a dialog. */
export function ReasonForm<T extends { id: number; version: number }>(props: Props<T>) {
  const { entry, draft, effect, label, missing, action, send } = props
  const entryForm = useEntryForm<T, { reason: string }>(props, {
    draft,
    valuesOf: () => ({ reason: '' }),
    fetch: async () => entry,
    storedText: () => '',
    fields: ['reason'],
    isFilled: ({ reason }) => reason.trim() !== '',
    send: ({ reason }) => send(reason),
    keep: () => ({}),
  })
  const { values, change, errors, firstField } = entryForm
  return (
    <EntryForm form={entryForm} title={null} missing={missing} action={action} onCancel={props.onCancel}>
      <p>{effect}</p>
      <TextInput
        ref={firstField}
        label={label}
        maxLength={200}
        autoComplete="off"
        value={values.reason}
        onChange={(event) => change({ reason: event.currentTarget.value })}
        error={errors.reason}
        data-autofocus
      />
    </EntryForm>
  )
}
