import { Button } from '@mantine/core'
import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EditNotices } from '../../ui/EditNotices.tsx'
import css from '../../ui/Entry.module.css'
import { Panel, Section } from '../../ui/Panel.tsx'
import type { RestoredDraft } from '../useDraft.ts'
import { DraftNotice } from './DraftNotice.tsx'

type Props = {
  form: {
    isNew: boolean
    draft: RestoredDraft
    notices: Omit<ComponentProps<typeof EditNotices>, 'title'>
    /** Whether the required fields are filled. */
    filled: boolean
    saving: boolean
    onSubmit: (event: FormEvent) => void
  }
  /** Title of the panel for a new entry; null in a dialog, where stored entries are always edited. */
  title: string | null
  /** Hint while required fields are empty. */
  missing: string
  /** Label of the button, if it neither adds nor saves. */
  action?: string
  onCancel?: (() => void) | undefined
  children: ReactNode
}

/** Form of a list entry: restored draft, notices, fields, buttons. */
export function EntryForm({ form, title, missing, action, onCancel, children }: Props) {
  const { t } = useTranslation('ui')
  const { isNew, draft, notices, filled, saving, onSubmit } = form
  const content = (
    <form className={css.form} noValidate onSubmit={onSubmit}>
      <DraftNotice draft={draft} />
      <EditNotices {...notices} title={t(isNew ? 'add-failed' : 'save-failed')} />
      {children}
      <div className={css.buttons}>
        <Button type="submit" disabled={!filled} loading={saving}>
          {action ?? t(isNew ? 'add' : 'save')}
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
  if (!isNew || title === null) return content
  return (
    <Panel>
      <Section title={title}>{content}</Section>
    </Panel>
  )
}
