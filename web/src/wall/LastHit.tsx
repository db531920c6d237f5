import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { formatClock, formatDate, formatMinute } from '../core/format.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { useHitOutcome, useLatestHit } from '../wanted/publicApi.ts'
import css from './WallTop.module.css'

const shortTime = (at: string) => (formatDate(at) === formatDate(serverNow()) ? formatClock(at) : formatMinute(at))

/** The newest hit and what became of it. */
export function LastHit() {
  const { t } = useTranslation('wall')
  const outcomeOf = useHitOutcome()
  const hit = useLatestHit()
  if (!hit) return <p className={css.last}>{hit === null && t('no-hits')}</p>
  const { plateLpr, nationality, createdAt, location } = hit
  return (
    <div className={css.last}>
      <Plate plate={plateLpr} nationality={nationality} size="scaled" unreadable="" />
      <p>
        <b>{t('last-hit')}</b>
        <span>
          {shortTime(createdAt)} · {location.shortName}
        </span>
        <span>{outcomeOf(hit)}</span>
      </p>
    </div>
  )
}
