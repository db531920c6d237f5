import css from './StatusMark.module.css'

export type Status = 'available' | 'working' | 'unavailable' | 'unknown' | 'malfunction' | 'enabled' | 'attention'

/**
 * ● available, or grey: working, where only the abnormal has a hue; ⌀ unavailable, ○ unknown, ▲ malfunction,
 * ◆ attention, lit square enabled. Shapes differ, so that colour is not the only cue.
 */
export const StatusMark = ({ status, label }: { status: Status; label?: string }) => (
  <i
    className={`${css.mark} ${css[status]}`}
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
  />
)
