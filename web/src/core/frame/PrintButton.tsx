import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { PrintIcon } from '../../ui/icons.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { useShortcuts } from '../shortcuts.ts'
import css from './PrintButton.module.css'

/** Prints the page, also by P; on a phone there is none. */
export function PrintButton() {
  const { t } = useTranslation('core')
  const print = () => window.print()
  useShortcuts([{ key: 'p', label: t('print'), run: print }])
  return (
    <Button
      className={css.print ?? ''}
      variant="default"
      leftSection={<PrintIcon />}
      rightSection={<Kbd>P</Kbd>}
      onClick={print}
    >
      {t('print')}
    </Button>
  )
}
