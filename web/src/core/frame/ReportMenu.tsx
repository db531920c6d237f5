import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FileMenu } from '../../ui/FileMenu.tsx'
import { download, useDownload } from '../downloads.ts'
import { type ReportSize, useReportSize } from './useReportSize.tsx'

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
  /** The size of a file before it is made; null if unknown. */
  sizeOf?: (type: T) => ReportSize | null
}

/** Menu with the file types of a report. */
export function ReportMenu<T extends string>(props: Props<T>) {
  const { group, label, types, nameOf, failure, requestLink, sizeOf = () => null } = props
  const { t } = useTranslation('ui')
  const isRunning = useDownload(group) !== null
  const start = (type: T) =>
    void download({ group, item: type, failure, requestLink: (signal) => requestLink(type, signal) })
  const { lengthOf, select, dialog } = useReportSize<T>({ sizeOf, start })
  return (
    <>
      <FileMenu
        label={label ?? t('download')}
        isPreparing={isRunning}
        isDisabled={isRunning}
        reason={isRunning ? t('download-running') : undefined}
      >
        {types.map((type) => (
          <Menu.Item key={type} onClick={() => select(type)} rightSection={lengthOf(type)}>
            {nameOf(type)}
          </Menu.Item>
        ))}
      </FileMenu>
      {dialog}
    </>
  )
}
