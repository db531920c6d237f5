import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { type Agreement, compareDetections, MAX_GAP_DIFFERENCE, traits } from '@rogatka/domain/archive/comparison.ts'
import { isAtOrOverLimit } from '@rogatka/domain/vehicle/weight.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatDateTime, MISSING, useFormat } from '../core/format.ts'
import { missingWeight, useImageExpiry, VehicleImage } from '../vehicle/publicApi.ts'
import css from './HistoryComparison.module.css'
import { type Picks, type Side, sides } from './historyPicks.ts'
import { OverlaidAxles } from './OverlaidAxles.tsx'
import { SideMark } from './SideMark.tsx'

/** Two detections side by side: image, weight and speed, their differences, and their axles on one ground line. */
export function HistoryComparison({ picks }: { picks: Picks }) {
  const { t } = useTranslation('archive')
  const { A: a, B: b } = picks
  return (
    <section className={css.comparison} aria-label={t('history-comparison')}>
      <div className={css.sides}>
        {sides.map((side) => (
          <ComparedDetection key={side} side={side} vehicle={picks[side]} />
        ))}
      </div>
      {a && b && (
        <>
          <Differences a={a} b={b} />
          <OverlaidAxles a={a} b={b} />
        </>
      )}
    </section>
  )
}

function ComparedDetection({ side, vehicle }: { side: Side; vehicle: WireVehicle | undefined }) {
  const { t } = useTranslation('archive')
  const { tonnes, number } = useFormat()
  const imageRetention = useImageExpiry()
  if (!vehicle)
    return (
      <div className={css.detection}>
        <header>
          <SideMark side={side} />
          <b>{t('history-choose', { side })}</b>
        </header>
        <p className={`${css.image} ${css.missing}`}>{t('history-choose-hint')}</p>
      </div>
    )
  const { images = [], location, lane, totalLoad, limitTotalLoad, speed, overspeed } = vehicle
  const image = images.find(({ type }) => type === 'front') ?? images[0]
  const days = imageRetention(vehicle)
  const limit = limitTotalLoad === null ? t('vehicle:no-limit') : t('vehicle:limit', { value: tonnes(limitTotalLoad) })
  return (
    <article className={css.detection} aria-label={`${side}: ${formatDateTime(vehicle.createdAt)}`}>
      <header>
        <SideMark side={side} />
        <b>{formatDateTime(vehicle.createdAt)}</b>
        <span>
          {location.shortName} · {t('ui:lane-number', { lane: lane.laneNumber })}
        </span>
      </header>
      {image ? (
        <div className={css.image}>
          <VehicleImage key={image.path ?? image.type} image={image} large />
        </div>
      ) : (
        <p className={`${css.image} ${css.missing}`}>
          {days === null ? t('vehicle:no-image') : t('vehicle:images-removed', { count: days })}
        </p>
      )}
      <div className={css.figures}>
        <span>
          <b className={isAtOrOverLimit(vehicle) ? css.red : undefined}>
            {tonnes(totalLoad)} <small>t</small>
          </b>
          <span>{totalLoad === null ? t(`vehicle:${missingWeight(vehicle)}`) : limit}</span>
        </span>
        <b className={overspeed ? css.red : undefined}>
          {number(speed)} <small>km/h</small>
        </b>
      </div>
    </article>
  )
}

type DetectionPair = { a: WireVehicle; b: WireVehicle }

function Differences({ a, b }: DetectionPair) {
  const { t } = useTranslation('archive')
  const { tonnes, metres } = useFormat()
  const { mass, largest, gap, agreement } = compareDetections(a, b)
  const signed = (kg: number | undefined | null) =>
    kg === undefined || kg === null ? MISSING : `${kg > 0 ? '+' : ''}${tonnes(kg)} t`
  const isAlike = gap !== null && gap <= MAX_GAP_DIFFERENCE
  const facts: [name: string, value: ReactNode][] = [
    [t('history-mass'), signed(mass)],
    [largest ? t('history-axle', { axle: largest.axle }) : t('history-any-axle'), signed(largest?.difference)],
    [t('history-length'), `${metres(a.vehLength || null)} / ${metres(b.vehLength || null)} m`],
    [
      t('history-gaps'),
      gap === null ? MISSING : t(isAlike ? 'history-gaps-agree' : 'history-gaps-differ', { gap: metres(gap) }),
    ],
    [t('history-same'), <SameVehicle key="same" agreement={agreement} />],
  ]
  return (
    <dl className={css.differences}>
      {facts.map(([name, value]) => (
        <Fact key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

const Fact = ({ name, value }: { name: string; value: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** Names what agrees, and below it what does not. */
function SameVehicle({ agreement }: Pick<ReturnType<typeof compareDetections>, 'agreement'>) {
  const { t } = useTranslation('archive')
  const named = (value: Agreement) =>
    traits
      .filter((trait) => agreement[trait] === value)
      .map((trait) => t(`history-trait-${trait}`))
      .join(', ')
  const agreeing = named('agrees')
  const others = (['similar', 'differs', 'unknown'] as const).filter((value) => named(value) !== '')
  return (
    <>
      {agreeing ? t('traits-agrees', { traits: agreeing }) : t('history-nothing-agrees')}
      {others.length > 0 && (
        <small>{others.map((value) => t(`traits-${value}`, { traits: named(value) })).join(' · ')}</small>
      )}
    </>
  )
}
