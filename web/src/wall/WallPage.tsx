import { useSearch } from '@tanstack/react-router'
import { type CSSProperties, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WallFailure } from '../core/frame/WallFailure.tsx'
import { useRight, useSelf } from '../core/useSelf.ts'
import { useTitle } from '../core/useTitle.ts'
import { clearWallFailure } from '../core/wallScreen.ts'
import { DeviceRefused, isDevice, useDevice, useIsDeviceRefused } from '../devices/publicApi.ts'
import { useStationConditions } from '../overview/publicApi.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useHitWatch } from '../wanted/publicApi.ts'
import { type ColumnCount, readWallSearch } from './search.ts'
import { useDataAge } from './useDataAge.ts'
import { useIsSoundForbidden } from './useIsSoundForbidden.ts'
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

/** How long a device shows vehicles after their checkpoint; users set it themselves. */
const ADDITIONAL_SECONDS = 60
/** After this time without a response the screen says so. */
const START_MS = 15_000

/** Wall screen: wanted vehicles, the newest vehicles, and the stations, to be read from a distance without any control. */
export function WallPage() {
  const { t } = useTranslation('wall')
  useTitle(t('title'))
  useNightlyReload()
  return isDevice() ? <DeviceWall /> : <UserWall />
}

/** With a token of its own. */
function DeviceWall() {
  const device = useDevice()
  const [isLate, setLate] = useState(false)
  const isRefused = useIsDeviceRefused()
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), START_MS)
    return () => clearTimeout(timer)
  }, [])
  if (isRefused) return <DeviceRefused />
  if (!device) return isLate ? <WallFailure /> : null
  const { id, name, columns, wanted } = device
  return (
    <Wall
      name={name}
      defaultColumns={columns}
      // Ids of users are positive.
      hitsOf={wanted ? -id : undefined}
      isDevice
      additionalSeconds={ADDITIONAL_SECONDS}
    />
  )
}

/** A user sees what the session allows, until it ends by inactivity as on every page. */
function UserWall() {
  const { t } = useTranslation('wall')
  const { data: self } = useSelf()
  const isAllowed = useRight('CurrentMeasurements')
  const [seesLists, seesBlackList] = [useRight('WantedList'), useRight('BlackList')]
  if (!self) return null
  return isAllowed ? (
    <Wall
      defaultColumns={DEFAULT_COLUMNS}
      hitsOf={seesLists || seesBlackList ? self.id : undefined}
      isDevice={false}
      additionalSeconds={self.checkpointAdditionalTime}
    />
  ) : (
    <main id="main" className={css.refused}>
      <h1>{t('title')}</h1>
      <p>{t('errors:forbidden')}</p>
    </main>
  )
}

type Props = {
  /** Of the device. */
  name?: string
  defaultColumns: ColumnCount
  /** The user, or with a negative id the device, whose hits are shown; undefined: none. */
  hitsOf: number | undefined
  isDevice: boolean
  additionalSeconds: number
}

function Wall({ name, defaultColumns, hitsOf, isDevice, additionalSeconds }: Props) {
  const { t } = useTranslation('wall')
  const { wall } = readWallSearch(useSearch({ strict: false }))
  const columns = typeof wall === 'number' ? wall : defaultColumns
  const rows = ROWS[columns]
  useEffect(clearWallFailure, [])
  useHitWatch(hitsOf, ALARM_REPEAT_MS)
  const hits = useWallHits()
  const isSoundForbidden = useIsSoundForbidden(hitsOf !== undefined)
  const { vehicles, violating, countedSince, respondedAt } = useWallVehicles(additionalSeconds)
  const { rows: stations, at, isStale } = useStationConditions()
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
        <h1 className={css.hidden}>{name === undefined ? t('title') : `${t('title')}: ${name}`}</h1>
        <WallTop
          hits={hits}
          vehicles={vehicles ?? []}
          stations={stations}
          isLost={isLost}
          seesHits={hitsOf !== undefined}
          isDevice={isDevice}
          onWay={isLost ? null : onWay}
          violating={violating}
          countedSince={countedSince}
        />
        <WallList vehicles={vehicles && shown} isLost={isLost} additionalSeconds={additionalSeconds} />
        <WallAnnouncer />
      </main>
      <WallFoot
        stations={stations}
        isStale={isStale}
        more={more}
        age={age}
        isLoading={vehicles === null}
        isSilenced={isSoundForbidden}
      />
    </div>
  )
}
