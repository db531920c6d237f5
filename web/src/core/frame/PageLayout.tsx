import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Main } from './Main.tsx'
import css from './PageLayout.module.css'

type Props = {
  /** Wizard steps, or the page's name: the left of the bar. */
  title?: ReactNode
  /** Buttons: the right of the bar. */
  actions?: ReactNode
  /** `<Rail>` with what was chosen. */
  rail?: ReactNode
  children: ReactNode
}

/** A page in the frame: bar above, rail at the left, and the main area, which alone scrolls. */
export function PageLayout({ title, actions, rail, children }: Props) {
  const { t } = useTranslation('core')
  return (
    <div className={rail ? `${css.screen} ${css.withRail}` : css.screen}>
      {rail}
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
