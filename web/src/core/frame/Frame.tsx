import { hasAnyRight, hasRight } from '@rogatka/contract/access.ts'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../ui/Notice.tsx'
import { useBuild } from '../useBuild.ts'
import { useSelf } from '../useSelf.ts'
import { useFallbackTitle } from '../useTitle.ts'
import { BottomNav } from './BottomNav.tsx'
import { ExpiryDialog } from './ExpiryDialog.tsx'
import { Footer } from './Footer.tsx'
import css from './Frame.module.css'
import { GlobalShortcuts } from './GlobalShortcuts.tsx'
import { Header } from './Header.tsx'
import { NotFound } from './NotFound.tsx'
import { isNotInSg, targetAt } from './navigation.ts'
import { PageLayout } from './PageLayout.tsx'
import { Toasts } from './Toasts.tsx'

type Props = {
  /** Button that reports a problem: in the header, or in the footer in the SG variant. */
  tool: (className: string | undefined) => ReactNode
  /** Mark of what needs attention now, in the header. */
  mark?: ReactNode
  /** Alerts of a feature, shown on every page. */
  alerts?: ReactNode
  /** Palette of pages and actions, opened by key or button. */
  palette?: ReactNode
  /** Asks the user who they are, or why they look for plates, while calls wait for it. */
  questions?: ReactNode
}

/** Layout of all pages: header, navigation, footer. Shows an error if the user may not open the page. */
export function Frame({ tool, mark, alerts, palette, questions }: Props) {
  const { t } = useTranslation()
  const { data: self } = useSelf()
  const { build, sg } = useBuild()
  const access = useMatches({ select: (matches) => matches.flatMap((match) => match.staticData.access ?? []) })
  const deniedTo = useMatches({ select: (matches) => matches.flatMap((match) => match.staticData.deniedTo ?? []) })
  const needsWholePhone = useMatches({
    select: (matches) => matches.some(({ staticData }) => staticData.needsWholePhone),
  })
  const path = useLocation({ select: ({ pathname }) => pathname })
  const target = targetAt(path)
  useFallbackTitle(target ? t(target.name) : null)
  if (!self) return null
  const isDenied = !hasAnyRight(self.permissions, access) || deniedTo.some((right) => hasRight(self.permissions, right))
  return (
    <div className={css.frame} data-whole-phone={(needsWholePhone && !isDenied) || undefined}>
      <Header self={self} tool={sg ? undefined : tool} mark={mark} />
      <div className={css.page}>
        {isNotInSg(path, sg) ? (
          <NotFound />
        ) : isDenied ? (
          <PageLayout>
            <Notice kind="quiet">{t('errors:forbidden')}</Notice>
          </PageLayout>
        ) : (
          <Outlet />
        )}
      </div>
      <BottomNav self={self} />
      <GlobalShortcuts />
      <Toasts />
      <ExpiryDialog />
      {questions}
      {alerts}
      {palette}
      <Footer build={build} keys tool={sg ? tool : undefined} />
    </div>
  )
}
