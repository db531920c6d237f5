import type { ReactNode } from 'react'
import { CheckIcon } from '../ui/icons.tsx'
import css from './Preferences.module.css'

type Props = {
  isShown: boolean
  text: string
  /** The save button. */
  children: ReactNode
}

/** A button with a success message, shown until the next change. */
export const Saved = ({ isShown, text, children }: Props) => (
  <div className={css.saved}>
    {children}
    <span role="status">
      {isShown && (
        <>
          <CheckIcon /> {text}
        </>
      )}
    </span>
  </div>
)
