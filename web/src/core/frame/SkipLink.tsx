import { useTranslation } from 'react-i18next'
import css from './SkipLink.module.css'

/** Lets keyboard users skip the header. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a className={css.skip} href="#main">
      {t('skip-to-content')}
    </a>
  )
}
