import type { ReactNode, Ref } from 'react'
import css from './Panel.module.css'

/** Surface with sections. */
export const Panel = ({ children }: { children: ReactNode }) => <div className={css.panel}>{children}</div>

type ColumnsProps = {
  ref?: Ref<HTMLDivElement>
  /** Wider second panel. */
  wide?: boolean
  /** Two panels. */
  children: ReactNode
}

/** Two panels in a row, the second narrower; in one column on narrow screens. */
export const Columns = ({ ref, wide = false, children }: ColumnsProps) => (
  <div ref={ref} className={wide ? `${css.columns} ${css.wide}` : css.columns}>
    {children}
  </div>
)

/** One panel of readable line length. */
export const SinglePanel = ({ children }: { children: ReactNode }) => (
  <div className={css.single}>
    <Panel>{children}</Panel>
  </div>
)

/** Note below the fields of a section. */
export const SectionNote = ({ children }: { children: ReactNode }) => <p className={css.note}>{children}</p>

type SectionProps = {
  title: string
  /** Small text beside the title. */
  hint?: ReactNode
  /** Right of the title, for example "wszystkie". */
  action?: ReactNode
  /** Something is missing or invalid: the heading is red. */
  invalid?: boolean
  children: ReactNode
}

/** Titled section of a panel. */
export const Section = ({ title, hint, action, invalid = false, children }: SectionProps) => (
  <section className={invalid ? `${css.section} ${css.invalid}` : css.section}>
    <header>
      <h2>{title}</h2>
      {hint && <span className={css.hint}>{hint}</span>}
      {action && <span className={css.action}>{action}</span>}
    </header>
    {children}
  </section>
)
