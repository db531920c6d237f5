import {
  addAttachments,
  attachmentTypes,
  MAX_ATTACHMENTS,
  MAX_TICKET_ATTACHMENTS,
  type WireTicket,
} from '@rogatka/contract/tickets.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callRaw } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FilesButton } from '../ui/FilesButton.tsx'
import { useErrorText } from '../ui/useErrorText.ts'
import { filesError, formOf } from './files.ts'
import css from './Tickets.module.css'
import { ticketQuery } from './useTickets.ts'

/** Adds files to a stored ticket; uploads them as soon as they are selected. */
export function AddFiles({ ticket }: { ticket: WireTicket }) {
  const { t } = useTranslation('tickets')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const textOf = useErrorText()
  const [error, setError] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: (files: readonly File[]) => callRaw(addAttachments, formOf(files), { params: { id: ticket.id } }),
    onSuccess: async (changed, files) => {
      showSuccess(t('files-added', { count: files.length }))
      client.setQueryData(ticketQuery(ticket.id).queryKey, changed)
      await client.invalidateQueries({ queryKey: ['tickets', 'history', ticket.id] })
    },
  })
  const add = (files: File[]) => {
    send.reset()
    const error = files.length === 0 ? null : filesError(files)
    setError(error)
    if (files.length > 0 && error === null) send.mutate(files)
  }
  const isFull = ticket.attachments.length >= MAX_TICKET_ATTACHMENTS
  return (
    <div className={css.file}>
      {send.error && <ErrorBanner error={send.error} title={t('add-files-failed')} dismiss={send.reset} />}
      <FilesButton
        multiple
        accept={attachmentTypes}
        label={t('add-files')}
        isDisabled={isFull}
        isLoading={send.isPending}
        onAdd={add}
      />
      <small>{t('add-files-hint', { count: MAX_ATTACHMENTS, total: MAX_TICKET_ATTACHMENTS })}</small>
      {error && (
        <p className={css.invalid} role="alert">
          {textOf(error)}
        </p>
      )}
    </div>
  )
}
