import type { ReactNode } from 'react'
import css from './Badge.module.css'

type Props = {
  /** It marks what is the user's own. */
  own?: boolean
  children: ReactNode
}

/** A word beside a value. */
export const Badge = ({ own = false, children }: Props) => (
  <span className={own ? `${css.badge} ${css.own}` : css.badge}>{children}</span>
)
