import type { ReactNode } from 'react'
import css from './VerdictLine.module.css'

/** What the static scale says: a limit is exceeded for sure, none is, or it confirms nothing. */
export const VerdictLine = ({ kind, children }: { kind: 'over' | 'within' | 'open'; children: ReactNode }) => (
  <p className={css.verdict} data-kind={kind}>
    <span>{children}</span>
  </p>
)
