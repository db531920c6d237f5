import type { ReactNode } from 'react'
import { CheckIcon } from '../ui/icons.tsx'
import css from './Preferences.module.css'

type Props = {
  shown: boolean
  texts: string
  /** The button that saves. */
  children: ReactNode
}

/** A button, and beside it that it did what it should; until something is changed again. */
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
