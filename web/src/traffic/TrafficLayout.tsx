import { Button, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatMinute } from '../core/format.ts'
import { FilterPanelToggle } from '../core/frame/FilterPanelToggle.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { StatisticsTabs } from '../core/frame/StatisticsTabs.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useBuild } from '../core/useBuild.ts'
import { useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { PrintIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { PrintHead } from '../ui/PrintHead.tsx'
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
  const { t } = useTranslation('traffic')
  const isPrinting = usePrinting()
  const { build } = useBuild()
  const { data: self } = useSelf()
  useTitle(title)
  const print = () => window.print()
  useShortcuts([{ key: 'p', label: t('print'), run: print }])
  return (
    <PageLayout
      title={<StatisticsTabs />}
      actions={
        <>
          <FilterPanelToggle />
          <Button
            className={css.print ?? ''}
            variant="default"
            leftSection={<PrintIcon />}
            rightSection={<Kbd>P</Kbd>}
            onClick={print}
          >
            {t('print')}
          </Button>
          {download}
        </>
      }
      filterPanel={isPrinting ? undefined : filters}
    >
      {isPrinting ? (
        <PrintHead
          title={title}
          lines={[
            [build?.ownerCompany, ...criteria].filter(Boolean).join(' · '),
            t('printed', { user: self?.username, time: formatMinute(new Date(serverNow()).toISOString()) }),
          ]}
        />
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
