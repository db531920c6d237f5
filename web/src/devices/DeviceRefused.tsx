import { useTranslation } from 'react-i18next'
import css from './DeviceRefused.module.css'

/** The whole page of a wall screen whose token was refused. */
export function DeviceRefused() {
  const { t } = useTranslation('devices')
  return (
    <main className={css.page}>
      <div role="alert">
        <h1>{t('refused')}</h1>
        <p>{t('refused-hint')}</p>
      </div>
    </main>
  )
}
