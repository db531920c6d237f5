import type { Image, WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { arrivalTime } from '@rogatka/domain/vehicle/arrival.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useTicking } from '../core/clock.ts'
import { formatTime, useFormat } from '../core/format.ts'
import { isDevice } from '../devices/publicApi.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import wantedCss from '../ui/vehicle/wanted.module.css'
import { HitImage, hitQuery, isApproaching, isUrgent, wholeImageOf } from '../wanted/publicApi.ts'
import { WallCountdown } from './WallCountdown.tsx'
import css from './WantedPanel.module.css'

type Props = {
  hit: WireOpenHit
  /** As the live list has it; undefined before and after. */
  vehicle: WireVehicle | undefined
  /** From the station to its sign. */
  metresToSign: number | null
  isLost: boolean
  /** Two share the width. */
  isHalf: boolean
  /** Number of further wanted vehicles. */
  more: number
}

/** A wanted vehicle: photo, time left, plate, what to do, who attends to it. */
export function WantedPanel({ hit, vehicle, metresToSign, isLost, isHalf, more }: Props) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const { plateLpr, nationality, location, laneNumber, speed, createdAt, entries } = hit
  const image = useLatestImage(vehicle)
  const urgent = isUrgent(hit)
  const details = [
    location.shortName,
    !isHalf && t('ui:lane-number', { lane: laneNumber }),
    speed !== null && `${number(speed)} km/h`,
    !isHalf && formatTime(createdAt),
  ]
  const instructions = [...new Set(entries.map(({ description }) => description))].join(' · ')
  const state = urgent ? wantedCss.wanted : isApproaching(hit) ? css.taken : css.passed
  return (
    <article className={`${css.panel} ${isHalf ? css.half : ''} ${state}`}>
      <div className={css.photo}>
        <HitImage image={image} missing={t('vehicle:no-image')} />
      </div>
      <div className={css.time}>
        <WallCountdown
          className={css.countdown}
          of={hit}
          additionalSeconds={Number.POSITIVE_INFINITY}
          isLost={isLost}
        />
        <p className={css.small}>
          {t(
            hit.checkpointTime === null ? 'no-checkpoint' : isApproaching(hit) ? 'to-checkpoint' : 'passed-checkpoint',
          )}
          {!isLost && <TimeToSign hit={hit} metres={metresToSign} />}
        </p>
      </div>
      <div className={css.vehicle}>
        <Plate plate={plateLpr} nationality={nationality} size="scaled" unreadable="" />
        <p className={css.small}>{details.filter(Boolean).join(' · ')}</p>
      </div>
      <div className={css.task}>
        <h2>{t('vehicle:wanted')}</h2>
        <p className={instructions.length > 110 ? css.long : undefined}>{instructions}</p>
      </div>
      <Attendant hit={hit} isHalf={isHalf} />
      {more > 0 && <b className={css.more}>+{number(more)}</b>}
    </article>
  )
}

/** Until the driver passes the sign; nothing afterwards. */
function TimeToSign({
  hit: { createdAt, speed, checkpointTime },
  metres,
}: {
  hit: WireOpenHit
  metres: number | null
}) {
  const { t } = useTranslation('wall')
  const at = checkpointTime === null ? null : arrivalTime({ createdAt: new Date(createdAt), speed }, metres)?.getTime()
  const text = useCallback(
    (now: number) => (at != null && at > now ? t('to-sign', { time: formatCountdown((at - now) / 1_000) }) : ''),
    [at, t],
  )
  return <span ref={useTicking(text)} />
}

/** The image of the vehicle, also when it has left the live list. */
function useLatestImage(vehicle: WireVehicle | undefined): Image | null {
  const latest = useRef<Image | null>(null)
  latest.current = wholeImageOf(vehicle) ?? latest.current
  return latest.current
}

/** Who took it, or how many people were notified. */
function Attendant({ hit, isHalf }: Pick<Props, 'hit' | 'isHalf'>) {
  const { t } = useTranslation('wanted')
  // Devices do not see the course of a hit.
  const { data: detail } = useQuery({ ...hitQuery(hit), enabled: !isDevice() })
  const { taken, createdAt, checkpointTime } = hit
  const hasPassed = checkpointTime !== null && !isApproaching(hit)
  if (taken)
    return (
      <p className={css.who}>
        <b>{t('name-taken', { name: taken.by.username })}</b>
        <span>
          {t('wall:after-reading', {
            time: formatTime(taken.at),
            seconds: Math.max(0, Math.round((Date.parse(taken.at) - Date.parse(createdAt)) / 1_000)),
          })}
        </span>
      </p>
    )
  return (
    <p className={css.who}>
      <b>{t(isHalf && hasPassed ? 'passed-untaken' : 'nobody-took')}</b>
      {detail && detail.notified > 0 && <span>{t('notified', { count: detail.notified })}</span>}
    </p>
  )
}
