import { useSearch } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { useOverview } from '../overview/publicApi.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useHitWatch } from '../wanted/publicApi.ts'
import { type ColumnCount, readWallSearch } from './search.ts'
import { useDataAge } from './useDataAge.ts'
import { useNightlyReload, usePixelShift } from './useUnattended.ts'
import { useWallHits } from './useWallHits.ts'
import { useWallVehicles } from './useWallVehicles.ts'
import css from './Wall.module.css'
import { WallAnnouncer } from './WallAnnouncer.tsx'
import { WallFoot } from './WallFoot.tsx'
import { WallList } from './WallList.tsx'
import { WallTop } from './WallTop.tsx'

const DEFAULT_COLUMNS = 2
/** Rows that are legible at the distance for which the number of columns is meant. */
const ROWS: Record<ColumnCount, number> = { 2: 6, 3: 8, 4: 10 }
/** The alarm of a hit that nobody takes. */
const ALARM_REPEAT_MS = 30_000

/** Wall screen: wanted vehicles, the newest vehicles, and the stations, to be read from a distance without any control. */
export function WallPage() {
  const { t } = useTranslation('wall')
  const { data: self } = useSelf()
  const isAllowed = useRight('CurrentMeasurements')
  useTitle(t('title'))
  useNightlyReload()
  if (!self) return null
  return isAllowed ? (
    <Wall additionalSeconds={self.checkpointAdditionalTime} />
  ) : (
    <main id="main" className={css.refused}>
      <h1>{t('title')}</h1>
      <p>{t('errors:forbidden')}</p>
    </main>
  )
}

function Wall({ additionalSeconds }: { additionalSeconds: number }) {
  const { t } = useTranslation('wall')
  const { wall } = readWallSearch(useSearch({ strict: false }))
  const columns = typeof wall === 'number' ? wall : DEFAULT_COLUMNS
  const rows = ROWS[columns]
  const [seesLists, seesBlackList] = [useRight('WantedList'), useRight('BlackList')]
  const seesHits = seesLists || seesBlackList
  useHitWatch(seesHits, ALARM_REPEAT_MS)
  const hits = useWallHits()
  const { vehicles, violating, countedSince, respondedAt } = useWallVehicles(undefined, additionalSeconds)
  const { rows: stations, at, isStale } = useOverview()
  const age = useDataAge(respondedAt, at)
  const isLost = age.state === 'lost'
  const onTop = new Set(hits.shown.map(vehicleKey))
  const listed = vehicles?.filter(({ key }) => !onTop.has(key)) ?? []
  const shown = listed.slice(0, columns * rows)
  const more = listed.slice(shown.length).filter(({ passed }) => !passed).length
  const onWay = vehicles?.filter(({ passed }) => !passed).length ?? null
  const style = { '--columns': columns, '--rows': rows, transform: usePixelShift() } as CSSProperties
  return (
    <div className={css.wall} style={style}>
      <main id="main" className={css.main}>
        <h1 className={css.hidden}>{t('title')}</h1>
        <WallTop
          hits={hits}
          vehicles={vehicles ?? []}
          isLost={isLost}
          seesHits={seesHits}
          onWay={isLost ? null : onWay}
          violating={violating}
          countedSince={countedSince}
        />
        <WallList vehicles={vehicles && shown} isLost={isLost} additionalSeconds={additionalSeconds} />
        <WallAnnouncer />
      </main>
      <WallFoot stations={stations} isStale={isStale} more={more} age={age} isLoading={vehicles === null} />
    </div>
  )
}
