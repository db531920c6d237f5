import { Menu } from '@mantine/core'
import {
  report,
  statisticReports,
  type WireStatistic,
  type WireStatisticFilters,
} from '@rogatka/contract/statistics.ts'
import { documentPages } from '@rogatka/domain/statistics/document.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { useReportSize } from '../core/frame/useReportSize.tsx'
import { FileMenu } from '../ui/FileMenu.tsx'

type ReportType = (typeof statisticReports)[number]

type Props = {
  /** Key of the download: one at a time per menu. */
  group: string
  query: WireStatisticFilters
  /** The statistics of the file, to estimate its length; undefined if not loaded. */
  statistics: readonly WireStatistic[] | undefined
  /** Still loading: the length is unknown, so the menu is disabled. */
  isPending?: boolean
  /** Name of the station; absent: all stations. */
  stationName?: string
  /** The chart as PNG in base64. */
  chartImage?: string | null
}

/** Downloads of the result: workbook, table, document, or chart image. */
export function DownloadMenu({ group, query, statistics, isPending = false, stationName, chartImage }: Props) {
  const { t } = useTranslation('statistics')
  const running = useDownload(group)
  const { addGraph: _, ...filters } = query
  const size = statistics && sizeOf(statistics)

  const startDownload = (reportType: ReportType) =>
    void download({
      group,
      item: reportType,
      failure: t('download-failed'),
      requestLink: (signal) => call(report, { query: { ...filters, addGraph: true, reportType }, signal }),
    })
  const { lengthOf, select, dialog } = useReportSize<ReportType>({
    sizeOf: (type) => (size ? (type === 'pdf' ? { pages: size.pages } : { rows: size.rows }) : null),
    start: startDownload,
    hint: t('long-hint'),
  })
  return (
    <>
      <FileMenu
        label={stationName ? t('download-station') : t('download-all')}
        {...(stationName && { name: t('download-of', { of: stationName }) })}
        isPreparing={running !== null}
        isDisabled={isPending || running !== null}
        reason={running ? t('ui:download-running') : isPending ? t('ui:calculating') : undefined}
      >
        {statisticReports.map((type) => (
          <Menu.Item key={type} onClick={() => select(type)} rightSection={lengthOf(type)}>
            {t(`ui:download-${type}`)}
          </Menu.Item>
        ))}
        {chartImage && (
          <Menu.Item component="a" href={`data:image/png;base64,${chartImage}`} download="statistics.png">
            {t('download-png')}
          </Menu.Item>
        )}
      </FileMenu>
      {dialog}
    </>
  )
}

function sizeOf(statistics: readonly WireStatistic[]) {
  const periods = statistics[0]?.periods.length ?? 0
  return {
    rows: statistics.length * periods,
    pages: documentPages(
      statistics.map(({ groups }) => groups.length),
      periods,
    ),
  }
}
