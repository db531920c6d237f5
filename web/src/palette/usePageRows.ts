import { useTranslation } from 'react-i18next'
import { iconOf } from '../core/frame/navIcons.ts'
import { type NavTarget, shortcutOf, statisticsTabsFor } from '../core/frame/navigation.ts'
import { useNavigation } from '../core/frame/useNavigation.ts'
import { useRegisteredEntries } from '../core/paletteEntries.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { SettingsIcon, UserIcon } from '../ui/icons.tsx'
import type { Row } from './rows.ts'

/** The pages that the user may open, after the entries of features. */
export function usePageRows(): Row[] {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const { main, management, wanted, elsewhere } = useNavigation()
  const tabs = statisticsTabsFor(self?.permissions ?? []).filter(({ to }) => main.every((target) => target.to !== to))
  const hasSettings = useRight('SelfConfig')
  const row = ({ to, name }: Pick<NavTarget, 'to' | 'name'>, more: Partial<Row>): Row => ({
    id: `page:${to}`,
    label: t(name),
    Icon: iconOf({ to }),
    open: to,
    ...more,
  })
  return [
    ...useRegisteredEntries('pages'),
    ...main.map((target) => row(target, { shortcut: shortcutOf(target) })),
    ...tabs.map((tab) => row(tab, { note: t('nav-statistics') })),
    ...management.map((target) => row(target, { note: t('nav-management') })),
    ...elsewhere.filter((target) => !management.includes(target)).map((target) => row(target, {})),
    ...wanted.map((target) => row(target, { note: t('nav-wanted') })),
    ...(hasSettings ? [row({ to: '/preference', name: 'settings' }, { Icon: SettingsIcon })] : []),
    row({ to: '/account-security', name: 'palette:account-security' }, { Icon: UserIcon }),
  ]
}
