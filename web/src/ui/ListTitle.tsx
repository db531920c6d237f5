import css from './FormBar.module.css'

/** The name of a page that is a list, at the left of its bar. */
export const ListTitle = ({ children }: { children: string }) => (
  <div className={css.title}>
    <h1>{children}</h1>
  </div>
)
