import type { AlarmPriority, WireAlarm } from '@rogatka/contract/alarms.ts'
import type { WireLocation } from '@rogatka/contract/locations.ts'
import { overview, type WireOverviewStation } from '@rogatka/contract/overview.ts'
import { severityOf } from '@rogatka/domain/overview/roads.ts'
import { worstAlarms } from '@rogatka/domain/overview/worstAlarm.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useOpenAlarms } from '../alarms/publicApi.ts'
import { call } from '../core/call.ts'
import { onTick } from '../core/clock.ts'
import { useLocations } from '../locations/publicApi.ts'

const REFRESH_MS = 5_000
/** Older data does not show the current state: marks are hollow rings. */
const STALE_MS = 60_000

const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: ({ signal }) => call(overview, { signal, background: true }),
  refetchInterval: REFRESH_MS,
  // Hidden pages do not refetch; returning to the page refetches at once.
  refetchOnWindowFocus: 'always',
})

/** A station, its condition, and the priority of its worst alarm; null: none. */
export type OverviewRow = {
  id: number
  location: WireLocation
  condition: WireOverviewStation
  alarm: AlarmPriority | null
}

/** `wanted`: hits on their way; `unknown`: it has never sent; else its severity, or `working`. */
export type RowState = 'wanted' | 'bad' | 'attention' | 'unknown' | 'working'

export function rowStateOf({ condition, alarm }: OverviewRow): RowState {
  if ((condition.wanted ?? 0) > 0) return 'wanted'
  return severityOf(condition, alarm) ?? (condition.lastMessageAt === null ? 'unknown' : 'working')
}

const NO_ALARMS: readonly WireAlarm[] = []

/** Condition of all stations, by number; `rows` is undefined while loading. */
export const useOverview = () => useStations(useOpenAlarms())

/** The same without alarms, which devices do not see. */
export const useStationConditions = () => useStations(NO_ALARMS)

function useStations(alarms: readonly WireAlarm[]) {
  const locations = useLocations()
  const { data, error, refetch } = useQuery(overviewQuery)
  const worst = useMemo(() => worstAlarms(alarms), [alarms])
  const rows = useMemo(() => joinRows(locations.data, data?.stations, worst), [locations.data, data?.stations, worst])
  const at = data && Date.parse(data.at)
  return {
    rows,
    missing: data?.missing ?? [],
    /** Time of the state, ms. */
    at,
    isStale: useIsStale(at),
    error: error ?? (data ? null : locations.error),
    retry: () => void Promise.all([locations.refetch(), refetch()]),
  }
}

/** A station without a condition was added since. */
function joinRows(
  locations: readonly WireLocation[] | undefined,
  conditions: readonly WireOverviewStation[] | undefined,
  alarms: ReadonlyMap<number, AlarmPriority>,
): OverviewRow[] | undefined {
  if (!locations || !conditions) return undefined
  const byId = new Map(conditions.map((condition) => [condition.locationId, condition]))
  return locations.flatMap((location) => {
    const condition = byId.get(location.id)
    return condition ? [{ id: location.id, location, condition, alarm: alarms.get(location.id) ?? null }] : []
  })
}

function useIsStale(at: number | undefined): boolean {
  const [isStale, setStale] = useState(false)
  useEffect(() => (at === undefined ? undefined : onTick((now) => setStale(now - at > STALE_MS))), [at])
  return isStale
}
