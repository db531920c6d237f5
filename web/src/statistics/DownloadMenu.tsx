import { Menu } from '@mantine/core'
import {
  report,
  statisticReports,
  type WireStatistic,
  type WireStatisticFilters,
} from '@rogatka/contract/statistics.ts'
import { documentPages } from '@rogatka/domain/statistics/document.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { useFormat } from '../core/format.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { FileMenu } from '../ui/FileMenu.tsx'
import css from './DownloadMenu.module.css'

/** Longer documents need a confirmation. */
const CONFIRM_ABOVE_PAGES = 50

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
  const { number } = useFormat()
  const running = useDownload(group)
  const [isConfirming, setIsConfirming] = useState(false)
  const { addGraph: _, ...filters } = query
  const size = statistics && sizeOf(statistics)

  const startDownload = (reportType: ReportType) =>
    void download({
      group,
      item: reportType,
      failure: t('download-failed'),
      requestLink: (signal) => call(report, { query: { ...filters, addGraph: true, reportType }, signal }),
    })
  const selectType = (type: ReportType) => {
    if (type === 'pdf' && size && size.pages > CONFIRM_ABOVE_PAGES) setIsConfirming(true)
    else startDownload(type)
  }
  const lengthOf = (type: ReportType) => {
    if (!size) return null
    return type === 'pdf'
      ? t('pages', { count: size.pages, number: number(size.pages) })
      : t('rows', { count: size.rows, number: number(size.rows) })
  }
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
          <Menu.Item
            key={type}
            onClick={() => selectType(type)}
            rightSection={<span className={css.length}>{lengthOf(type)}</span>}
          >
            {t(`ui:download-${type}`)}
          </Menu.Item>
        ))}
        {chartImage && (
          <Menu.Item component="a" href={`data:image/png;base64,${chartImage}`} download="statistics.png">
            {t('download-png')}
          </Menu.Item>
        )}
      </FileMenu>
      <ConfirmDialog
        title={t('long-title', { pages: lengthOf('pdf') ?? '' })}
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        onConfirm={() => {
          setIsConfirming(false)
          startDownload('pdf')
        }}
        confirmLabel={t('ui:download')}
      >
        <p>{t('long-hint')}</p>
      </ConfirmDialog>
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
