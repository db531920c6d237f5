import { Button } from '@mantine/core'
import { refusedFile } from '@rogatka/contract/imports.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callBlob } from '../core/call.ts'
import { saveFile } from '../core/downloads.ts'
import { useFormat } from '../core/format.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { DownIcon } from '../ui/icons.tsx'
import type { Import } from './useImports.ts'

type Props = { entry: Import; count: number }

/** Downloads the refused rows. */
export function RefusedButton({ entry: { id, fileName }, count }: Props) {
  const { t } = useTranslation('imports')
  const { number } = useFormat()
  const showWarning = useWarningToast()
  const load = useMutation({
    mutationFn: () =>
      callBlob(refusedFile, { params: { id } }).then((bytes) => saveFile(bytes, `${fileName}.refused.csv`)),
    onError: (error) => showWarning(t('download-failed'), error),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<DownIcon size={14} />}
      loading={load.isPending}
      onClick={() => load.mutate()}
    >
      {t('download-refused', { count, number: number(count) })}
    </Button>
  )
}
