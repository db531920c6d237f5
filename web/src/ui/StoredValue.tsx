import { useTranslation } from 'react-i18next'
import css from './StoredValue.module.css'

/** Beside a field that somebody else changed while it was filled in here: what they stored. */
export function StoredValue({ value }: { value: string | undefined }) {
  const { t } = useTranslation('ui')
  return value === undefined ? null : <span className={css.stored}>{t('stored-meanwhile', { value })}</span>
}
