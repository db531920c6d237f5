import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DraftNotice } from '../core/frame/DraftNotice.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { UnsavedChanges } from '../core/frame/UnsavedChanges.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useDraft } from '../core/useDraft.ts'
import { useTitle } from '../core/useTitle.ts'
import { FormActions, FormEnd, FormTitle } from '../ui/FormBar.tsx'
import { UserFields } from './UserFields.tsx'
import css from './Users.module.css'
import type { UserValues } from './userValues.ts'
import type { UserForm } from './useUserForm.ts'

const FORM = 'user'

type Props = {
  title: string
  userForm: UserForm
  /** The name of the form's draft. */
  draft: string
  /** The stored user that the form stands on. */
  base?: () => unknown
  /** A new user: the password is required, and there is no company yet. */
  adding: boolean
  /** The role that the user has, should it not be among the choices. */
  ownRole?: { id: number; name: string } | undefined
  /** What somebody else stored meanwhile, by field. */
  stored?: Partial<Record<keyof UserValues, string>>
  saving: boolean
  /** Banners above the fields. */
  children?: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** The form of a user with its bar. */
export function UserFormScreen(props: Props) {
  const {
    title,
    userForm,
    draft: name,
    base,
    adding,
    ownRole,
    stored = {},
    saving,
    children,
    onSubmit,
    onClose,
  } = props
  const { t } = useTranslation('users')
  const { form, focusFirst } = userForm
  const dirty = form.isDirty()
  const draft = useDraft(form, { form: name, title, withheld: ['password', 'repeatPassword'], base })
  useTitle(title)
  useShortcuts([{ key: 'Escape', label: t('ui:back-to-list'), run: onClose }])
  return (
    <PageLayout
      title={<FormTitle back={t('core:nav-users')} onBack={onClose} title={title} />}
      actions={<FormActions form={FORM} dirty={dirty} saving={saving} onCancel={onClose} />}
    >
      <UnsavedChanges dirty={dirty} />
      <div className={css.notices}>
        <DraftNotice draft={draft} {...(adding && { withheld: 'password' })} />
        {children}
      </div>
      <form id={FORM} className={css.form} noValidate onSubmit={form.onSubmit(onSubmit, focusFirst)}>
        <UserFields userForm={userForm} adding={adding} ownRole={ownRole} stored={stored} />
        <FormEnd saving={saving} />
      </form>
    </PageLayout>
  )
}
