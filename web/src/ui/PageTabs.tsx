import type { ReactNode } from 'react'
import css from './PageTabs.module.css'

type Props = {
  /** For screen readers. */
  label: string
  /** Links; that of the open page has `aria-current`. */
  children: ReactNode
  /** In the page instead of its bar. */
  inPage?: boolean
}

/** Text tabs of pages that belong together, in the bar of each of them. */
export const PageTabs = ({ label, children, inPage = false }: Props) => (
  <nav className={inPage ? `${css.tabs} ${css.inPage}` : css.tabs} aria-label={label}>
    {children}
  </nav>
)
