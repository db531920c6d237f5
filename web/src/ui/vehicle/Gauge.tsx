import css from './Gauge.module.css'

/** `over`: over the limit beyond the tolerance; `tolerance`: over the limit, within the tolerance of the scale. */
export type LimitStatus = 'ok' | 'tolerance' | 'over'

type Props = {
  measured: number
  limit: number | null
  /** Bounds of the true value, by the tolerance of the scale. */
  min?: number
  max?: number
  status: LimitStatus
}

/** Position of the limit as a share of the bar, the same in every gauge. */
const LIMIT_SHARE = 0.74

/** Bar: measured; tick: limit; bracket: tolerance. Decorative: the numbers are in the text. */
export function Gauge({ measured, limit, min, max, status }: Props) {
  const full = limit ? limit / LIMIT_SHARE : Math.max(measured, max ?? 0) * 1.1 || 1
  const share = (value: number) => `${Math.min(100, (value / full) * 100).toFixed(2)}%`
  const within = limit ? Math.min(measured, limit) : measured
  return (
    <span className={css.gauge} aria-hidden="true">
      <i className={css.bar} style={{ width: share(within) }} />
      {limit && measured > limit && (
        <i
          className={status === 'over' ? css.over : css.tolerance}
          style={{ left: share(limit), right: `calc(100% - ${share(measured)})` }}
        />
      )}
      {limit && <i className={css.limit} style={{ left: share(limit) }} />}
      {min !== undefined && max !== undefined && min < full && (
        <i className={css.bracket} style={{ left: share(min), right: `calc(100% - ${share(max)})` }} />
      )}
    </span>
  )
}
