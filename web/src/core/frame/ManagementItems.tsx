import { Menu } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { currentProps, type NavTarget } from './navigation.ts'
import { useNavigation } from './useNavigation.ts'

/** Links of management, and those of wanted vehicles below them. */
export function ManagementItems() {
  const { t } = useTranslation()
  const { management, wanted } = useNavigation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const menuItem = (target: NavTarget) => (
    <Menu.Item key={target.to} component={Link} to={target.to} {...currentProps(target, path)}>
      {t(target.name)}
    </Menu.Item>
  )
  return (
    <Menu.Dropdown>
      {management.map(menuItem)}
      {wanted.length > 0 && (
        <Menu.Sub>
          <Menu.Sub.Target>
            <Menu.Sub.Item>{t('nav-wanted')}</Menu.Sub.Item>
          </Menu.Sub.Target>
          <Menu.Sub.Dropdown>{wanted.map(menuItem)}</Menu.Sub.Dropdown>
        </Menu.Sub>
      )}
    </Menu.Dropdown>
  )
}
