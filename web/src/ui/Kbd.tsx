import type { ReactNode } from 'react'
import css from './Kbd.module.css'

/** Keyboard key; hidden on devices without a keyboard. */
export const Kbd = ({ children }: { children: ReactNode }) => <kbd className={css.kbd}>{children}</kbd>
