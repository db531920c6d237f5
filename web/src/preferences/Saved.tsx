import type { ReactNode } from 'react'
import { CheckIcon } from '../ui/icons.tsx'
import css from './Preferences.module.css'

type Props = {
  shown: boolean
  texts: string
  /** The save button. */
  children: ReactNode
}

/** A button with a success message, shown until the next change. */
export const Saved = ({ shown, texts, children }: Props) => (
  <div className={css.saved}>
    {children}
    <span role="status">
      {shown && (
        <>
          <CheckIcon /> {texts}
        </>
      )}
    </span>
  </div>
)
