import { useTranslation } from 'react-i18next'
import { formatClock, MISSING, useFormat } from '../core/format.ts'
import type { OverviewRow } from '../overview/publicApi.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { LastHit, LastOpenHit } from './LastHit.tsx'
import type { WallHits } from './useWallHits.ts'
import type { WallVehicle } from './useWallVehicles.ts'
import css from './WallTop.module.css'
import { WantedPanel } from './WantedPanel.tsx'

type Props = {
  hits: WallHits
  vehicles: readonly WallVehicle[]
  stations: readonly OverviewRow[] | undefined
  isLost: boolean
  seesHits: boolean
  isDevice: boolean
  /** Vehicles on their way; null: not known. */
  onWay: number | null
  violating: number
  countedSince: number | null
}

/** Wanted vehicles; without any, the traffic in figures, in the same place. */
export function WallTop({
  hits: { shown, more },
  vehicles,
  stations,
  isLost,
  seesHits,
  isDevice,
  onWay,
  violating,
  countedSince,
}: Props) {
  const { t } = useTranslation('wall')
  const { number } = useFormat()
  if (shown.length > 0)
    return (
      <section className={css.top} aria-label={t('wanted:hits-now')}>
        {shown.map((hit, at) => (
          <WantedPanel
            key={vehicleKey(hit)}
            hit={hit}
            vehicle={vehicles.find(({ key }) => key === vehicleKey(hit))?.vehicle}
            metresToSign={stations?.find(({ id }) => id === hit.location.id)?.location.distanceToSign ?? null}
            isLost={isLost}
            isHalf={shown.length > 1}
            more={at === shown.length - 1 ? more : 0}
          />
        ))}
      </section>
    )
  return (
    <section className={`${css.top} ${css.summary}`} aria-label={t('summary')}>
      <p>
        <b>{onWay === null ? MISSING : number(onWay)}</b>
        <span>{t('on-way', { count: onWay ?? 0 })}</span>
      </p>
      <p>
        <b>{number(violating)}</b>
        <span>
          {countedSince === null ? t('violating') : t('violating-since', { time: formatClock(countedSince) })}
        </span>
      </p>
      {seesHits && (isDevice ? <LastOpenHit /> : <LastHit />)}
    </section>
  )
}
