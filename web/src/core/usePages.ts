import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from './shortcuts.ts'

type Pages = {
  /** From 1. */
  page: number
  /** Undefined while loading. */
  count: number | undefined
  onPage: (page: number) => void
}

/** PgUp and PgDn change the page; a page beyond the last one changes to the last one. */
export function usePages({ page, count, onPage }: Pages): void {
  const { t } = useTranslation('ui')
  const changePage = (target: number) => {
    if (count !== undefined && target >= 1 && target <= count) onPage(target)
  }
  useShortcuts([
    { key: 'PageUp', label: t('previous-page'), run: () => changePage(page - 1) },
    { key: 'PageDown', label: t('next-page'), run: () => changePage(page + 1) },
  ])
  useEffect(() => {
    if (count !== undefined && page > count) onPage(count)
  })
}
