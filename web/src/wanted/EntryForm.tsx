import { Button, TextInput } from '@mantine/core'
import { MAX_DESCRIPTION } from '@rogatka/contract/wanted.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Panel, Section } from '../ui/Panel.tsx'
import type { EntryFormState } from './useEntryForm.ts'
import css from './Wanted.module.css'

type Props = {
  form: Pick<EntryFormState, 'banner' | 'filled' | 'saving' | 'onSubmit'>
  /** Of the panel around the form of a new entry; null: a stored one is changed, in a dialog. */
  title: string | null
  /** What is still to be filled in. */
  missing: string
  onCancel?: (() => void) | undefined
  children: ReactNode
}

/** The form of an entry of a list: its fields between what was refused and the buttons. */
export function EntryForm({ form, title, missing, onCancel, children }: Props) {
  const { t } = useTranslation('wanted')
  const { banner, filled, saving, onSubmit } = form
  const isNew = title !== null
  const content = (
    <form className={css.form} noValidate onSubmit={onSubmit}>
      {banner.shown && (
        <ErrorBanner
          error={banner.shown.error}
          title={t(isNew ? 'add-failed' : 'save-failed')}
          dismiss={banner.clear}
        />
      )}
      {children}
      <div className={css.buttons}>
        <Button type="submit" disabled={!filled} loading={saving}>
          {t(isNew ? 'add' : 'save')}
        </Button>
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('cancel')}
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

type DescriptionProps = { value: string; onChange: (description: string) => void; error: string | undefined }

/** The description of an entry, with the characters that are left. */
export function DescriptionField({ value, onChange, error }: DescriptionProps) {
  const { t } = useTranslation('wanted')
  return (
    <TextInput
      label={t('description')}
      maxLength={MAX_DESCRIPTION}
      autoComplete="off"
      rightSection={<span className={css.counter}>{MAX_DESCRIPTION - value.length}</span>}
      rightSectionWidth={44}
      rightSectionPointerEvents="none"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
