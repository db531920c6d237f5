import { Button, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { FilterPanelToggle } from '../core/frame/FilterPanelToggle.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { StatisticsTabs } from '../core/frame/StatisticsTabs.tsx'
import { useShortcuts } from '../core/shortcuts.ts'
import { useTitle } from '../core/useTitle.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { PrintIcon } from '../ui/icons.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { Loading } from '../ui/Loading.tsx'
import { toRangeParams } from '../ui/RangeSection.tsx'
import { usePrinting } from '../ui/usePrinting.ts'
import css from './Effectiveness.module.css'
import { EffectivenessClasses } from './EffectivenessClasses.tsx'
import { EffectivenessDownload } from './EffectivenessDownload.tsx'
import { EffectivenessFilters } from './EffectivenessFilters.tsx'
import { EffectivenessKpis } from './EffectivenessKpis.tsx'
import { EffectivenessPairs } from './EffectivenessPairs.tsx'
import { TableSkeleton } from './EffectivenessPanel.tsx'
import { EffectivenessPrintHead } from './EffectivenessPrintHead.tsx'
import { ShiftRates, StationRates } from './EffectivenessRates.tsx'
import { widerRange } from './effectivenessSearch.ts'
import { isEmpty, useAccuracy, useEffectivenessSearch, useFigures, useUnweighed } from './useEffectiveness.ts'

/** Whether a result is still to come since the page was opened; later each panel has its own loading state. */
function useIsOpening(results: readonly { isPending: boolean }[]): boolean {
  const [isOpening, setIsOpening] = useState(true)
  if (isOpening && results.every(({ isPending }) => !isPending)) setIsOpening(false)
  return isOpening
}

/** How well stations preselect, and how accurate their lanes are. */
export function EffectivenessPage() {
  const { t } = useTranslation('inspections')
  const { search, query, change } = useEffectivenessSearch()
  const title = t('core:nav-effectiveness')
  useTitle(title)
  const figures = useFigures(query, 'location')
  const accuracy = useAccuracy(query)
  const isOpening = useIsOpening([figures, useFigures(query, 'shift'), useUnweighed(query), accuracy])
  const wider = widerRange(query, serverNow())
  const isPrinting = usePrinting()
  const print = () => window.print()
  useShortcuts([{ key: 'p', label: t('effectiveness-print'), run: print }])
  return (
    <PageLayout
      title={<StatisticsTabs />}
      actions={
        <>
          <FilterPanelToggle />
          <Button
            className={css.print}
            variant="default"
            leftSection={<PrintIcon />}
            rightSection={<Kbd>P</Kbd>}
            onClick={print}
          >
            {t('effectiveness-print')}
          </Button>
          <EffectivenessDownload query={query} lane={search.lane} lanes={accuracy.data?.lanes} />
        </>
      }
      // Print has the filters in words.
      filterPanel={isPrinting ? undefined : <EffectivenessFilters search={search} query={query} onChange={change} />}
    >
      {!isPrinting && <VisuallyHidden component="h1">{title}</VisuallyHidden>}
      <div className={css.page} data-opening={isOpening || undefined}>
        {isOpening && (
          <div className={css.opening}>
            <Loading label={t('ui:calculating')} skeleton={<TableSkeleton />} />
          </div>
        )}
        {isPrinting && <EffectivenessPrintHead title={title} search={search} query={query} />}
        {!figures.error && <EffectivenessKpis query={query} total={figures.data?.total} />}
        {isEmpty(figures.data, accuracy.data) ? (
          <EmptyState title={t('effectiveness-empty')} hint={t('effectiveness-empty-hint')}>
            {wider && (
              <Button variant="default" onClick={() => change(toRangeParams(wider))}>
                {t('effectiveness-widen', { count: wider.days })}
              </Button>
            )}
          </EmptyState>
        ) : (
          <div className={css.panels}>
            <StationRates query={query} />
            <ShiftRates query={query} />
            <EffectivenessPairs
              query={query}
              accuracy={accuracy}
              chosen={search.lane}
              onChoose={(lane) => change({ lane })}
            />
          </div>
        )}
        <EffectivenessClasses accuracy={accuracy} />
      </div>
    </PageLayout>
  )
}
