import { useTranslation } from 'react-i18next'
import css from './SkipLink.module.css'

/** The way past the header for keyboards. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a className={css.skip} href="#main">
      {t('skip-to-content')}
    </a>
  )
}
