import type { ReactNode } from 'react'
import css from './LinkButton.module.css'

/** A small action that reads like a link: "wszystkie". */
export const LinkButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={css.link} onClick={onClick}>
    {children}
  </button>
)
