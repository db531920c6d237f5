import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { stringifySearch } from '../core/search.ts'
import { useBuild } from '../core/useBuild.ts'
import { useRight } from '../core/useSelf.ts'
import { useStations } from '../locations/publicApi.ts'
import { lastDays } from '../ui/dateRange.ts'
import { StationMark } from '../ui/vehicle/StationMark.tsx'
import type { Row } from './rows.ts'

/** The stations: each leads to its live list, or without the right to its archive of the last 24 hours. */
export function useStationRows(): Row[] {
  const { t } = useTranslation('palette')
  const { sg } = useBuild()
  const isLive = useRight('CurrentMeasurements') && !sg
  const hasArchive = useRight('ArchiveMeasurements')
  const { stations = [] } = useStations()
  if (!isLive && !hasArchive) return []
  const { start, end } = lastDays(1, serverNow())
  return stations.map(({ location, status, noDataTime }) => ({
    id: `station:${location.id}`,
    label: location.shortName,
    terms: `${location.roadNumber} ${location.name}`,
    mark: <StationMark status={status} />,
    note: noDataTime ?? t(isLive ? 'live' : 'archive'),
    open: isLive
      ? `/${stringifySearch({ step: 3, locations: [location.id] })}`
      : `/archival${stringifySearch({ step: 4, locations: [location.id], dateTimeStart: start, dateTimeEnd: end })}`,
  }))
}
