import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormPage } from '../core/frame/FormPage.tsx'
import { UserFields } from './UserFields.tsx'
import css from './Users.module.css'
import type { UserValues } from './userValues.ts'
import type { UserForm } from './useUserForm.ts'

type Props = {
  title: string
  /** Name of the edited record. */
  record?: string
  userForm: UserForm
  /** Key of the form's draft. */
  draft: string
  /** The base record of the form. */
  base?: () => unknown
  /** New user: the password is required, and there is no company field. */
  adding: boolean
  /** Name of the provider of an account that has no password here. */
  provider?: string | null
  /** The user's current role, in case it is not among the options. */
  ownRole?: { id: number; name: string } | undefined
  /** Values stored by another user in the meantime, by field. */
  stored?: Partial<Record<keyof UserValues, string>>
  saving: boolean
  /** Banners above the fields. */
  children?: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** Form page of a user. */
export function UserFormPage(props: Props) {
  const {
    title,
    record,
    userForm,
    draft,
    base,
    adding,
    provider = null,
    ownRole,
    stored = {},
    saving,
    children,
    onSubmit,
    onClose,
  } = props
  const { t } = useTranslation('core')
  return (
    <FormPage
      title={title}
      record={record}
      back={t('nav-users')}
      form={userForm.form}
      draft={{ form: draft, withheld: ['password', 'repeatPassword'], base }}
      {...(adding && { withheld: 'password' })}
      className={css.form}
      saving={saving}
      notices={children}
      onSubmit={onSubmit}
      onInvalid={userForm.focusFirst}
      onClose={onClose}
    >
      <UserFields userForm={userForm} adding={adding} provider={provider} ownRole={ownRole} stored={stored} />
    </FormPage>
  )
}
