import { change, type Role } from '@rogatka/contract/roles.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useDraftBase } from '../core/useDraft.ts'
import { useEdit } from '../core/useEdit.ts'
import { selfQuery, useSelf } from '../core/useSelf.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { EditNotices } from '../ui/EditNotices.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FormTitle } from '../ui/FormBar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { useConfirm } from '../ui/useConfirm.ts'
import { RoleFormPage } from './RoleFormPage.tsx'
import { permissionLoss, type RoleValues, roleOf, valuesOf } from './roleValues.ts'
import { usePermissionTexts } from './usePermissionTexts.ts'
import { useRoleForm } from './useRoleForm.ts'
import { roleQuery } from './useRoles.ts'

type Props = { id: number; onClose: () => void; onSaved: () => void }

/** Form of a stored role. */
export function EditRole({ id, onClose, onSaved }: Props) {
  const { t } = useTranslation('roles')
  const { data: role, error, refetch } = useQuery(roleQuery(id))
  useShortcuts([{ key: 'Escape', label: t('ui:back-to-list'), run: onClose }])
  if (role) return <EditForm role={role} onClose={onClose} onSaved={onSaved} />
  return (
    <PageLayout title={<FormTitle back={t('core:nav-roles')} onBack={onClose} title={t('edit-role')} />}>
      {error ? (
        <ErrorBanner error={error} title={t('role-failed')} retry={() => void refetch()} />
      ) : (
        <Loading label={t('loading-role')} />
      )}
    </PageLayout>
  )
}

function EditForm({ role: latest, onClose, onSaved }: { role: Role } & Omit<Props, 'id'>) {
  const { t } = useTranslation('roles')
  const texts = usePermissionTexts()
  const client = useQueryClient()
  const draft = `roles/${latest.id}`
  const { base: role, isOlder } = useDraftBase(draft, latest)
  const showSuccess = useSuccessToast()
  const roleForm = useRoleForm(valuesOf(role))
  const { form, banner } = roleForm
  const storedText = (latest: Role, field: keyof RoleValues) => {
    if (field === 'permissions') return latest.permissions.map(({ name }) => texts(name).name).join(', ')
    if (field === 'requiredFactor') return t(`factor-${latest.requiredFactor}`)
    return valuesOf(latest)[field] || t('ui:empty')
  }
  const { base, stored, save, notices } = useEdit(role, form, {
    valuesOf,
    fetch: () => client.fetchQuery({ ...roleQuery(role.id), staleTime: 0 }),
    storedText,
    isOlder,
    banner,
    send: (version) => call(change, { params: { id: role.id }, body: { ...roleOf(form.getValues()), version } }),
    onSaved: async () => {
      showSuccess(t('ui:changes-saved'))
      // The user's own rights may have changed.
      await Promise.all([
        client.invalidateQueries({ queryKey: ['roles'] }),
        client.invalidateQueries({ queryKey: selfQuery.queryKey }),
      ])
      onSaved()
    },
    onRejected: roleForm.show,
  })
  const confirm = useConfirm(() => save.mutate())
  const { data: self } = useSelf()
  /** Texts about the rights that the user would lose; empty unless it is their own role. */
  const ownLoss = (): string[] => {
    if (self?.roles[0]?.id !== role.id) return []
    const { lost, restricted } = permissionLoss(self.permissions, form.getValues().permissions)
    const rights = lost.map((permission) => texts(permission).name).join(', ')
    return [...(rights ? [t('own-role-loses', { rights })] : []), ...(restricted ? [t('own-role-restricted')] : [])]
  }
  return (
    <RoleFormPage
      id={role.id}
      title={t('edit-role')}
      record={role.name}
      roleForm={roleForm}
      draft={draft}
      base={() => base.current}
      stored={stored}
      saving={save.isPending}
      onSubmit={() => (ownLoss().length > 0 ? confirm.ask() : save.mutate())}
      onClose={onClose}
    >
      <ConfirmDialog {...confirm.dialog} title={t('own-role')} confirmLabel={t('ui:save')} destructive>
        {ownLoss().map((text) => (
          <p key={text}>{text}</p>
        ))}
      </ConfirmDialog>
      <EditNotices {...notices} />
    </RoleFormPage>
  )
}
