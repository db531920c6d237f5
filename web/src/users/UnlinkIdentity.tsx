import { Button } from '@mantine/core'
import { unlinkIdentity } from '@rogatka/contract/users.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useConfirm } from '../ui/useConfirm.ts'

type Props = { id: number; username: string; provider: string }

/** Unlinks the account of another user from its provider, after a confirmation. */
export function UnlinkIdentity({ id, username, provider }: Props) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const unlink = useMutation({
    mutationFn: () => call(unlinkIdentity, { params: { id } }),
    onSuccess: () => showSuccess(t('unlinked')),
    onError: (error) => showError(error, { title: t('unlink-failed') }),
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  })
  const confirm = useConfirm(() => unlink.mutate())
  return (
    <div>
      <Button variant="default" loading={unlink.isPending} onClick={confirm.ask}>
        {t('unlink')}
      </Button>
      <ConfirmDialog {...confirm.dialog} title={t('unlink-title', { username })} confirmLabel={t('unlink')} destructive>
        <p>{t('unlink-hint', { provider })}</p>
      </ConfirmDialog>
    </div>
  )
}
