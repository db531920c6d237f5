import { Button } from '@mantine/core'
import { certificateFile, storeCertificateFile } from '@rogatka/contract/certificates.ts'
import { MAX_ATTACHMENT_BYTES } from '@rogatka/contract/tickets.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callBlob, callRaw } from '../core/call.ts'
import { saveFile } from '../core/downloads.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { FilesButton } from '../ui/FilesButton.tsx'
import { FileIcon } from '../ui/icons.tsx'
import css from './Certificates.module.css'
import { invalidateCertificates, type WireCertificate } from './useCertificates.ts'

type Props = { certificate: WireCertificate; canChange: boolean }

/** Downloads the PDF of a certificate, and uploads it; one in force keeps the file that it has. */
export function CertificateFile({ certificate, canChange }: Props) {
  const { t } = useTranslation('certificates')
  const client = useQueryClient()
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const { id, number, file, isUsed, revoked } = certificate
  const load = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      callBlob(certificateFile, { params: { id } }).then((bytes) => saveFile(bytes, name)),
    onError: (error) => showWarning(t('ui:file-failed'), error),
  })
  const store = useMutation({
    mutationFn: (selected: File) => {
      if (selected.size > MAX_ATTACHMENT_BYTES) return Promise.reject('attachment-too-large')
      const form = new FormData()
      form.append('attachment', selected)
      return callRaw(storeCertificateFile, form, { params: { id } })
    },
    onSuccess: () => showSuccess(t('file-stored', { number })),
    onError: (error) => showWarning(t('upload-failed'), error),
    onSettled: () => invalidateCertificates(client),
  })
  const canUpload = canChange && !revoked && !(file && isUsed)
  return (
    <div className={css.file}>
      {file && (
        <Button
          variant="default"
          size="xs"
          leftSection={<FileIcon size={14} />}
          aria-label={`${t('download')}: ${number}, ${file.name}`}
          title={file.name}
          loading={load.isPending}
          onClick={() => load.mutate(file)}
        >
          {t('download')}
        </Button>
      )}
      {canUpload && (
        <FilesButton
          label={t(file ? 'replace-file' : 'upload')}
          name={`${t(file ? 'replace-file' : 'upload')}: ${number}`}
          accept={['application/pdf']}
          small
          isLoading={store.isPending}
          onAdd={([selected]) => selected && store.mutate(selected)}
        />
      )}
      {!file && !canUpload && t('no-file')}
    </div>
  )
}
