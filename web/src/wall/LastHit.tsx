import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatClock, formatDate, formatMinute } from '../core/format.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { useHitOutcome, useLatestHit, useLatestOpenHit, useOpenHits } from '../wanted/publicApi.ts'
import css from './WallTop.module.css'

const shortTime = (at: string) => (formatDate(at) === formatDate(serverNow()) ? formatClock(at) : formatMinute(at))

/** The newest hit and what became of it, for users. */
export function LastHit() {
  const { t } = useTranslation('wall')
  const outcomeOf = useHitOutcome()
  const hit = useLatestHit()
  if (!hit) return <p className={css.last}>{hit === null && t('no-hits')}</p>
  return <HitLine hit={hit} outcome={outcomeOf(hit)} />
}

/** For devices, which see no closed hits: the newest one since the page was opened. */
export function LastOpenHit() {
  const { t } = useTranslation('wanted')
  const latest = useLatestOpenHit()
  const open = useOpenHits()
  if (!latest) return null
  // How a hit was closed is not known.
  const isOpen = open.some((hit) => vehicleKey(hit) === vehicleKey(latest))
  return (
    <HitLine
      hit={latest}
      outcome={latest.taken ? t('name-taken', { name: latest.taken.by.username }) : isOpen ? t('nobody-took') : null}
    />
  )
}

type HitLineProps = {
  hit: Pick<WireOpenHit, 'plateLpr' | 'nationality' | 'createdAt'> & { location: { shortName: string } }
  /** Null: not known. */
  outcome: string | null
}

function HitLine({ hit: { plateLpr, nationality, createdAt, location }, outcome }: HitLineProps) {
  const { t } = useTranslation('wall')
  return (
    <div className={css.last}>
      <Plate plate={plateLpr} nationality={nationality} size="scaled" unreadable="" />
      <p>
        <b>{t('last-hit')}</b>
        <span>
          {shortTime(createdAt)} · {location.shortName}
        </span>
        {outcome !== null && <span>{outcome}</span>}
      </p>
    </div>
  )
}
