import type { ReactNode } from 'react'
import css from './Fields.module.css'

type Props = { children: ReactNode }

/** Fields in one column. */
export const FieldColumn = ({ children }: Props) => <div className={css.column}>{children}</div>

/** Two fields in a row; in one column on narrow screens. */
export const FieldPair = ({ children }: Props) => <div className={css.pair}>{children}</div>

/** Fields in as many columns as fit. */
export const FieldGrid = ({ children }: Props) => <div className={css.grid}>{children}</div>

/** Checkboxes with touch-sized rows. */
export const Checkboxes = ({ children }: Props) => <div className={css.boxes}>{children}</div>
