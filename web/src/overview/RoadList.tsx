import { chainageKm } from '@rogatka/domain/overview/roads.ts'
import { useTranslation } from 'react-i18next'
import type { StationJoin } from '../ui/stationJoin.ts'
import type { Road } from './orderRows.ts'
import css from './Road.module.css'
import { RoadHead, RoadLine, SumLine } from './Road.tsx'
import { StripHead, StripList } from './StripList.tsx'
import type { Traffic } from './useTraffic.ts'

/** px a km, if the longest road has room in the narrowest column. */
const SCALE = 0.5
const NARROWEST = 300

type Props = {
  roads: readonly Road[]
  /** The road whose stations are shown as strips; undefined: none. */
  open: string | undefined
  traffic: Traffic
  isStale: boolean
  join: StationJoin
}

/** Roads as lines, one of them open; the sum stays in place. */
export function RoadList({ roads, open, traffic, isStale, join }: Props) {
  const { t } = useTranslation('overview')
  const longest = Math.max(
    1,
    ...roads.flatMap(({ rows }) => rows.map(({ location }) => chainageKm(location.chainage) ?? 0)),
  )
  const scale = Math.min(SCALE, NARROWEST / longest)
  return (
    <div className={css.roads}>
      <RoadHead />
      <ul className={css.list} aria-label={t('roads')}>
        {roads.map((road) => {
          const isOpen = road.name === open
          return (
            <li key={road.name}>
              <RoadLine road={road} scale={scale} isOpen={isOpen} isStale={isStale} join={join} />
              {isOpen && (
                <div className={css.opened}>
                  <StripHead />
                  <StripList
                    label={t('stations-of', { road: road.name })}
                    rows={road.rows}
                    traffic={traffic}
                    isStale={isStale}
                    join={join}
                  />
                </div>
              )}
            </li>
          )
        })}
      </ul>
      <SumLine roads={roads} />
    </div>
  )
}
