import { Button, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FilterPanelToggle } from '../core/frame/FilterPanelToggle.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { PrintButton } from '../core/frame/PrintButton.tsx'
import { PrintedHead } from '../core/frame/PrintedHead.tsx'
import { StatisticsTabs } from '../core/frame/StatisticsTabs.tsx'
import { useTitle } from '../core/useTitle.ts'
import { EmptyState, FailedState } from '../ui/EmptyState.tsx'
import { Loading } from '../ui/Loading.tsx'
import { usePrinting } from '../ui/usePrinting.ts'
import { usePrintedTimeClassCountry } from '../vehicle/publicApi.ts'
import { countsVehicles, type Period, type TrafficSearch } from './search.ts'
import css from './Traffic.module.css'
import type { StationScope } from './useTraffic.ts'
import { useTrafficTexts } from './useTrafficTexts.ts'

type Props = {
  title: string
  /** Stations and days in words, on paper in place of the filter panel. */
  criteria: readonly string[]
  filters: ReactNode
  download: ReactNode
  scope: StationScope
  /** What the figures mean. */
  definitions: string
  search: TrafficSearch
  earlier: Period | null
  children: ReactNode
}

/** The figures, or why there are none: the stations could not be loaded, there are none, or those of the filter are gone. */
function OfStations({ scope, children }: { scope: StationScope; children: ReactNode }) {
  const { t } = useTranslation('traffic')
  const { ids, hasStations, error, refetch, showAll } = scope
  if (error) return <FailedState title={t('ui:stations-failed')} retry={() => void refetch()} />
  // Without them nothing has its place: panels would move what is below them.
  if (ids === undefined) return <Loading label={t('ui:stations-loading')} />
  if (ids.length > 0) return children
  if (!hasStations) return <EmptyState title={t('ui:stations-empty')} />
  return (
    <EmptyState title={t('stations-gone')}>
      <Button variant="default" onClick={showAll}>
        {t('ui:all-stations')}
      </Button>
    </EmptyState>
  )
}

/** Page with tabs, a button to print, and filters; on paper with the filters in words. */
export function TrafficLayout(props: Props) {
  const { title, criteria, filters, download, scope, definitions, search, earlier, children } = props
  const { t } = useTranslation('traffic')
  const { days } = useTrafficTexts()
  const timeClassCountry = usePrintedTimeClassCountry(search)
  const compared = earlier ? [`${t('compare')}: ${days(earlier)}`] : []
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
        <PrintedHead title={title} criteria={[...criteria, ...timeClassCountry, ...compared]} />
      ) : (
        <VisuallyHidden component="h1">{title}</VisuallyHidden>
      )}
      <div className={css.page}>
        <OfStations scope={scope}>
          {children}
          <p className={css.definitions}>
            {definitions} {countsVehicles(search) && t('counts-vehicles')}
          </p>
        </OfStations>
      </div>
    </PageLayout>
  )
}
