import { useCallback, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toServerTime, useTicking } from '../core/clock.ts'
import { FilterPanelToggle } from '../core/frame/FilterPanelToggle.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useLocations } from '../locations/publicApi.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { GroupCard } from './GroupCard.tsx'
import { StationFilter } from './StationFilter.tsx'
import { openGroups } from './search.ts'
import { useContents, useSignGroups } from './useSignGroups.ts'
import { useVmsSearch } from './useVmsSearch.ts'
import css from './Vms.module.css'

/** Groups of signs with their current state. */
export function VmsPage() {
  const { t } = useTranslation('vms')
  const { search, selectStations, toggle } = useVmsSearch()
  const selected = search.locations ?? []
  const { data: groups, error, refetch, dataUpdatedAt } = useSignGroups(selected)
  const { data: contents } = useContents()
  const { data: stations } = useLocations()

  const nameOf = (id: number) => stations?.find((station) => station.id === id)?.shortName ?? String(id)
  const ids = groups?.map(({ group }) => group.id) ?? []
  const open = openGroups(search, ids)
  const withoutData = groups ? selected.filter((id) => !groups.some(({ group }) => group.location.id === id)) : []
  const stationIds = new Set(groups?.map(({ group }) => group.location.id))
  return (
    <PageLayout
      title={
        <>
          <ListTitle>
            {selected.length > 0 ? t('title-of', { stations: selected.map(nameOf).join(', ') }) : t('title')}
          </ListTitle>
          {groups && <DataAge notedAt={dataUpdatedAt} />}
        </>
      }
      actions={<FilterPanelToggle />}
      filterPanel={<StationFilter selected={selected} onSelect={selectStations} />}
    >
      <div className={css.groups}>
        {error && <ErrorBanner error={error} title={t('failed')} retry={() => void refetch()} />}
        {!error && !groups && <Loading label={t('loading')} skeleton={<GroupSkeleton />} />}
        {groups?.length === 0 && selected.length === 0 && <EmptyState title={t('none')} hint={t('none-hint')} />}
        {withoutData.map((id) => (
          <Notice key={id}>{t('no-data-for-station', { station: nameOf(id) })}</Notice>
        ))}
        {groups?.map((group) => (
          <GroupCard
            key={group.group.id}
            group={group}
            contents={contents}
            withStation={stationIds.size > 1}
            open={open.includes(group.group.id)}
            onToggle={() => toggle(ids, group.group.id)}
          />
        ))}
      </div>
    </PageLayout>
  )
}

/** Age of the displayed data; `notedAt` in local ms, 0: not loaded. */
function DataAge({ notedAt }: { notedAt: number }) {
  const { t } = useTranslation('vms')
  const at = useMemo(() => (notedAt === 0 ? 0 : toServerTime(notedAt)), [notedAt])
  const text = useCallback(
    (now: number) => (at === 0 ? '' : t('age', { seconds: Math.max(0, Math.floor((now - at) / 1_000)) })),
    [at, t],
  )
  return <span className={css.age} ref={useTicking(text)} />
}

const GroupSkeleton = () => (
  <>
    <div className={css.skeleton} />
    <div className={css.skeletonCollapsed} />
  </>
)
