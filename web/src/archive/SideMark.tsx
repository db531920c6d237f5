import type { Side } from './historyPicks.ts'
import css from './SideMark.module.css'

/** A, B, or an empty box; texts name it. */
export const SideMark = ({ side }: { side: Side | null }) => (
  <i className={side ? `${css.mark} ${css[side]}` : css.mark} aria-hidden="true">
    {side}
  </i>
)
