import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { StationJoin } from '../ui/stationJoin.ts'
import css from './Overview.module.css'
import { MAX_STRIPS, orderRows, roadsOf } from './orderRows.ts'
import { RoadList } from './RoadList.tsx'
import { StationTable } from './StationTable.tsx'
import { StripHead, StripList } from './StripList.tsx'
import type { OverviewRow } from './useOverview.ts'
import type { OverviewSettings } from './useOverviewSettings.ts'
import { useStripKeys } from './useStripKeys.ts'
import type { Traffic } from './useTraffic.ts'

type Props = {
  rows: readonly OverviewRow[]
  settings: OverviewSettings
  /** The open road; undefined: none. */
  road: string | undefined
  traffic: Traffic
  isStale: boolean
  join: StationJoin
}

/** The stations as strips, with more than 12 of them as roads, or as a table. */
export function Stations({ rows, settings: { isTable, isUnusualFirst }, road, traffic, isStale, join }: Props) {
  const { t } = useTranslation('overview')
  const area = useRef<HTMLElement>(null)
  useStripKeys(area)
  const ordered = useMemo(() => orderRows(rows, isUnusualFirst), [rows, isUnusualFirst])
  const roads = useMemo(() => roadsOf(rows, isUnusualFirst), [rows, isUnusualFirst])
  const shared = { traffic, isStale, join }
  return (
    <section className={css.stations} aria-label={t('ui:stations')} ref={area}>
      {isTable ? (
        <StationTable rows={ordered} isStale={isStale} />
      ) : rows.length > MAX_STRIPS ? (
        <RoadList roads={roads} open={road} {...shared} />
      ) : (
        <>
          <StripHead />
          <StripList label={t('ui:stations')} rows={ordered} {...shared} />
        </>
      )}
    </section>
  )
}
