import type { ReactNode, Ref } from 'react'
import css from './Panel.module.css'

/** A surface on which a page's sections stand. */
export const Panel = ({ children }: { children: ReactNode }) => <div className={css.panel}>{children}</div>

type ColumnsProps = {
  ref?: Ref<HTMLDivElement>
  /** The second panel has wider fields. */
  wide?: boolean
  /** Two panels. */
  children: ReactNode
}

/** Two panels side by side, the second narrower; one below the other on narrow screens. */
export const Columns = ({ ref, wide = false, children }: ColumnsProps) => (
  <div ref={ref} className={wide ? `${css.columns} ${css.wide}` : css.columns}>
    {children}
  </div>
)

/** One panel, no wider than its lines can be read. */
export const SinglePanel = ({ children }: { children: ReactNode }) => (
  <div className={css.single}>
    <Panel>{children}</Panel>
  </div>
)

/** What else is to be known, below the fields of a section. */
export const SectionNote = ({ children }: { children: ReactNode }) => <p className={css.note}>{children}</p>

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
