import type { ReactNode } from 'react'
import css from './ChoiceTile.module.css'

type Props = {
  label: ReactNode
  on: boolean
  onToggle: () => void
  disabled?: boolean
  /** A drawing above the label. */
  children?: ReactNode
}

/** Toggle button with an image. */
export const ChoiceTile = ({ label, on, onToggle, disabled, children }: Props) => (
  <button type="button" className={css.tile} aria-pressed={on} disabled={disabled} onClick={onToggle}>
    {children}
    <span>{label}</span>
  </button>
)
