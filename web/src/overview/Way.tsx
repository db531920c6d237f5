import { chainageAfter } from '@rogatka/domain/overview/roads.ts'
import { thinOut } from '@rogatka/domain/overview/way.ts'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { useFormat } from '../core/format.ts'
import { formatNoDataTime } from '../core/noDataTime.ts'
import type { OverviewRow } from './useOverview.ts'
import type { WayVehicle } from './useTraffic.ts'
import css from './Way.module.css'

const percent = (share: number) => `${(100 * share).toFixed(2)}%`

type Props = {
  row: OverviewRow
  /** Null: not known. */
  vehicles: readonly WayVehicle[] | null
}

/** The way from the station to its sign and its checkpoint, with the vehicles on it. */
export function Way({ row: { location, condition }, vehicles }: Props) {
  const { t } = useTranslation('overview')
  const { number } = useFormat()
  const { chainage, chainageAscends, distanceToSign, distanceToCheckpoint } = location
  const { silentSince, signs } = condition
  const isSilent = silentSince !== null
  const silence = silentSince && formatNoDataTime(serverNow() - Date.parse(silentSince))
  const shown = isSilent ? [] : (vehicles ?? [])
  const signShare =
    distanceToSign === null ? null : distanceToCheckpoint ? Math.min(1, distanceToSign / distanceToCheckpoint) : 0.5
  /** Chainage of what is behind the station, or how far that is. */
  const placeAfter = (metres: number) =>
    chainageAfter(chainage, chainageAscends, metres) ?? t('kilometres', { km: number(metres / 1_000, 1) })
  const violating = shown.filter(({ isViolating }) => isViolating).length
  const counts = [t('on-way', { count: shown.length }), violating > 0 && t('on-way-violating', { count: violating })]
  const label = isSilent
    ? t('no-data', { duration: silence })
    : vehicles
      ? counts.filter(Boolean).join(', ')
      : t('on-way-unknown')
  return (
    <div className={isSilent ? `${css.way} ${css.silent}` : css.way} role="img" aria-label={label}>
      <i className={css.road} />
      <i className={css.station} />
      <span className={css.chainage}>{chainage}</span>
      <div className={css.track}>
        {signShare !== null && (
          <>
            <Sign share={signShare} state={isSilent ? undefined : signs?.state} />
            {distanceToSign !== null && (
              <span className={css.toSign} style={{ '--share': percent(signShare) } as CSSProperties}>
                {placeAfter(distanceToSign)}
              </span>
            )}
          </>
        )}
        {thinOut(shown).map((vehicle) => (
          <Vehicle key={vehicle.key} vehicle={vehicle} />
        ))}
        {distanceToCheckpoint !== null && <i className={css.checkpoint} />}
      </div>
      {distanceToCheckpoint !== null && <span className={css.toCheckpoint}>{placeAfter(distanceToCheckpoint)}</span>}
      {isSilent && <b className={css.noData}>{label}</b>}
    </div>
  )
}

function Sign({ share, state }: { share: number; state: string | undefined }) {
  return (
    <i className={css.sign} style={{ left: percent(share) }}>
      {state === 'fault' && <i className={css.warning} />}
      <i
        className={[css.board, state === 'lit' && css.lit, state === 'fault' && css.faulty].filter(Boolean).join(' ')}
      />
    </i>
  )
}

function Vehicle({ vehicle: { share, isLarge, isViolating, wanted } }: { vehicle: WayVehicle }) {
  const kind = wanted !== null ? css.wanted : isViolating ? css.violating : undefined
  const className = [css.vehicle, isLarge && css.large, kind].filter(Boolean).join(' ')
  return (
    <i className={className} style={{ left: percent(share) }}>
      {isViolating && wanted === null && <i className={css.violation} />}
      {wanted && <b className={css.plate}>{wanted}</b>}
    </i>
  )
}
