import { useTranslation } from 'react-i18next'
import css from './Wanted.module.css'

/** Shown instead of buttons if the owner of the entry has rights that the user lacks. */
export function ReadOnlyEntry() {
  const { t } = useTranslation('wanted')
  return <span className={css.readOnly}>{t('owner-has-more-rights')}</span>
}
