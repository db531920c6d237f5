import { Button } from '@mantine/core'
import { resetFactors, type WireUser } from '@rogatka/contract/users.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { useConfirm } from '../ui/useConfirm.ts'

/** Removes the second factors of a user who lost them, after a confirmation. */
export function ResetFactors({ user: { id, username } }: { user: WireUser }) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const reset = useMutation({
    mutationFn: () => call(resetFactors, { params: { id } }),
    onSuccess: () => showSuccess(t('factors-removed')),
    onError: (error) => showError(error, { title: t('reset-factors-failed') }),
    onSettled: () => client.invalidateQueries({ queryKey: ['users'] }),
  })
  const confirm = useConfirm(() => reset.mutate())
  return (
    <div>
      <Button variant="default" loading={reset.isPending} onClick={confirm.ask}>
        {t('reset-factors')}
      </Button>
      <ConfirmDialog
        {...confirm.dialog}
        title={t('reset-factors-title', { username })}
        confirmLabel={t('reset-factors')}
        destructive
      >
        <p>{t('reset-factors-hint')}</p>
      </ConfirmDialog>
    </div>
  )
}
