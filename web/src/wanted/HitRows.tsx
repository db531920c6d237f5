import { VisuallyHidden } from '@mantine/core'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { displayPlate } from '@rogatka/domain/vehicle/plate.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { useJoinProps } from '../ui/stationJoin.ts'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { HitCountdown } from './HitCountdown.tsx'
import css from './HitRows.module.css'
import { firstOf, isUrgent, openHitSheet } from './openHits.ts'

/** Rows of wanted vehicles above the alarms; a barrier marks those that nobody has taken yet. */
export function HitRows({ hits }: { hits: readonly WireOpenHit[] }) {
  const { t } = useTranslation('wanted')
  const { number } = useFormat()
  const first = firstOf(hits)
  const joinPropsFor = useJoinProps()
  return (
    <ul className={css.rows} aria-label={t('hits-now')}>
      {hits.map((hit) => {
        const { plateLpr, nationality, location, speed, taken } = hit
        const details = [
          t('vehicle:wanted').toLocaleLowerCase(),
          location.shortName,
          speed !== null && `${number(speed)} km/h`,
          taken && t('name-taken', { name: taken.by.username }),
        ]
        return (
          <li
            key={vehicleKey(hit)}
            className={isUrgent(hit) ? `${css.row} ${css.urgent}` : css.row}
            {...joinPropsFor([location.id])}
          >
            <Plate plate={plateLpr} nationality={nationality} size="s" unreadable="" />
            <HitCountdown hit={hit} className={css.countdown} />
            <small>{details.filter(Boolean).join(' · ')}</small>
            <button type="button" className={css.open} onClick={() => openHitSheet(hit)}>
              {t('open')}
              <VisuallyHidden>: {displayPlate(plateLpr, nationality)}</VisuallyHidden>
              {hit === first && <Kbd>H</Kbd>}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
