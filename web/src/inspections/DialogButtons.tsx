import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import css from '../ui/ConfirmDialog.module.css'

/** The buttons of a form in a dialog: cancel, and submit. */
export function DialogButtons({ confirmLabel, onClose }: { confirmLabel: string; onClose: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <div className={css.buttons}>
      <Button variant="default" onClick={onClose}>
        {t('cancel')}
      </Button>
      <Button type="submit">{confirmLabel}</Button>
    </div>
  )
}
