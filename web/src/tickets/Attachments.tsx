import { Button } from '@mantine/core'
import type { WireTicket } from '@rogatka/contract/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useObjectUrl } from '../core/useObjectUrl.ts'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { FileIcon } from '../ui/icons.tsx'
import { Loading } from '../ui/Loading.tsx'
import css from './Tickets.module.css'
import { attachmentQuery } from './useTickets.ts'
import { useTicketTexts } from './useTicketTexts.ts'

type Attachment = WireTicket['attachments'][number]

/** Attachments of a ticket: images are displayed, all files can be saved. */
export const Attachments = ({ ticket }: { ticket: WireTicket }) => (
  <ul className={css.files}>
    {ticket.attachments.map((file) => (
      <li key={file.number} className={css.file}>
        <File ticketId={ticket.id} file={file} />
      </li>
    ))}
  </ul>
)

function File({ ticketId, file }: { ticketId: number; file: Attachment }) {
  const { t } = useTranslation('tickets')
  const texts = useTicketTexts()
  const { data, error, refetch } = useQuery(attachmentQuery(ticketId, file.number))
  const url = useObjectUrl(data)
  return (
    <>
      {error && <ErrorBanner error={error} title={t('attachment-failed')} retry={() => void refetch()} />}
      {!data && !error && <Loading label={t('loading-attachment')} />}
      {url && file.type !== 'application/pdf' && <img className={css.preview} src={url} alt={file.name} />}
      <p>
        <span>{file.name}</span>
        <small>{texts.size(file.size)}</small>
        {url && (
          <Button
            component="a"
            href={url}
            download={file.name}
            variant="default"
            size="xs"
            leftSection={<FileIcon size={14} />}
          >
            {t('save-file')}
          </Button>
        )}
      </p>
      {file.isRefused && <p className={css.invalid}>{t('file-rejected')}</p>}
    </>
  )
}
