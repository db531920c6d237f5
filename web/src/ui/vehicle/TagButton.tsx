import type { ReactNode } from 'react'
import { CheckIcon } from '../icons.tsx'
import css from './TagButton.module.css'

type ToggleProps = {
  on: boolean
  /** For screen readers: names the vehicle. */
  label: string
  hint: string
  onClick: () => void
  children: ReactNode
}

/** Icon button of a vehicle that is on or off; `--tag-…` set its size and colours. */
export const CardToggle = ({ on, label, hint, onClick, children }: ToggleProps) => (
  <button
    type="button"
    className={on ? `${css.tag} ${css.on}` : css.tag}
    aria-pressed={on}
    aria-label={label}
    title={hint}
    onClick={onClick}
  >
    {children}
  </button>
)

type Props = { tagged: boolean; label: string; hint: string; onClick: () => void }

/** Toggles the operator's own tag. */
export const TagButton = ({ tagged, hint, ...props }: Props) => (
  <CardToggle on={tagged} hint={`${hint} (T)`} {...props}>
    <CheckIcon size={20} />
  </CardToggle>
)
