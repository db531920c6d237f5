import type { ReactNode } from 'react'
import css from './Badge.module.css'

type Props = {
  /** Marks the user's own record. */
  own?: boolean
  children: ReactNode
}

export const Badge = ({ own = false, children }: Props) => (
  <span className={own ? `${css.badge} ${css.own}` : css.badge}>{children}</span>
)
