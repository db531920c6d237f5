import { Menu } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DownIcon } from '../../ui/icons.tsx'
import { ArrivalCount } from './ArrivalCount.tsx'
import css from './MainNav.module.css'
import { isAt, type NavTarget } from './navigation.ts'
import { useNavigation } from './useNavigation.ts'

/** Navigation links that the user may open; counts arrivals beside the live list while another page is open. */
export function MainNav() {
  const { t } = useTranslation()
  const { main, management, wanted } = useNavigation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const marked = (place: NavTarget) => (isAt(place, path) ? { 'aria-current': 'page' as const } : {})
  const entry = (place: NavTarget) => (
    <Menu.Item key={place.to} component={Link} to={place.to} {...marked(place)}>
      {t(place.name)}
    </Menu.Item>
  )
  return (
    <nav className={css.nav} aria-label={t('navigation')}>
      {main.map((place) => (
        <Link
          key={place.to}
          to={place.to}
          className={place.to === '/' ? `${css.link} ${css.counted}` : css.link}
          {...marked(place)}
        >
          <span className={css.full}>{t(place.name)}</span>
          <span className={css.short}>{t(`${place.name}-short`)}</span>
          {place.to === '/' && path !== '/' && <ArrivalCount className={css.count} />}
        </Link>
      ))}
      {management.length + wanted.length > 0 && (
        <Menu position="bottom-start" trigger="click">
          <Menu.Target>
            <button
              type="button"
              className={css.link}
              data-current={[...management, ...wanted].some((place) => isAt(place, path)) || undefined}
            >
              {t('nav-management')}
              <DownIcon />
            </button>
          </Menu.Target>
          <Menu.Dropdown>
            {management.map(entry)}
            {wanted.length > 0 && (
              <Menu.Sub>
                <Menu.Sub.Target>
                  <Menu.Sub.Item>{t('nav-wanted')}</Menu.Sub.Item>
                </Menu.Sub.Target>
                <Menu.Sub.Dropdown>{wanted.map(entry)}</Menu.Sub.Dropdown>
              </Menu.Sub>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}
