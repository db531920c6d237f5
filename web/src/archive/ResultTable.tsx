import { VisuallyHidden } from '@mantine/core'
import type { SortColumn, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { useTranslation } from 'react-i18next'
import { useRight } from '../core/useSelf.ts'
import { SortCaption, SortHeader } from '../ui/SortHead.tsx'
import stretched from '../ui/stretchedLink.module.css'
import base from '../ui/table.module.css'
import { Plate } from '../ui/vehicle/Plate.tsx'
import { Silhouette } from '../ui/vehicle/Silhouette.tsx'
import { TagButton } from '../ui/vehicle/TagButton.tsx'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { Findings, Thumbnail } from './ResultParts.tsx'
import css from './ResultTable.module.css'
import type { SortLevel } from './search.ts'
import type { ResultRows } from './useResultRows.ts'
import { useRow } from './useRow.ts'

export type ListProps = {
  vehicles: readonly WireVehicle[]
  levels: readonly SortLevel[]
  /** The rows are those of the previous page, while the new page loads. */
  stale: boolean
  rows: ResultRows
  /** A column header was clicked; with Shift it adds a sort level. */
  onSort: (column: SortColumn, isAdded: boolean) => void
}

type Column = { name: string; column?: SortColumn; right?: boolean }

const COLUMNS: readonly Column[] = [
  { name: 'image' },
  { name: 'plate', column: 'plateLpr' },
  { name: 'time', column: 'createdAt' },
  { name: 'station', column: 'locationId' },
  { name: 'lane', right: true },
  { name: 'category', column: 'ctg8p1' },
  { name: 'weight', column: 'totalLoad', right: true },
  { name: 'speed', column: 'speed', right: true },
  { name: 'length', column: 'vehLength', right: true },
  { name: 'violations' },
]

/** Result table; sorted columns are marked. */
export function ResultTable({ vehicles, levels, stale, rows, onSort }: ListProps) {
  const { t } = useTranslation('archive')
  const anonymous = useRight('Anonymization')
  return (
    <table className={`${base.table} ${css.table}`} aria-label={t('vehicle:list')} aria-busy={stale}>
      <SortCaption levels={levels} titleOf={(column) => t(`vehicle:sort-${column}`)} />
      <thead className={base.heads}>
        <tr>
          {COLUMNS.map(({ name, column, right }) => (
            <SortHeader
              key={name}
              title={t(`column-${name}`)}
              // No sorting by plate with anonymised data, because the order would reveal plates.
              column={anonymous && column === 'plateLpr' ? undefined : column}
              levels={levels}
              classNames={[css[name], right && css.right]}
              onSort={(isAdded) => column && onSort(column, isAdded)}
            />
          ))}
          <th scope="col" className={css.tag}>
            <VisuallyHidden>{t('tag')}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {vehicles.map((vehicle) => (
          <ResultRow key={vehicleKey(vehicle)} vehicle={vehicle} rows={rows} />
        ))}
      </tbody>
    </table>
  )
}

function ResultRow({ vehicle, rows }: { vehicle: WireVehicle; rows: ResultRows }) {
  const row = useRow(vehicle, rows)
  const { texts } = row
  return (
    <tr
      data-vehicle={vehicleKey(vehicle)}
      className={row.mark?.kind === 'wanted' ? css.wanted : undefined}
      data-tone={row.mark?.kind}
      onContextMenu={row.onContextMenu}
    >
      <td className={css.image}>
        <Thumbnail image={row.image} />
      </td>
      <td>
        <a className={stretched.link} {...row.link}>
          <Plate plate={vehicle.plateLpr} nationality={vehicle.nationality} size="s" unreadable={texts.unreadable} />
        </a>
      </td>
      <td>
        {row.date}
        <br />
        <b>{row.time}</b>
      </td>
      <td className={css.station}>{vehicle.location.shortName}</td>
      <td className={css.right}>{vehicle.lane.laneNumber}</td>
      <td className={css.category} title={row.category}>
        <Silhouette category={vehicle.ctg8p1} layout={row.layout} overloaded={row.overloaded} height={20} />
        <VisuallyHidden>{row.category}</VisuallyHidden>
      </td>
      <td className={row.isOverLimit ? `${css.figure} ${css.red}` : css.figure}>
        {row.weight}
        {texts.noScale && <small>{texts.noScale}</small>}
      </td>
      <td className={vehicle.overspeed ? `${css.figure} ${css.red}` : css.figure}>{row.speed}</td>
      <td className={`${css.length} ${css.right}`}>{row.length}</td>
      <td>
        <Findings findings={row.findings} mark={row.mark} />
      </td>
      <td className={css.tag}>
        <TagButton tagged={row.tagged} label={row.tagText} hint={row.tagText} onClick={row.tag} />
      </td>
    </tr>
  )
}
