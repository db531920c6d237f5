import { Button } from '@mantine/core'
import { stampDocument } from '@rogatka/contract/evidence.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callRawBlob } from '../core/call.ts'
import { saveFile } from '../core/downloads.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { DownIcon } from '../ui/icons.tsx'
import css from './Verification.module.css'
import type { Verification, VerifiedFile } from './verification.ts'

type Props = { file: VerifiedFile; result: Verification }

/** Downloads the document with the time stamp that came after it was issued; nothing if there is none to add. */
export function StampButton({ file, result }: Props) {
  const { t } = useTranslation('evidence')
  const showWarning = useWarningToast()
  const load = useMutation({
    mutationFn: async () => saveFile(await callRawBlob(stampDocument, file.bytes), `stamped-${file.name}`),
    onError: (error) => showWarning(t('stamp-failed'), error),
  })
  const { stamp } = result.package ?? result
  if (stamp !== 'available') return null
  return (
    <div className={css.action}>
      <Button leftSection={<DownIcon />} loading={load.isPending} onClick={() => load.mutate()}>
        {t('download-stamped')}
      </Button>
    </div>
  )
}
