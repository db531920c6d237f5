import type { ReactNode } from 'react'
import css from './Panel.module.css'

/** A surface on which a page's sections stand. */
export const Panel = ({ children }: { children: ReactNode }) => <div className={css.panel}>{children}</div>

type SectionProps = {
  title: string
  /** Beside the title, in small. */
  hint?: ReactNode
  /** At the right of the title: "wszystkie". */
  action?: ReactNode
  /** Something here is missing or wrong: the heading turns red. */
  wrong?: boolean
  children: ReactNode
}

/** A titled part of a panel; hairlines keep several apart. */
export const Section = ({ title, hint, action, wrong = false, children }: SectionProps) => (
  <section className={wrong ? `${css.section} ${css.wrong}` : css.section}>
    <header>
      <h2>{title}</h2>
      {hint && <span className={css.hint}>{hint}</span>}
      {action && <span className={css.action}>{action}</span>}
    </header>
    {children}
  </section>
)
