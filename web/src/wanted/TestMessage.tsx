import { Button } from '@mantine/core'
import { testContact, type WireWantedContact } from '@rogatka/contract/wanted.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { invalidateWanted } from './useWanted.ts'

/** Sends a test message to a contact; the row shows its delivery state. */
export function TestMessage({ contact }: { contact: WireWantedContact }) {
  const { t } = useTranslation('wanted')
  const client = useQueryClient()
  const showWarning = useWarningToast()
  const [sending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    try {
      await call(testContact, { params: { id: contact.id } })
    } catch (error) {
      showWarning(t('test-failed'), error)
    }
    setSending(false)
    await invalidateWanted(client)
  }
  return (
    <Button
      variant="default"
      size="xs"
      loading={sending}
      aria-label={t('send-test-to', { name: contact.contact })}
      onClick={() => void send()}
    >
      {t('send-test')}
    </Button>
  )
}
