import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DownIcon } from '../../ui/icons.tsx'
import { navCounts } from '../navCounts.ts'
import { useStore } from '../store.ts'
import { ArrivalCount } from './ArrivalCount.tsx'
import css from './MainNav.module.css'
import { MenuButton } from './MenuButton.tsx'
import { currentProps, isAt } from './navigation.ts'
import { useNavigation } from './useNavigation.ts'

/** Navigation links that the user may open; counts arrivals beside the live list while another page is open. */
export function MainNav() {
  const { t } = useTranslation()
  const { main, management, wanted } = useNavigation()
  const counts = useStore(navCounts)
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <nav className={css.nav} aria-label={t('navigation')}>
      {main.map((target) => (
        <Link
          key={target.to}
          to={target.to}
          className={target.to === '/' ? `${css.link} ${css.counted}` : css.link}
          {...currentProps(target, path)}
        >
          <span className={css.full}>{t(target.name)}</span>
          <span className={css.short} aria-hidden="true">
            {t(`${target.name}-short`)}
          </span>
          {target.to === '/' && path !== '/' && <ArrivalCount className={css.count} />}
          {(counts[target.to] ?? 0) > 0 && <b className={css.number}>{counts[target.to]}</b>}
        </Link>
      ))}
      {management.length + wanted.length > 0 && (
        <MenuButton
          menu="management"
          className={css.link}
          data-current={[...management, ...wanted].some((target) => isAt(target, path)) || undefined}
        >
          <span className={css.roomy}>{t('nav-management')}</span>
          <span className={css.tight}>{t('nav-more')}</span>
          <DownIcon />
        </MenuButton>
      )}
    </nav>
  )
}
