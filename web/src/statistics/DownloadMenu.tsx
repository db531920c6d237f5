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
const MAX_PAGES_UNASKED = 50

type ReportType = (typeof statisticReports)[number]

type Props = {
  /** Key of the download: one at a time per menu. */
  place: string
  question: WireStatisticFilters
  /** The statistics of the file, to estimate its length; undefined if not loaded. */
  statistics: readonly WireStatistic[] | undefined
  /** Still loading: the length is unknown, so the menu is disabled. */
  isPending?: boolean
  /** Name of the station; absent: all stations. */
  of?: string
  /** The chart as PNG in base64. */
  picture?: string | null
}

/** Downloads of the result: workbook, table, document, or chart image. */
export function DownloadMenu({ place, question, statistics, isPending = false, of, picture }: Props) {
  const { t } = useTranslation('statistics')
  const { number } = useFormat()
  const running = useDownload(place)
  const [isAsking, setAsking] = useState(false)
  const { addGraph: _, ...asked } = question
  const size = statistics && sizeOf(statistics)

  const take = (reportType: ReportType) =>
    void download({
      group: place,
      item: reportType,
      failure: t('download-failed'),
      requestLink: (signal) => call(report, { query: { ...asked, addGraph: true, reportType }, signal }),
    })
  const choose = (type: ReportType) => {
    if (type === 'pdf' && size && size.pages > MAX_PAGES_UNASKED) setAsking(true)
    else take(type)
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
        label={of ? t('download-station') : t('download-all')}
        {...(of && { name: t('download-of', { of }) })}
        isPreparing={running !== null}
        isDisabled={isPending || running !== null}
        reason={running ? t('ui:download-running') : isPending ? t('ui:calculating') : undefined}
      >
        {statisticReports.map((type) => (
          <Menu.Item
            key={type}
            onClick={() => choose(type)}
            rightSection={<span className={css.length}>{lengthOf(type)}</span>}
          >
            {t(`ui:download-${type}`)}
          </Menu.Item>
        ))}
        {picture && (
          <Menu.Item component="a" href={`data:image/png;base64,${picture}`} download="statistics.png">
            {t('download-png')}
          </Menu.Item>
        )}
      </FileMenu>
      <ConfirmDialog
        title={t('long-title', { pages: lengthOf('pdf') ?? '' })}
        open={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          take('pdf')
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
