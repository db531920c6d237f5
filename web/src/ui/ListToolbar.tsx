import type { ReactNode } from 'react'
import css from './ListToolbar.module.css'

/** Toolbar above a list: search, count, actions. */
export const ListToolbar = ({ children }: { children: ReactNode }) => <div className={css.tools}>{children}</div>

function Count({ children }: { children: ReactNode }) {
  return (
    <span className={css.count} role="status">
      {children}
    </span>
  )
}
ListToolbar.Count = Count

function Actions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>
}
ListToolbar.Actions = Actions
