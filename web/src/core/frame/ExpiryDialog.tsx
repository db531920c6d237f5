import { VisuallyHidden } from '@mantine/core'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { formatCountdown } from '@rogatka/domain/current/countdown.ts'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Kbd } from '../../ui/Kbd.tsx'
import { useApproachingWanted } from '../arrivals.ts'
import { onTick, useTicking } from '../clock.ts'
import { draftTitles } from '../drafts.ts'
import { INACTIVITY_MS, idleMs, stayActive, useInactivityWarning, WARNING_MS } from '../inactivity.ts'
import { session } from '../session.ts'
import { signOut } from '../signOut.ts'
import { currentSound } from '../sound.ts'
import { playTones } from '../tones.ts'
import css from './ExpiryDialog.module.css'

/** Falling, unlike the tone of an arrival. */
const TONES = [
  { hertz: 880, seconds: 0.15 },
  { hertz: 660, seconds: 0.2 },
]

/** Seconds left at which screen readers are notified again after the dialog was read. */
const ANNOUNCE_AT = [30, 10]

const secondsLeft = () => Math.max(0, Math.ceil((INACTIVITY_MS - idleMs()) / 1000))

const countdown = () => formatCountdown(secondsLeft())

/** Warns one minute before the session ends for inactivity. Any key and any click except "sign out now" extends it. */
export function ExpiryDialog() {
  return useInactivityWarning() ? <Warning /> : null
}

function Warning() {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const stayButton = useRef<HTMLButtonElement>(null)
  const timer = useTicking(countdown)
  const approachingCount = useApproachingWanted()
  const [drafts] = useState(() => draftTitles(session.get().userId))
  useEffect(() => {
    // A native modal dialog: the rest of the page, other dialogs included, is inert.
    dialog.current?.showModal()
    // The browser would focus the first button, which signs out.
    stayButton.current?.focus()
    if (!currentSound().muted) playTones(TONES)
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: inactivity.ts handles any key
    <dialog
      ref={dialog}
      role="alertdialog"
      className={css.dialog}
      aria-labelledby="expiry-title"
      aria-describedby="expiry-text"
      onClick={stayActive}
      onCancel={(event) => {
        event.preventDefault()
        stayActive()
      }}
    >
      <div ref={timer} className={css.countdown} aria-hidden />
      <h2 id="expiry-title">{t('expiry-title')}</h2>
      <div id="expiry-text">
        <VisuallyHidden component="p">{t('expiry-left', { count: WARNING_MS / 1000 })}</VisuallyHidden>
        {approachingCount > 0 && <p className={css.wanted}>{t('expiry-wanted', { count: approachingCount })}</p>}
        <p>{t('expiry-reason', { count: (INACTIVITY_MS - WARNING_MS) / MINUTE_MS })}</p>
        {drafts.length > 0 && <p>{t('expiry-draft', { count: drafts.length, title: drafts[0] })}</p>}
      </div>
      <CountdownAnnouncer />
      <div className={css.buttons}>
        <button
          type="button"
          className={css.button}
          onClick={(event) => {
            event.stopPropagation()
            void signOut()
          }}
        >
          {t('expiry-sign-out')}
        </button>
        <button ref={stayButton} type="button" className={`${css.button} ${css.primary}`}>
          {t('expiry-stay')} <Kbd>Enter</Kbd>
        </button>
      </div>
    </dialog>
  )
}

/** Seconds left for screen readers, only at some of them. */
function CountdownAnnouncer() {
  const { t } = useTranslation()
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => onTick(() => setSeconds(ANNOUNCE_AT.findLast((at) => secondsLeft() <= at) ?? null)), [])
  return (
    <VisuallyHidden component="p" role="status" aria-live="assertive">
      {seconds !== null && t('expiry-left', { count: seconds })}
    </VisuallyHidden>
  )
}
