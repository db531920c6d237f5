import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Main } from './Main.tsx'
import css from './PageLayout.module.css'

type Props = {
  /** Tabs of pages that belong together, above the bar. */
  tabs?: ReactNode
  /** Left part of the bar: wizard steps or the page's title. */
  title?: ReactNode
  /** Right part of the bar: buttons. */
  actions?: ReactNode
  /** `<FilterPanel>` with the active filters. */
  filterPanel?: ReactNode
  children: ReactNode
}

/** Page layout: bar at the top, filter panel on the left, and the main area, the only part that scrolls. */
export function PageLayout({ tabs, title, actions, filterPanel, children }: Props) {
  const { t } = useTranslation('core')
  return (
    <div className={filterPanel ? `${css.screen} ${css.withFilterPanel}` : css.screen}>
      {filterPanel}
      {tabs && <div className={css.tabs}>{tabs}</div>}
      {(title || actions) && (
        <section className={css.bar} aria-label={t('bar')}>
          {title}
          <div className={css.actions}>{actions}</div>
        </section>
      )}
      <Main>{children}</Main>
    </div>
  )
}
