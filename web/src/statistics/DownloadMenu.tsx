import { Button, Menu } from '@mantine/core'
import { report, statisticReports, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { DownIcon, FileIcon } from '../ui/icons.tsx'
import { Spinner } from '../ui/Loading.tsx'

type Props = {
  /** Where it stands: one file at a time comes to each place. */
  place: string
  question: WireStatisticFilters
  /** Of which station, for screen readers; absent: of all. */
  of?: string
  /** The chart as PNG, base64. */
  picture?: string | null
}

/** The result to take along: as a workbook, as a document, or its chart alone. */
export function DownloadMenu({ place, question, of, picture }: Props) {
  const { t } = useTranslation('statistics')
  const running = useDownload(place)
  const { addGraph: _, ...asked } = question
  const take = (reportType: (typeof statisticReports)[number]) =>
    void download({
      place,
      what: reportType,
      failure: t('download-failed'),
      order: (signal) => call(report, { query: { ...asked, addGraph: true, reportType }, signal }),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={running ? <Spinner /> : <FileIcon />}
          rightSection={<DownIcon />}
          disabled={running !== null}
          title={running ? t('download-running') : undefined}
          {...(of && { 'aria-label': t('download-of', { of }) })}
        >
          {t('download')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {statisticReports.map((type) => (
          <Menu.Item key={type} onClick={() => take(type)}>
            {t(`download-${type}`)}
          </Menu.Item>
        ))}
        {picture && (
          <Menu.Item component="a" href={`data:image/png;base64,${picture}`} download="statistics.png">
            {t('download-png')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
