import type { ReactNode } from 'react'
import css from './ChoiceTile.module.css'

type Props = {
  label: ReactNode
  on: boolean
  onToggle: () => void
  /** A drawing above the label. */
  children?: ReactNode
}

/** A thing to choose among several, with its picture; chosen ones carry a check. */
export const ChoiceTile = ({ label, on, onToggle, children }: Props) => (
  <button type="button" className={css.tile} aria-pressed={on} onClick={onToggle}>
    {children}
    <span>{label}</span>
  </button>
)
