import { Menu, useMantineColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SCHEMES, type Scheme } from './schemes.ts'

/** Light, dark or system; stored by the browser. */
export function ThemeItems() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu.Dropdown>
      <Menu.RadioGroup value={colorScheme} onChange={(scheme) => setColorScheme(scheme as Scheme)}>
        {SCHEMES.map((scheme) => (
          <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick>
            {t(`theme-${scheme}`)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </Menu.Dropdown>
  )
}
