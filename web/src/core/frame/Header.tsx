import { VisuallyHidden } from '@mantine/core'
import { hasRight } from '@rogatka/contract/access.ts'
import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Brand } from '../../ui/Brand.tsx'
import button from '../../ui/bareButton.module.css'
import { LogoutIcon, MutedIcon, SettingsIcon, SoundIcon } from '../../ui/icons.tsx'
import { toggleMuted, useSound } from '../sound.ts'
import { homePath, useBuild } from '../useBuild.ts'
import { Clock } from './Clock.tsx'
import { ConnectionStatus } from './ConnectionStatus.tsx'
import css from './Header.module.css'
import { LanguageMenu } from './LanguageMenu.tsx'
import { MainNav } from './MainNav.tsx'
import { PaletteButton } from './PaletteButton.tsx'
import { SoundMenu } from './SoundMenu.tsx'
import { ThemeMenu } from './ThemeMenu.tsx'
import { hasSounds } from './useAlarmSounds.ts'

const TOOL = `${button.bare} ${css.tool}`
const SETTING = `${TOOL} ${css.wide} ${css.setting}`

type Props = {
  self: WireSelf
  /** Tool of a feature, before those of the portal. */
  tool?: ((className: string | undefined) => ReactNode) | undefined
  /** Mark of what needs attention now; takes the place of clock and user name. */
  mark?: ReactNode
}

/** Logo, navigation, connection state and settings. */
export function Header({ self, tool, mark }: Props) {
  const { t } = useTranslation()
  const { muted } = useSound()
  const { sg } = useBuild()
  return (
    <header className={css.header}>
      <Link to={homePath(sg)} className={css.brand}>
        <Brand />
      </Link>
      <MainNav />
      {mark}
      <ConnectionStatus />
      <div className={css.tools}>
        <Clock />
        <PaletteButton className={`${TOOL} ${css.wide}`} />
        {tool?.(TOOL)}
        <button
          type="button"
          className={TOOL}
          aria-pressed={muted}
          aria-label={t('mute')}
          title={`${t(muted ? 'unmute' : 'mute')} (M)`}
          onClick={toggleMuted}
        >
          {muted ? <MutedIcon /> : <SoundIcon />}
        </button>
        {hasSounds(self.permissions) && !sg && <SoundMenu className={`${TOOL} ${css.besideTool} ${css.wide}`} />}
        <ThemeMenu className={SETTING} />
        <LanguageMenu className={SETTING} />
        {hasRight(self.permissions, 'SelfConfig') && (
          <Link to="/preference" className={SETTING} aria-label={t('settings')} title={t('settings')}>
            <SettingsIcon />
          </Link>
        )}
        <Link to="/logout" className={`${TOOL} ${css.wide}`} title={`${t('logout')}: ${self.username}`}>
          <span className={css.who}>{self.username}</span>
          <VisuallyHidden>{t('logout')}</VisuallyHidden>
          <LogoutIcon />
        </Link>
      </div>
    </header>
  )
}
