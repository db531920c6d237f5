import { type ReactNode, useEffect, useState } from 'react'
import css from './Loading.module.css'

/** No spinner for shorter waits, so that it does not flash. */
const DELAY_MS = 300

type Props = {
  /** For example "Loading stations". */
  label: string
  /** Grey shapes of the final size. */
  skeleton?: ReactNode
}

/**
 * Loading state: shows the skeleton at once, after 300 ms a spinner with label and seconds. What it would shift can be
 * hidden by `:has([data-loading])`.
 */
export function Loading({ label, skeleton }: Props) {
  const elapsedMs = useElapsedMs()
  return (
    <div className={css.loading} data-loading>
      <div className={css.status} role="status">
        {elapsedMs >= DELAY_MS && (
          <>
            <Spinner />
            <span>
              {label}
              {elapsedMs >= 1000 && <span aria-hidden="true">, {Math.floor(elapsedMs / 1000)} s</span>}
            </span>
          </>
        )}
      </div>
      {skeleton}
    </div>
  )
}

/** Decorative; a text beside it names what loads. */
export const Spinner = ({ size = 20 }: { size?: number }) => (
  <i className={css.spinner} style={{ width: size, height: size }} />
)

/** Milliseconds since mount: updated at 300, at 1000 and then every second. */
function useElapsedMs(): number {
  const [elapsedMs, setElapsedMs] = useState(0)
  useEffect(() => {
    const timer = setTimeout(
      () => setElapsedMs((elapsed) => (elapsed < DELAY_MS ? DELAY_MS : elapsed < 1000 ? 1000 : elapsed + 1000)),
      elapsedMs < DELAY_MS ? DELAY_MS : elapsedMs < 1000 ? 700 : 1000,
    )
    return () => clearTimeout(timer)
  }, [elapsedMs])
  return elapsedMs
}
