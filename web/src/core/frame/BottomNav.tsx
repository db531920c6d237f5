import { useMantineColorScheme } from '@mantine/core'
import { hasRight } from '@rogatka/contract/access.ts'
import { languages } from '@rogatka/contract/languages.ts'
import type { WireSelf } from '@rogatka/contract/users.ts'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { ChartIcon, ListIcon, MoreIcon, RoadIcon, SignIcon } from '../../ui/icons.tsx'
import { Segments } from '../../ui/Segments.tsx'
import { chooseLanguage, useLanguage } from '../language.ts'
import { useNewCars } from '../newCars.ts'
import css from './BottomNav.module.css'
import { isAt, type Place } from './navigation.ts'
import { SCHEMES } from './schemes.ts'
import { useNavigation } from './useNavigation.ts'

const ICONS: Record<string, typeof RoadIcon> = {
  '/': RoadIcon,
  '/archival': ListIcon,
  '/stat': ChartIcon,
  '/vms': SignIcon,
}

/** On a phone the navigation stands at the foot; what has no place there is under "more". */
export function BottomNav({ self }: { self: WireSelf }) {
  const { t } = useTranslation()
  const { main } = useNavigation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const newCars = useNewCars()
  const [more, setMore] = useState(false)
  return (
    <nav className={css.nav} aria-label={t('navigation')}>
      {main.map((place) => {
        const Icon = ICONS[place.to] ?? ListIcon
        return (
          <Link key={place.to} to={place.to} {...(isAt(place, path) && { 'aria-current': 'page' as const })}>
            <Icon size={18} />
            <span>{t(`${place.name}-short`)}</span>
            {place.to === '/' && newCars > 0 && path !== '/' && <b className={css.count}>{newCars}</b>}
          </Link>
        )
      })}
      <button type="button" onClick={() => setMore(true)} aria-expanded={more}>
        <MoreIcon size={18} />
        <span>{t('nav-more')}</span>
      </button>
      <Dialog title={t('nav-more')} open={more} onClose={() => setMore(false)} from="below">
        <More self={self} close={() => setMore(false)} />
      </Dialog>
    </nav>
  )
}

function More({ self, close }: { self: WireSelf; close: () => void }) {
  const { t } = useTranslation()
  const { management, wanted } = useNavigation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const language = useLanguage()
  const entry = ({ to, name }: Pick<Place, 'to' | 'name'>) => (
    <Link key={to} to={to} onClick={close}>
      {t(name)}
    </Link>
  )
  return (
    <div className={css.more}>
      {management.map(entry)}
      {wanted.map(entry)}
      {hasRight(self.permissions, 'SelfConfig') && entry({ to: '/preference', name: 'settings' })}
      <Segments
        label={t('theme')}
        value={colorScheme}
        onChange={setColorScheme}
        options={SCHEMES.map((scheme) => ({ value: scheme, label: t(`theme-${scheme}`) }))}
        wide
      />
      <Segments
        label={t('language')}
        value={language}
        onChange={chooseLanguage}
        options={languages.map((one) => ({ value: one, label: one.toUpperCase() }))}
        wide
      />
      <Link to="/logout">
        {t('logout')}: {self.username}
      </Link>
    </div>
  )
}
