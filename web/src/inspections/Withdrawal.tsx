import { read, withdraw } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import type { Announceable } from './announceable.ts'
import { ReasonDialog } from './ReasonDialog.tsx'
import { aboutOf } from './texts.ts'

/** Asks for the reason of withdrawing an inspection, and withdraws it. */
export function Withdrawal({ id, vehicle, onEnd }: { id: number; vehicle: Announceable; onEnd: () => void }) {
  const { t } = useTranslation('inspections')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const save = async (reason: string) => {
    try {
      const { version } = await call(read, { params: { id } })
      await call(withdraw, { params: { id }, body: { version, reason } })
      showSuccess(t('withdraw-done'))
    } catch (error) {
      showWarning(t('step-failed'), error)
    }
    onEnd()
  }
  return (
    <ReasonDialog
      title={t('withdraw-question')}
      about={aboutOf(vehicle.inspection?.number, vehicle)}
      confirmLabel={t('withdraw')}
      onClose={onEnd}
      onConfirm={(reason) => void save(reason)}
    />
  )
}
