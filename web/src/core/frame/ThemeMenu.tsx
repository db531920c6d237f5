import { Menu, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MoonIcon, ScreenIcon, SunIcon } from '../../ui/icons.tsx'
import { SCHEMES, type Scheme } from './schemes.ts'

const ICONS = { light: SunIcon, dark: MoonIcon, auto: ScreenIcon }

/** Light, dark or system; stored by the browser. */
export function ThemeMenu({ className }: { className: string }) {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = ICONS[colorScheme]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <button type="button" className={className} aria-label={t('theme')} title={t('theme')}>
          <Icon />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as Scheme)}>
          {SCHEMES.map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
              {t(`theme-${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
