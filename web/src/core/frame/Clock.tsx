import { useEffect, useState } from 'react'
import { formatClock } from '../format.ts'
import css from './Header.module.css'

const MINUTE_MS = 60_000

/** Hours and minutes in Warsaw, as everywhere on these screens. */
export function Clock() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setTimeout(() => setNow(Date.now()), MINUTE_MS - (now % MINUTE_MS))
    return () => clearTimeout(timer)
  }, [now])
  return (
    <time className={css.clock} dateTime={new Date(now).toISOString()}>
      {formatClock(now)}
    </time>
  )
}
