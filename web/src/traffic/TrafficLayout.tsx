import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { FilterPanelToggle } from '../core/frame/FilterPanelToggle.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { PrintButton } from '../core/frame/PrintButton.tsx'
import { PrintedHead } from '../core/frame/PrintedHead.tsx'
import { StatisticsTabs } from '../core/frame/StatisticsTabs.tsx'
import { useTitle } from '../core/useTitle.ts'
import { usePrinting } from '../ui/usePrinting.ts'
import css from './Traffic.module.css'

type Props = {
  title: string
  /** Stations, days and filters in words, on paper in place of the filter panel. */
  criteria: readonly string[]
  filters: ReactNode
  download: ReactNode
  /** What the figures mean, below them. */
  definitions: string
  children: ReactNode
}

/** Page with tabs, a button to print, and filters; on paper with the filters in words. */
export function TrafficLayout({ title, criteria, filters, download, definitions, children }: Props) {
  const isPrinting = usePrinting()
  useTitle(title)
  return (
    <PageLayout
      title={<StatisticsTabs />}
      actions={
        <>
          <FilterPanelToggle />
          <PrintButton />
          {download}
        </>
      }
      filterPanel={isPrinting ? undefined : filters}
    >
      {isPrinting ? (
        <PrintedHead title={title} criteria={criteria} />
      ) : (
        <VisuallyHidden component="h1">{title}</VisuallyHidden>
      )}
      <div className={css.page}>
        {children}
        <p className={css.definitions}>{definitions}</p>
      </div>
    </PageLayout>
  )
}
