import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import css from './Root.module.css'

/** Around every page: the way past the header for keyboards. */
export function Root() {
  const { t } = useTranslation()
  return (
    <>
      <a className={css.skip} href="#main">
        {t('skip-to-content')}
      </a>
      <Outlet />
    </>
  )
}
