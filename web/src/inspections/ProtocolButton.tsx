import { Button } from '@mantine/core'
import { report } from '@rogatka/contract/inspections.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { useShortcuts } from '../core/shortcuts.ts'
import { FileIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'

/** Downloads the protocol (P). */
export function ProtocolButton({ id }: { id: number }) {
  const { t } = useTranslation('inspections')
  const group = `inspection ${id}`
  const running = useDownload(group)
  const start = () =>
    void download({
      group,
      item: 'pdf',
      failure: t('ui:file-failed'),
      requestLink: (signal) => call(report, { params: { id }, signal }),
    })
  useShortcuts([{ key: 'p', label: t('protocol'), run: start }])
  return (
    <Button
      variant="default"
      leftSection={<FileIcon />}
      rightSection={<Kbd>P</Kbd>}
      loading={running !== null}
      onClick={start}
    >
      {t('protocol')}
    </Button>
  )
}
