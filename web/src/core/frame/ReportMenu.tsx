import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FileMenu } from '../../ui/FileMenu.tsx'
import { download, useDownload } from '../downloads.ts'

type Props<T extends string> = {
  /** One download at a time. */
  group: string
  /** Tells two menus of a page apart; default: "Pobierz". */
  label?: string
  types: readonly T[]
  nameOf: (type: T) => string
  /** What failed, as a sentence. */
  failure: string
  requestLink: (type: T, signal: AbortSignal) => Promise<{ link: string }>
}

/** Menu with the file types of a report. */
export function ReportMenu<T extends string>({ group, label, types, nameOf, failure, requestLink }: Props<T>) {
  const { t } = useTranslation('ui')
  const isRunning = useDownload(group) !== null
  const start = (type: T) =>
    void download({ group, item: type, failure, requestLink: (signal) => requestLink(type, signal) })
  return (
    <FileMenu
      label={label ?? t('download')}
      isPreparing={isRunning}
      isDisabled={isRunning}
      reason={isRunning ? t('download-running') : undefined}
    >
      {types.map((type) => (
        <Menu.Item key={type} onClick={() => start(type)}>
          {nameOf(type)}
        </Menu.Item>
      ))}
    </FileMenu>
  )
}
