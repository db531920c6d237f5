import { useMantineColorScheme } from '@mantine/core'
import { languages } from '@rogatka/contract/languages.ts'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '../core/frame/languageNames.ts'
import { SCHEMES } from '../core/frame/schemes.ts'
import { openShortcutHelp } from '../core/frame/shortcutHelp.ts'
import { chooseLanguage, useLanguage } from '../core/language.ts'
import { useRegisteredEntries } from '../core/paletteEntries.ts'
import { toggleMuted, useSound } from '../core/sound.ts'
import { LogoutIcon, MoonIcon, MoreIcon, MutedIcon, ScreenIcon, SoundIcon, SunIcon } from '../ui/icons.tsx'
import type { Row } from './rows.ts'

const THEME_ICONS = { light: SunIcon, dark: MoonIcon, auto: ScreenIcon }

/** Actions of features, then those that are possible on every page. */
export function useActionRows(): Row[] {
  const { t } = useTranslation()
  const { muted } = useSound()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = useLanguage()
  return [
    ...useRegisteredEntries('actions'),
    {
      id: 'action:mute',
      label: t(muted ? 'unmute' : 'mute'),
      shortcut: 'm',
      Icon: muted ? SoundIcon : MutedIcon,
      open: toggleMuted,
    },
    ...SCHEMES.filter((scheme) => scheme !== colorScheme).map((scheme) => ({
      id: `action:theme-${scheme}`,
      label: `${t('theme')}: ${t(`theme-${scheme}`)}`,
      Icon: THEME_ICONS[scheme],
      open: () => setColorScheme(scheme),
    })),
    ...languages
      .filter((option) => option !== language)
      .map((option) => ({
        id: `action:language-${option}`,
        label: `${t('language')}: ${LANGUAGE_NAMES[option]}`,
        terms: option,
        Icon: MoreIcon,
        open: () => chooseLanguage(option),
      })),
    { id: 'action:keys', label: t('keys-title'), shortcut: '?', Icon: MoreIcon, open: openShortcutHelp },
    { id: 'action:logout', label: t('logout'), Icon: LogoutIcon, open: '/logout', kept: 'never' },
  ]
}
