import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useFormat } from '../format.ts'
import css from './ReportSize.module.css'

/** Longer documents need a confirmation. */
const CONFIRM_ABOVE_PAGES = 50

/** Pages of a document, or rows of a table, maybe estimated. */
export type ReportSize = { pages: number } | { rows: number; isEstimate?: boolean }

type Options<T extends string> = {
  /** The size of a file before it is made; null if unknown. */
  sizeOf: (type: T) => ReportSize | null
  start: (type: T) => void
  /** Why a document is long, and what to choose in its place. */
  hint?: string
}

/** Says how long a file will be, and asks before a long document is made. */
export function useReportSize<T extends string>({ sizeOf, start, hint }: Options<T>) {
  const { t } = useTranslation('ui')
  const { number } = useFormat()
  const [asked, setAsked] = useState<T | null>(null)

  const textOf = (type: T): string | null => {
    const size = sizeOf(type)
    if (!size) return null
    if ('pages' in size) return t('report-pages', { count: size.pages, number: number(size.pages) })
    const rows = { count: size.rows, number: number(size.rows) }
    return size.isEstimate ? t('report-rows-about', rows) : t('report-rows', rows)
  }
  const lengthOf = (type: T): ReactNode => {
    const text = textOf(type)
    return text && <span className={css.length}>{text}</span>
  }
  const select = (type: T) => {
    const size = sizeOf(type)
    if (size && 'pages' in size && size.pages > CONFIRM_ABOVE_PAGES) setAsked(type)
    else start(type)
  }
  const dialog = (
    <ConfirmDialog
      title={t('report-long-title', { pages: asked ? (textOf(asked) ?? '') : '' })}
      open={asked !== null}
      onClose={() => setAsked(null)}
      onConfirm={() => {
        setAsked(null)
        if (asked) start(asked)
      }}
      confirmLabel={t('download')}
    >
      <p>{hint ?? t('report-long-hint')}</p>
    </ConfirmDialog>
  )
  return { textOf, lengthOf, select, dialog }
}
