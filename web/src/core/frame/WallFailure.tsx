import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toServerTime } from '../clock.ts'
import { formatTime } from '../format.ts'
import { reloadWhenReachable, wallFailedSince } from '../wallScreen.ts'
import css from './WallFailure.module.css'

const RELOAD_MS = 15_000

/** Instead of a wall screen that failed: since when, without anything to click. It reloads itself. */
export function WallFailure() {
  const { t } = useTranslation()
  const [since] = useState(() => toServerTime(wallFailedSince()))
  useEffect(() => {
    const timer = setInterval(() => void reloadWhenReachable(), RELOAD_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <main id="main" className={css.failure}>
      <div role="alert">
        <h1>{t('wall-failed', { time: formatTime(since) })}</h1>
      </div>
      <p>{t('wall-reloads')}</p>
    </main>
  )
}
