import type { AlarmPriority } from '@rogatka/contract/alarms.ts'
import css from './Alarms.module.css'

type Props = {
  priority: AlarmPriority
  /** Acknowledged, or its state is unknown: only the outline. */
  hollow?: boolean
  struck?: boolean
}

const SHAPES = { high: 'M6 1L11.5 11H.5Z', medium: 'M6 .8L11.2 6L6 11.2L.8 6Z', low: 'M6 1.2a4.8 4.8 0 1 0 .01 0Z' }

/** ▲ high, ◆ medium, ○ low; hollow once acknowledged, struck when its cause has gone. */
export const AlarmMark = ({ priority, hollow = false, struck = false }: Props) => (
  <svg
    className={`${css.mark} ${css[priority]} ${hollow || priority === 'low' ? css.hollow : ''}`}
    viewBox="0 0 12 12"
    aria-hidden="true"
  >
    <path d={SHAPES[priority]} />
    {struck && <path className={css.strike} d="M0 11L12 1" />}
  </svg>
)
