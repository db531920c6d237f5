import css from './FormBar.module.css'

/** Title of a list page, at the left of its bar. */
export const ListTitle = ({ children }: { children: string }) => (
  <div className={css.title}>
    <h1>{children}</h1>
  </div>
)
