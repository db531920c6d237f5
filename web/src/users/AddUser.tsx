import { add } from '@rogatka/contract/users.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useBanner } from '../core/useBanner.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { UserFormPage } from './UserFormPage.tsx'
import { emptyUser, newUserOf } from './userValues.ts'
import { useUserForm } from './useUserForm.ts'

type Props = { onClose: () => void; onSaved: () => void }

/** Form of a new user. */
export function AddUser({ onClose, onSaved }: Props) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const banner = useBanner()
  const userForm = useUserForm(emptyUser, () => null)
  const save = useMutation({
    onMutate: banner.clear,
    mutationFn: () => call(add, { body: newUserOf(userForm.form.getValues()) }),
    onSuccess: async () => {
      showSuccess(t('added'))
      await client.invalidateQueries({ queryKey: ['users'] })
      onSaved()
    },
    onError: (error) => {
      userForm.show(error)
      banner.show(error)
    },
  })
  return (
    <UserFormPage
      title={t('new-user')}
      userForm={userForm}
      draft="users/new"
      adding
      saving={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {banner.message && <ErrorBanner error={banner.message.error} title={t('add-failed')} dismiss={banner.clear} />}
    </UserFormPage>
  )
}
