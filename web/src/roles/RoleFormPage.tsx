import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormPage } from '../core/frame/FormPage.tsx'
import { RoleFields } from './RoleFields.tsx'
import type { RoleValues } from './roleValues.ts'
import type { RoleForm } from './useRoleForm.ts'

type Props = {
  /** Undefined for a new role. */
  id?: number
  title: string
  /** Name of the edited record. */
  record?: string
  roleForm: RoleForm
  /** Key of the form's draft. */
  draft: string
  /** The base record of the form. */
  base?: () => unknown
  /** Values stored by another user in the meantime, by field. */
  stored?: Partial<Record<keyof RoleValues, string>>
  saving: boolean
  /** Banners above the fields. */
  children?: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** Form page of a role. */
export function RoleFormPage(props: Props) {
  const { id, title, record, roleForm, draft, base, stored = {}, saving, children, onSubmit, onClose } = props
  const { t } = useTranslation('core')
  return (
    <FormPage
      title={title}
      record={record}
      back={t('nav-roles')}
      form={roleForm.form}
      draft={{ form: draft, base }}
      saving={saving}
      notices={children}
      onSubmit={onSubmit}
      onInvalid={roleForm.showErrors}
      onClose={onClose}
    >
      <RoleFields id={id} roleForm={roleForm} stored={stored} />
    </FormPage>
  )
}
