import { add } from '@rogatka/contract/roles.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { RoleFormPage } from './RoleFormPage.tsx'
import { emptyRole, roleOf } from './roleValues.ts'
import { useRoleForm } from './useRoleForm.ts'

type Props = { onClose: () => void; onSaved: () => void }

/** Form of a new role. */
export function AddRole({ onClose, onSaved }: Props) {
  const { t } = useTranslation('roles')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const roleForm = useRoleForm(emptyRole)
  const { form, banner } = roleForm
  const save = useMutation({
    onMutate: banner.clear,
    mutationFn: () => call(add, { body: roleOf(form.getValues()) }),
    onSuccess: async () => {
      showSuccess(t('created'))
      await client.invalidateQueries({ queryKey: ['roles'] })
      onSaved()
    },
    onError: roleForm.show,
  })
  return (
    <RoleFormPage
      title={t('new-role')}
      roleForm={roleForm}
      draft="roles/new"
      saving={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {banner.message && <ErrorBanner error={banner.message.error} dismiss={banner.clear} />}
    </RoleFormPage>
  )
}
