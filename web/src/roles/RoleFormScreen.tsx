import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DraftNotice } from '../core/frame/DraftNotice.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { UnsavedChanges } from '../core/frame/UnsavedChanges.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useDraft } from '../core/useDraft.ts'
import { useTitle } from '../core/useTitle.ts'
import { FormActions, FormEnd, FormTitle } from '../ui/FormBar.tsx'
import { RoleFields } from './RoleFields.tsx'
import css from './Roles.module.css'
import type { RoleValues } from './roleValues.ts'
import type { RoleForm } from './useRoleForm.ts'

const FORM = 'role'

type Props = {
  /** Undefined for a new role. */
  id?: number
  title: string
  roleForm: RoleForm
  /** The name of the form's draft. */
  draft: string
  /** The stored role that the form stands on. */
  base?: () => unknown
  /** What somebody else stored meanwhile, by field. */
  stored?: Partial<Record<keyof RoleValues, string>>
  saving: boolean
  /** Banners above the fields. */
  children?: ReactNode
  onSubmit: () => void
  onClose: () => void
}

/** The form of a role with its bar. */
export function RoleFormScreen(props: Props) {
  const { id, title, roleForm, draft: name, base, stored = {}, saving, children, onSubmit, onClose } = props
  const { t } = useTranslation('roles')
  const { form, refuse } = roleForm
  const dirty = form.isDirty()
  const draft = useDraft(form, { form: name, title, base })
  useTitle(title)
  useShortcuts([{ key: 'Escape', label: t('ui:back-to-list'), run: onClose }])
  return (
    <PageLayout
      title={<FormTitle back={t('core:nav-roles')} onBack={onClose} title={title} />}
      actions={<FormActions form={FORM} dirty={dirty} saving={saving} onCancel={onClose} />}
    >
      <UnsavedChanges dirty={dirty} />
      <div className={css.notices}>
        <DraftNotice draft={draft} />
        {children}
      </div>
      <form id={FORM} noValidate onSubmit={form.onSubmit(onSubmit, refuse)}>
        <RoleFields id={id} roleForm={roleForm} stored={stored} />
        <FormEnd saving={saving} />
      </form>
    </PageLayout>
  )
}
