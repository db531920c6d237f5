import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useDeferredValue, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../core/store.ts'
import { useLatest } from '../core/useLatest.ts'
import { selfQuery } from '../core/useSelf.ts'
import { useAnnounce } from '../inspections/publicApi.ts'
import { CardSkeleton } from '../ui/vehicle/VehicleCard.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useOpenVehicle, useRowKeys, useTag } from '../vehicle/publicApi.ts'
import { useVehiclesOnSigns } from '../vms/publicApi.ts'
import { useOpenHits } from '../wanted/publicApi.ts'
import { ArrivalsBar } from './ArrivalsBar.tsx'
import { LiveAnnouncer } from './LiveAnnouncer.tsx'
import { LiveRows } from './LiveRows.tsx'
import { live, setAdditionalTime, startLive, trackListVisibility } from './live.ts'
import { entriesOf } from './liveList.ts'
import { ListErrorNotice } from './Notices.tsx'
import type { CurrentSearch } from './search.ts'
import { useCounters } from './useCounters.ts'
import { useKeptFocus } from './useKeptFocus.ts'
import { usePauseOnHover } from './usePauseOnHover.ts'

/** The vehicle whose detail page was opened, to focus its card on return. */
let openedKey: string | null = null

/** Step 3: the live list. */
export function LiveStep({ search }: { search: CurrentSearch }) {
  const { t } = useTranslation('current')
  const state = useStore(live)
  const { error, noData } = state
  // Arrivals are rendered after the response to a key or click.
  const list = useDeferredValue(state.list)
  const { data: self } = useQuery({ ...selfQuery, refetchOnMount: 'always' })
  const additionalSeconds = self?.checkpointAdditionalTime

  const searchKey = JSON.stringify(search)
  useEffect(() => {
    if (additionalSeconds === undefined) return
    setAdditionalTime(additionalSeconds)
    startLive(JSON.parse(searchKey) as CurrentSearch)
  }, [searchKey, additionalSeconds])
  useEffect(trackListVisibility, [])
  // Also while the filter panel is collapsed: the counters distinguish missing data from filters without matches.
  useCounters(search, true)

  const openDetail = useOpenVehicle('live')
  const open = useCallback(
    (vehicle: WireVehicle) => {
      openedKey = vehicleKey(vehicle)
      openDetail(vehicle)
    },
    [openDetail],
  )
  const tag = useTag('live')
  const area = useRef<HTMLDivElement>(null)
  const returnedFrom = useRef(openedKey)
  useEffect(() => {
    if (returnedFrom.current !== null)
      area.current?.querySelector<HTMLElement>(`[data-vehicle="${returnedFrom.current}"] a`)?.focus()
    openedKey = null
  }, [])
  const focus = useKeptFocus(area, returnedFrom.current)
  const announcing = useAnnounce()
  const announce = useLatest(announcing.toggle)
  const vehicleOf = (key: string) =>
    entriesOf(live.get().list).find(({ vehicle }) => vehicleKey(vehicle) === key)?.vehicle
  const onRow = (act: (vehicle: WireVehicle) => void) => (key: string) => {
    const vehicle = vehicleOf(key)
    if (vehicle) act(vehicle)
  }
  useRowKeys(
    area,
    onRow((vehicle) => void tag(vehicle)),
    { up: t('vehicle:key-up'), down: t('vehicle:key-down'), tag: t('vehicle:key-tag') },
    announcing.isAllowed ? [{ key: 'i', label: t('vehicle:announce'), run: onRow(announce) }] : [],
  )

  const rows = {
    focused: focus.row,
    additionalSeconds: additionalSeconds ?? 0,
    onSigns: useVehiclesOnSigns(),
    takenBy: new Map(useOpenHits().flatMap((hit) => (hit.taken ? [[vehicleKey(hit), hit.taken.by.username]] : []))),
    onOpen: open,
    onTag: tag,
    onAnnounce: announcing.isAllowed ? announce : undefined,
  }
  const isEmpty = list.unpinned.length + list.pinned.length === 0
  return (
    <div ref={area} aria-busy={!state.opened && error === null} {...usePauseOnHover()}>
      <ArrivalsBar live={state} area={area} />
      <LiveAnnouncer />
      {announcing.tasks}
      {isEmpty && error !== null && <ListErrorNotice error={error} />}
      {isEmpty && error === null && !noData && <CardSkeleton count={3} />}
      <div {...focus.handlers}>
        {list.pinned.length > 0 && <LiveRows {...rows} label={t('wanted-list')} slots={list.pinned} pinned />}
        <LiveRows {...rows} label={t('vehicle:list')} slots={list.unpinned} />
      </div>
    </div>
  )
}
