import { useTranslation } from 'react-i18next'
import type { Column } from '../ui/DataTable.tsx'

/** The column that names groups and contents. */
export function useDescriptionColumn<R extends { description: string }>(): Column<R> {
  const { t } = useTranslation('ui')
  return {
    key: 'description',
    title: t('description'),
    head: true,
    wide: true,
    sortBy: ({ description }) => description,
    cell: ({ description }) => description,
  }
}
