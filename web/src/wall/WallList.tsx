import { useTranslation } from 'react-i18next'
import type { WallVehicle } from './useWallVehicles.ts'
import css from './Wall.module.css'
import { WallRow } from './WallRow.tsx'

type Props = {
  /** Null: not known yet. */
  vehicles: readonly WallVehicle[] | null
  isLost: boolean
  additionalSeconds: number
}

/** The newest vehicles, column by column. */
export function WallList({ vehicles, ...rowProps }: Props) {
  const { t } = useTranslation('wall')
  if (!vehicles?.length) return <p className={css.empty}>{vehicles && !rowProps.isLost && t('no-vehicles')}</p>
  return (
    <ul className={css.list} aria-label={t('vehicles')}>
      {vehicles.map(({ key, vehicle, passed }) => (
        <WallRow key={key} vehicle={vehicle} passed={passed} {...rowProps} />
      ))}
    </ul>
  )
}
