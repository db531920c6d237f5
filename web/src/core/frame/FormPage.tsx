import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormActions, FormEnd, FormTitle } from '../../ui/FormBar.tsx'
import { useShortcuts } from '../shortcuts.ts'
import { useDraft } from '../useDraft.ts'
import { useTitle, useTitlePart } from '../useTitle.ts'
import { FormNotices } from './FormNotices.tsx'
import { PageLayout } from './PageLayout.tsx'
import { UnsavedChanges } from './UnsavedChanges.tsx'

const FORM = 'form'

type Props<V extends Record<string, unknown>> = {
  title: string
  /** Name of the edited record. */
  record?: string | undefined
  /** Name of the list to return to. */
  back: string
  form: UseFormReturnType<V>
  draft: Omit<Parameters<typeof useDraft<V>>[1], 'title'>
  /** Field that the draft does not contain. */
  withheld?: 'password'
  /** Limits the width. */
  className?: string | undefined
  saving: boolean
  /** Banners above the fields. */
  notices: ReactNode
  /** The fields. */
  children: ReactNode
  onSubmit: () => void
  onInvalid: (errors: Record<string, unknown>) => void
  onClose: () => void
}

/** Form page of a record: bar, draft, notices and fields. */
export function FormPage<V extends Record<string, unknown>>(props: Props<V>) {
  const { title, record, back, form, withheld, className, saving, notices, children, onSubmit, onInvalid, onClose } =
    props
  const { t } = useTranslation('ui')
  const dirty = form.isDirty()
  const draft = useDraft(form, { ...props.draft, title })
  useTitle(title)
  useTitlePart(record ?? null)
  useShortcuts([{ key: 'Escape', label: t('back-to-list'), run: onClose }])
  return (
    <PageLayout
      title={<FormTitle back={back} onBack={onClose} title={title} />}
      actions={<FormActions form={FORM} dirty={dirty} saving={saving} onCancel={onClose} />}
    >
      <UnsavedChanges dirty={dirty} />
      <div className={className}>
        <FormNotices draft={draft} withheld={withheld}>
          {notices}
        </FormNotices>
        <form id={FORM} noValidate onSubmit={form.onSubmit(onSubmit, onInvalid)}>
          {children}
          <FormEnd saving={saving} />
        </form>
      </div>
    </PageLayout>
  )
}
