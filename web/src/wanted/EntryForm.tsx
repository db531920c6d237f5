import { Button, TextInput } from '@mantine/core'
import { MAX_DESCRIPTION } from '@rogatka/contract/wanted.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EditNotices } from '../ui/EditNotices.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import { storedBelow } from '../ui/StoredValue.tsx'
import type { EntryFormState } from './useEntryForm.ts'
import css from './Wanted.module.css'

type Props = {
  form: EntryFormState
  /** Title of the panel for a new entry; a stored entry is edited in a dialog. */
  title: string
  /** Hint while required fields are empty. */
  missing: string
  onCancel?: (() => void) | undefined
  children: ReactNode
}

/** Form of a list entry: notices, fields, buttons. */
export function EntryForm({ form, title, missing, onCancel, children }: Props) {
  const { t } = useTranslation('wanted')
  const { isNew, notices, filled, saving, onSubmit } = form
  const content = (
    <form className={css.form} noValidate onSubmit={onSubmit}>
      <EditNotices {...notices} title={t(isNew ? 'add-failed' : 'save-failed')} />
      {children}
      <div className={css.buttons}>
        <Button type="submit" disabled={!filled} loading={saving}>
          {t(isNew ? 'add' : 'ui:save')}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('ui:cancel')}
          </Button>
        )}
        {!filled && <span className={css.reason}>{missing}</span>}
      </div>
    </form>
  )
  if (!isNew) return content
  return (
    <Panel>
      <Section title={title}>{content}</Section>
    </Panel>
  )
}

type DescriptionProps = {
  value: string
  onChange: (description: string) => void
  error: string | undefined
  stored: string | undefined
}

/** Description field with the number of characters left. */
export function DescriptionField({ value, onChange, error, stored }: DescriptionProps) {
  const { t } = useTranslation('wanted')
  return (
    <TextInput
      label={t('ui:description')}
      maxLength={MAX_DESCRIPTION}
      autoComplete="off"
      rightSection={<span className={css.counter}>{MAX_DESCRIPTION - value.length}</span>}
      rightSectionWidth={44}
      rightSectionPointerEvents="none"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      {...storedBelow(stored)}
    />
  )
}
