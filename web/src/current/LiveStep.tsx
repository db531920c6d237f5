import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from '../core/store.ts'
import { selfQuery } from '../core/useSelf.ts'
import { StripBones, StripGap, StripList } from '../ui/vehicle/Strip.tsx'
import { useOpenVehicle } from '../vehicle/useBack.ts'
import { useRowKeys } from '../vehicle/useRowKeys.ts'
import { useTag } from '../vehicle/useTag.ts'
import { useVehiclesOnSigns } from '../vms/useSignGroups.ts'
import { keepFor, live, startLive, watchLive } from './live.ts'
import { entriesOf, isGap } from './liveList.ts'
import { NewBar } from './NewBar.tsx'
import { NoList } from './Notices.tsx'
import type { CurrentSearch } from './search.ts'
import { useHand } from './useHand.ts'
import { VehicleStrip } from './VehicleStrip.tsx'

/** The vehicle whose detail the operator went to, so that they come back to its strip. */
let opened: number | null = null

/** Step 3: the vehicles as they come. */
export function LiveStep({ search }: { search: CurrentSearch }) {
  const { t } = useTranslation('current')
  const state = useStore(live)
  const { list, error, silent } = state
  const { data: self } = useQuery({ ...selfQuery, refetchOnMount: 'always' })
  const additionalSeconds = self?.checkpointAdditionalTime

  const address = JSON.stringify(search)
  useEffect(() => {
    if (additionalSeconds === undefined) return
    keepFor(additionalSeconds)
    startLive(JSON.parse(address) as CurrentSearch)
  }, [address, additionalSeconds])
  useEffect(watchLive, [])

  const openDetail = useOpenVehicle('live')
  const open = useCallback(
    (vehicle: WireVehicle) => {
      opened = vehicle.id
      openDetail(vehicle)
    },
    [openDetail],
  )
  const tag = useTag('live')
  const onSigns = useVehiclesOnSigns()
  const area = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (opened !== null) area.current?.querySelector<HTMLElement>(`[data-vehicle="${opened}"] a`)?.focus()
    opened = null
  }, [])
  const tagById = (id: number) => {
    const entry = entriesOf(live.get().list).find(({ vehicle }) => vehicle.id === id)
    if (entry) void tag(entry.vehicle)
  }
  useRowKeys(area, tagById, { up: t('key-up'), down: t('key-down'), tag: t('key-tag') })

  const isEmpty = list.shown.length === 0
  return (
    <div ref={area} {...useHand()}>
      <NewBar live={state} />
      {isEmpty && error !== null && <NoList error={error} />}
      {isEmpty && error === null && !silent && <StripBones count={3} />}
      <StripList label={t('list')}>
        {list.shown.map((slot) =>
          isGap(slot) ? (
            <li key={`gap ${slot.gap}`} aria-hidden="true">
              <StripGap />
            </li>
          ) : (
            <VehicleStrip
              key={slot.vehicle.id}
              entry={slot}
              additionalSeconds={additionalSeconds ?? 0}
              onSign={onSigns.get(slot.vehicle.id)}
              onOpen={open}
              onTag={tag}
            />
          ),
        )}
      </StripList>
    </div>
  )
}
