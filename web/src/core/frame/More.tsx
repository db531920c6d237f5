import { useMantineColorScheme } from '@mantine/core'
import { hasRight } from '@rogatka/contract/access.ts'
import { languages } from '@rogatka/contract/languages.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import button from '../../ui/bareButton.module.css'
import { SearchIcon } from '../../ui/icons.tsx'
import { SegmentedControl } from '../../ui/SegmentedControl.tsx'
import { chooseLanguage, useLanguage } from '../language.ts'
import { useBuild } from '../useBuild.ts'
import css from './BottomNav.module.css'
import type { NavTarget } from './navigation.ts'
import { openPalette } from './paletteState.ts'
import { SoundChoice } from './SoundChoice.tsx'
import { SCHEMES } from './schemes.ts'
import { hasSounds } from './useAlarmSounds.ts'
import { useNavigation } from './useNavigation.ts'

/** Navigation and settings that do not fit on a phone. */
export function More({ self, close }: { self: WireSelf; close: () => void }) {
  const { t } = useTranslation()
  const { moreOnPhone, management, wanted } = useNavigation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { sg } = useBuild()
  const language = useLanguage()
  const search = () => {
    close()
    openPalette({ fromDialog: true })
  }
  const menuLink = ({ to, name }: Pick<NavTarget, 'to' | 'name'>) => (
    <Link key={to} to={to} onClick={close}>
      {t(name)}
    </Link>
  )
  return (
    <div className={css.more}>
      <button type="button" className={button.bare} onClick={search}>
        <SearchIcon />
        {t('palette')}
      </button>
      {moreOnPhone.map(menuLink)}
      {management.map(menuLink)}
      {wanted.map(menuLink)}
      {hasRight(self.permissions, 'SelfConfig') && menuLink({ to: '/preference', name: 'settings' })}
      {hasSounds(self.permissions) && !sg && <SoundChoice />}
      <SegmentedControl
        label={t('theme')}
        value={colorScheme}
        onChange={setColorScheme}
        options={SCHEMES.map((scheme) => ({ value: scheme, label: t(`theme-${scheme}`) }))}
        wide
      />
      <SegmentedControl
        label={t('language')}
        value={language}
        onChange={chooseLanguage}
        options={languages.map((option) => ({ value: option, label: option.toUpperCase() }))}
        wide
      />
      <Link to="/logout">
        {t('logout')}: {self.username}
      </Link>
    </div>
  )
}
