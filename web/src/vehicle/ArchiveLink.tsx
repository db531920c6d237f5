import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { serverNow } from '../core/clock.ts'
import { useFormat } from '../core/format.ts'
import { useBuild } from '../core/useBuild.ts'
import { useRight } from '../core/useSelf.ts'
import { RightIcon } from '../ui/icons.tsx'
import css from './ArchiveLink.module.css'
import { deletionOf } from './deletion.ts'

type Props = {
  /** Null: unknown, as the figure is no count. */
  count: number | null
  /** Filters of the archive that find exactly these vehicles. */
  search: Record<string, unknown>
}

/** "Pokaż 668 pojazdów": opens the vehicles of a figure in the archive, as far as they are not deleted. */
export function ArchiveLink({ count, search }: Props) {
  const { t } = useTranslation('vehicle')
  const { number } = useFormat()
  const canSearch = useRight('ArchiveMeasurements')
  const { build } = useBuild()
  if (!canSearch || count === 0) return null
  const deletion = build ? deletionOf(search, build, serverNow()) : 'none'
  if (build && deletion === 'all') return <span>{t('vehicles-deleted', { count: build.retentionDays })}</span>
  // How many of them are left is not known.
  const shown = deletion === 'some' ? null : count
  return (
    <Link to="/archival" search={{ step: 4 as const, ...search }} className={css.link}>
      {shown === null ? t('show-vehicles-all') : t('show-vehicles', { count: shown, number: number(shown) })}
      <RightIcon size={12} />
    </Link>
  )
}
