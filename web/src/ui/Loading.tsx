import { type ReactNode, useEffect, useState } from 'react'
import css from './Loading.module.css'

/** What comes sooner needs no spinner: it would only flash. */
const DELAY_MS = 300

type Props = {
  /** What is waited for, in words. */
  label: string
  /** Grey shapes of the real size that hold the place of what comes. */
  skeleton?: ReactNode
}

/** Waits in the place of what comes: bones at once, after 300 ms a spinner with words and seconds. */
export function Loading({ label, skeleton }: Props) {
  const waited = useWaited()
  return (
    <div className={css.loading}>
      <div className={css.texts} role="status">
        {waited >= DELAY_MS && (
          <>
            <Spinner />
            <span>
              {label}
              {waited >= 1000 && <span aria-hidden="true">, {Math.floor(waited / 1000)} s</span>}
            </span>
          </>
        )}
      </div>
      {skeleton}
    </div>
  )
}

/** Turns while something comes; the words that say what stand beside it. */
export const Spinner = ({ size = 20 }: { size?: number }) => (
  <i className={css.spinner} style={{ width: size, height: size }} />
)

/** Milliseconds since the first showing: told at 300 and then each second. */
function useWaited(): number {
  const [waited, setWaited] = useState(0)
  useEffect(() => {
    const timer = setTimeout(
      () => setWaited((now) => (now < DELAY_MS ? DELAY_MS : now < 1000 ? 1000 : now + 1000)),
      waited < DELAY_MS ? DELAY_MS : waited < 1000 ? 700 : 1000,
    )
    return () => clearTimeout(timer)
  }, [waited])
  return waited
}
