import type { ReactNode } from 'react'
import css from './LinkButton.module.css'

/** Button that looks like a link, for example "wszystkie". */
export const LinkButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={css.link} onClick={onClick}>
    {children}
  </button>
)
