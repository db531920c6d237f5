import { Button, Menu } from '@mantine/core'
import { report } from '@rogatka/contract/archive.ts'
import { type ReportType, reportLimits } from '@rogatka/contract/reports.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { download, useDownload } from '../core/downloads.ts'
import { useFormat } from '../core/format.ts'
import { useReportSize } from '../core/frame/useReportSize.tsx'
import { FileMenu } from '../ui/FileMenu.tsx'
import css from './ExportMenus.module.css'
import { reportSize } from './reportSize.ts'
import { type ArchiveSearch, toQuery } from './search.ts'

const DOWNLOAD_GROUP = 'archive'
const FORMATS = ['pdf', 'csv', 'xlsx', 'parquet', 'w'] as const
type Format = (typeof FORMATS)[number]

const typesOf = (format: Format): ReportType[] => {
  if (format === 'w') return ['w-2013', 'w-2001', 'w-2001-us']
  if (format === 'parquet') return [format]
  return format === 'pdf'
    ? [format, `${format}-with-image`]
    : [format, `${format}-with-image`, `${format}-loads`, `${format}-axles`]
}

const LABELS: Record<Format, string> = { pdf: 'PDF', csv: 'CSV', xlsx: 'XLSX', parquet: 'Parquet', w: 'TMG W' }

type Props = {
  search: ArchiveSearch
  /** Number of vehicles in the result; undefined while loading. */
  total: number | undefined
  /** A single menu, for narrow screens. */
  narrow: boolean
}

/** Downloads of the result: document or tables, with or without images. One at a time. */
export function ExportMenus({ search, total, narrow }: Props) {
  const { t } = useTranslation('archive')
  const { number } = useFormat()
  const running = useDownload(DOWNLOAD_GROUP)
  const filters = toQuery(search)
  const reason = running ? t('ui:download-running') : total === 0 ? t('export-nothing') : null

  const kindOf = (type: string) => {
    if (type === 'w-2013') return t('export-w-2013')
    if (type.startsWith('w-')) return t(type === 'w-2001' ? 'export-w-2001' : 'export-w-2001-us')
    if (type === 'parquet') return t('export-parquet')
    if (type.endsWith('-with-image')) return t('export-with-images')
    if (type.endsWith('-loads')) return t('export-loads')
    return type.endsWith('-axles') ? t('export-axles') : t('export-plain')
  }
  const nameOf = (type: string) => {
    const [format = ''] = type.split('-')
    return `${LABELS[format as Format]} ${kindOf(type)}`
  }
  const startDownload = (type: ReportType) =>
    filters &&
    download({
      group: DOWNLOAD_GROUP,
      item: type,
      failure: t('export-failed', { type: nameOf(type) }),
      requestLink: (signal) => call(report, { query: { ...filters, reportType: type, withTags: true }, signal }),
    })
  const { textOf, select, dialog } = useReportSize<ReportType>({
    sizeOf: (type) => (total === undefined ? null : reportSize(type, total)),
    start: (type) => void startDownload(type),
  })
  const items = (format: Format) =>
    typesOf(format).map((type) => {
      const isOverLimit = (total ?? 0) > reportLimits[type]
      return (
        // Focusable although disabled, so that screen readers read the reason.
        <Menu.Item
          key={type}
          className={isOverLimit ? css.disabled : undefined}
          aria-disabled={isOverLimit}
          closeMenuOnClick={!isOverLimit}
          onClick={() => !isOverLimit && select(type)}
        >
          {narrow ? nameOf(type) : kindOf(type)}
          <small className={css.limit}>
            {isOverLimit ? t('export-limit', { limit: number(reportLimits[type]) }) : textOf(type)}
          </small>
        </Menu.Item>
      )
    })
  const menu = (name: string, isPreparing: boolean, content: ReactNode) => (
    <FileMenu
      key={name}
      label={name}
      name={t('export', { format: name })}
      isPreparing={isPreparing}
      isDisabled={!total || running !== null}
      reason={reason ?? undefined}
    >
      {content}
    </FileMenu>
  )

  return (
    <div className={css.exports}>
      {dialog}
      {running && (
        <>
          <span role="status">{nameOf(running.item)}</span>
          <span className={css.size}>
            {running.bytes > 0 ? `${number(running.bytes / 1_000_000, 1)}\u00a0MB` : t('export-preparing')}
          </span>
          <Button variant="default" onClick={running.cancel}>
            {t('ui:cancel')}
          </Button>
        </>
      )}
      {!running && reason && <span className={css.reason}>{reason}</span>}
      {narrow
        ? menu(t('ui:download'), running !== null, FORMATS.map(items))
        : FORMATS.map((format) => menu(LABELS[format], running?.item.startsWith(format) ?? false, items(format)))}
    </div>
  )
}
