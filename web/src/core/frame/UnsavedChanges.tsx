import { useBlocker } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { session } from '../session.ts'

/** Neither ended nor waiting for a new password or a second factor. */
function isOpen(): boolean {
  const { token, mustChangePassword, mustSetUpFactor } = session.get()
  return token !== null && !mustChangePassword && !mustSetUpFactor
}

/** Asks before the user leaves a form with unsaved changes; not when the session ends. */
export function UnsavedChanges({ dirty }: { dirty: boolean }) {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && isOpen(),
    enableBeforeUnload: () => dirty && session.get().token !== null,
    withResolver: true,
  })
  return (
    <ConfirmDialog
      title={t('leave-unsaved')}
      open={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      confirmLabel={t('leave')}
      destructive
    >
      {t('leave-unsaved-hint')}
    </ConfirmDialog>
  )
}
