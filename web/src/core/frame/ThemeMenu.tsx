import { useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MoonIcon, ScreenIcon, SunIcon } from '../../ui/icons.tsx'
import { MenuButton } from './MenuButton.tsx'

const ICONS = { light: SunIcon, dark: MoonIcon, auto: ScreenIcon }

/** Colour scheme; the icon is the one chosen. */
export function ThemeMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const Icon = ICONS[useMantineColorScheme().colorScheme]
  return (
    <MenuButton menu="theme" className={className} aria-label={t('theme')} title={t('theme')}>
      <Icon />
    </MenuButton>
  )
}
