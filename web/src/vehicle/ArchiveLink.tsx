import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { useRight } from '../core/useSelf.ts'
import { RightIcon } from '../ui/icons.tsx'
import css from './ArchiveLink.module.css'

type Props = {
  /** Null: unknown, as the figure is no count. */
  count: number | null
  /** Filters of the archive that find exactly these vehicles. */
  search: Record<string, unknown>
}

/** "Pokaż 668 pojazdów": opens the vehicles of a figure in the archive. */
export function ArchiveLink({ count, search }: Props) {
  const { t } = useTranslation('vehicle')
  const { number } = useFormat()
  const canSearch = useRight('ArchiveMeasurements')
  if (!canSearch || count === 0) return null
  return (
    <Link to="/archival" search={{ step: 4 as const, ...search }} className={css.link}>
      {count === null ? t('show-vehicles-all') : t('show-vehicles', { count, number: number(count) })}
      <RightIcon size={12} />
    </Link>
  )
}
