import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { AlarmList } from '../alarms/publicApi.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { lazyPart } from '../core/lazyPage.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StationJoinProvider, useStationJoin } from '../ui/stationJoin.ts'
import { HitRows, needsAttention, useOpenHits } from '../wanted/publicApi.ts'
import { Announcer } from './Announcer.tsx'
import css from './Overview.module.css'
import { Actions, Switches, Title } from './OverviewBar.tsx'
import { OverviewSkeleton } from './OverviewSkeleton.tsx'
import { MAX_STRIPS } from './orderRows.ts'
import { Stations } from './Stations.tsx'
import { readOverviewSearch } from './search.ts'
import { useOverview } from './useOverview.ts'
import { useOverviewSettings } from './useOverviewSettings.ts'
import { useTraffic } from './useTraffic.ts'

// With the drawing of the country, which no other page needs.
const StationMap = lazyPart('StationMap', () => import('./StationMap.tsx'), { Wrapper: () => null })

/** Between alarms and map, px. */
const GAP = 10

/** All stations at once: the map, and strips or roads, or a table, in which the abnormal alone has a colour. */
export function OverviewPage() {
  const { t } = useTranslation('overview')
  const { rows, at, isStale, missing, error, retry } = useOverview()
  const settings = useOverviewSettings()
  const { road } = readOverviewSearch(useSearch({ strict: false }))
  const isPhone = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false })
  const isMany = (rows?.length ?? 0) > MAX_STRIPS
  // Those whose way is shown.
  const followed = useMemo(() => {
    if (!rows || settings.isTable || isPhone) return []
    const shown = isMany ? rows.filter(({ location }) => location.roadNumber === road) : rows
    return shown.map(({ id }) => id)
  }, [rows, settings.isTable, isPhone, isMany, road])
  const traffic = useTraffic(followed)
  const join = useStationJoin()
  const hits = useOpenHits().filter(needsAttention)
  const { ref: alarms, height: alarmsHeight } = useElementSize()
  return (
    <PageLayout
      title={<Title rows={rows} traffic={isMany ? null : traffic} />}
      actions={<Actions at={at}>{!isPhone && <Switches settings={settings} />}</Actions>}
    >
      {rows?.length === 0 ? (
        <EmptyState title={t('ui:stations-empty')} />
      ) : (
        <div className={css.page}>
          {error && (
            <div className={css.notice}>
              <ErrorBanner error={error} title={t('failed')} retry={retry} />
            </div>
          )}
          {missing.length > 0 && (
            <div className={css.notice}>
              <Notice>{t('missing', { parts: missing.map((part) => t(`part-${part}`)).join(', ') })}</Notice>
            </div>
          )}
          <div className={css.left}>
            <div className={css.alarms} ref={alarms}>
              <StationJoinProvider value={join}>
                <AlarmList hasLink above={hits.length > 0 && <HitRows hits={hits} />} countAbove={hits.length} />
              </StationJoinProvider>
            </div>
            <section className={css.map} aria-label={t('map')}>
              {rows && (
                <StationMap rows={rows} isStale={isStale} join={join} covered={isPhone ? 0 : alarmsHeight + GAP} />
              )}
            </section>
          </div>
          <div className={css.right}>
            {isPhone && <Switches settings={settings} />}
            {rows && (
              <Stations rows={rows} settings={settings} road={road} traffic={traffic} isStale={isStale} join={join} />
            )}
            {!rows && !error && <OverviewSkeleton />}
          </div>
        </div>
      )}
      <Announcer rows={rows} />
    </PageLayout>
  )
}
