import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './Entry.module.css'
import { PencilIcon } from './icons.tsx'

type Props = { name: string; onEdit: () => void; children: ReactNode }

/** Buttons of a row; delete is the last. */
export function EntryActions({ name, onEdit, children }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.actions}>
      <Button
        variant="default"
        size="xs"
        leftSection={<PencilIcon size={14} />}
        aria-label={t('change-named', { name })}
        onClick={onEdit}
      >
        {t('change')}
      </Button>
      {children}
    </div>
  )
}
