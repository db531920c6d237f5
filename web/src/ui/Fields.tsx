import type { ReactNode } from 'react'
import css from './Fields.module.css'

type Props = { children: ReactNode }

/** Fields one below the other. */
export const FieldColumn = ({ children }: Props) => <div className={css.column}>{children}</div>

/** Fields side by side, one below the other on narrow screens. */
export const FieldPair = ({ children }: Props) => <div className={css.pair}>{children}</div>

/** Checkboxes, each as high as it needs to be hit. */
export const Checkboxes = ({ children }: Props) => <div className={css.boxes}>{children}</div>
