import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import stretched from '../ui/stretchedLink.module.css'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { TagButton } from '../ui/vehicle/TagButton.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import css from './ResultCards.module.css'
import { Findings, Thumbnail } from './ResultParts.tsx'
import type { ListProps } from './ResultTable.tsx'
import type { ResultRows } from './useResultRows.ts'
import { useRow } from './useRow.ts'

/** Result on narrow screens: one card per vehicle. */
export function ResultCards({ vehicles, stale, rows }: ListProps) {
  const { t } = useTranslation('archive')
  return (
    <ul className={css.cards} aria-label={t('vehicle:list')} aria-busy={stale}>
      {vehicles.map((vehicle) => (
        <Card key={vehicleKey(vehicle)} vehicle={vehicle} rows={rows} />
      ))}
    </ul>
  )
}

function Card({ vehicle, rows }: { vehicle: WireVehicle; rows: ResultRows }) {
  const row = useRow(vehicle, rows)
  const { texts } = row
  return (
    <li
      className={row.mark?.kind === 'wanted' ? `${css.card} ${css.wanted}` : css.card}
      data-tone={row.mark?.kind}
      data-vehicle={vehicleKey(vehicle)}
      onContextMenu={row.onContextMenu}
    >
      <Thumbnail image={row.image} />
      <div className={css.identity}>
        <a className={stretched.link} {...row.link}>
          <Plate plate={vehicle.plateLpr} nationality={vehicle.nationality} size="s" unreadable={texts.unreadable} />
        </a>
        <span className={css.detection}>
          {row.date} {row.time}
        </span>
      </div>
      <div className={css.figures}>
        <b className={row.isOverLimit ? css.red : undefined}>
          {row.weight} <small>t</small>
        </b>
        <span className={vehicle.overspeed ? css.red : undefined}>
          {row.speed} <small>km/h</small>
        </span>
      </div>
      <div className={css.more}>
        <span className={css.detection}>{row.stationAndLane}</span>
        {(row.findings.length > 0 || row.mark) && <Findings findings={row.findings} mark={row.mark} />}
      </div>
      <TagButton tagged={row.tagged} label={row.tagText} hint={row.tagText} onClick={row.tag} />
    </li>
  )
}
