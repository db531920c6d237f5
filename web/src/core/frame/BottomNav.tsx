import type { WireSelf } from '@rogatka/contract/users-self.ts'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { MoreIcon } from '../../ui/icons.tsx'
import { lazyPart } from '../lazyPage.tsx'
import { ArrivalCount } from './ArrivalCount.tsx'
import css from './BottomNav.module.css'
import { LazyDialog } from './LazyDialog.tsx'
import { iconOf } from './navIcons.ts'
import { currentProps } from './navigation.ts'
import { useNavigation } from './useNavigation.ts'

// Loaded when first opened.
const More = lazyPart('More', () => import('./More.tsx'))

/** Phone navigation at the bottom of the page; further links are under "more". */
export function BottomNav({ self }: { self: WireSelf }) {
  const { t } = useTranslation()
  const { main, moreOnPhone } = useNavigation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const [more, setMore] = useState(false)
  return (
    <nav className={css.nav} aria-label={t('navigation')}>
      {main
        .filter((target) => !moreOnPhone.includes(target))
        .map((target) => {
          const Icon = iconOf(target)
          return (
            <Link key={target.to} to={target.to} {...currentProps(target, path)}>
              <Icon size={18} />
              <span>{t(`${target.name}-short`)}</span>
              {target.to === '/' && path !== '/' && <ArrivalCount className={css.count} />}
            </Link>
          )
        })}
      <button type="button" onClick={() => setMore(true)} aria-expanded={more}>
        <MoreIcon size={18} />
        <span>{t('nav-more')}</span>
      </button>
      <LazyDialog title={t('nav-more')} open={more} onClose={() => setMore(false)} from="below">
        <More self={self} close={() => setMore(false)} />
      </LazyDialog>
    </nav>
  )
}
