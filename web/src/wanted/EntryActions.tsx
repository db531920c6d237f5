import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PencilIcon } from '../ui/icons.tsx'
import css from './Wanted.module.css'

type Props = { name: string; onEdit: () => void; children: ReactNode }

/** Shown instead of buttons if the owner of the entry has rights that the user lacks. */
export function ReadOnlyEntry() {
  const { t } = useTranslation('wanted')
  return <span className={css.readOnly}>{t('owner-has-more-rights')}</span>
}

/** Buttons of a row; delete is the last. */
export function EntryActions({ name, onEdit, children }: Props) {
  const { t } = useTranslation('wanted')
  return (
    <div className={css.actions}>
      <Button
        variant="default"
        size="xs"
        leftSection={<PencilIcon size={14} />}
        aria-label={t('edit-named', { name })}
        onClick={onEdit}
      >
        {t('edit')}
      </Button>
      {children}
    </div>
  )
}
