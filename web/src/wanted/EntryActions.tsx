import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PencilIcon } from '../ui/icons.tsx'
import css from './Wanted.module.css'

type Props = { name: string; onEdit: () => void; children: ReactNode }

/** In place of the buttons of an entry whose owner has rights that the user lacks. */
export function ReadOnlyEntry() {
  const { t } = useTranslation('wanted')
  return <span className={css.readOnly}>{t('owner-has-more-rights')}</span>
}

/** The buttons of a row: what may be done with the entry, with deleting as the last. */
export function EntryActions({ name, onEdit, children }: Props) {
  const { t } = useTranslation('wanted')
  return (
    <div className={css.actions}>
      <Button
        variant="default"
        size="xs"
        leftSection={<PencilIcon size={14} />}
        aria-label={t('edit-whom', { name })}
        onClick={onEdit}
      >
        {t('edit')}
      </Button>
      {children}
    </div>
  )
}
