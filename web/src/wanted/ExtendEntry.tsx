import { Button } from '@mantine/core'
import { changePlate, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { serverNow } from '../core/clock.ts'
import { formatDate } from '../core/format.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'

const DAYS = 30

type Props = { plate: WireWantedPlate & { expiresAt: string }; onExtended: () => void }

/** Button that extends an entry by 30 days from its expiry, or from now if it has expired. */
export function ExtendEntry({ plate, onExtended }: Props) {
  const { t } = useTranslation('wanted')
  const [isSending, setSending] = useState(false)
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const { id, plateLpr, description, allowMisread, userId, version } = plate
  const extend = async () => {
    const from = Math.max(serverNow(), Date.parse(plate.expiresAt))
    const expiresAt = new Date(from + DAYS * DAY_MS).toISOString()
    setSending(true)
    try {
      await call(changePlate, {
        params: { id },
        body: { plateLpr, description, allowMisread, userId, version, expiresAt },
      })
      showSuccess(t('extended', { plate: plateLpr, date: formatDate(expiresAt) }))
    } catch (error) {
      showWarning(t('extend-failed'), error)
    }
    setSending(false)
    onExtended()
  }
  return (
    <Button
      variant="default"
      size="xs"
      loading={isSending}
      aria-label={`${t('extend', { days: DAYS })}: ${plateLpr}`}
      onClick={() => void extend()}
    >
      {t('extend', { days: DAYS })}
    </Button>
  )
}
