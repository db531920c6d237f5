import { session } from './session.ts'
import { signOut } from './signOut.ts'

/** So long without a sign of the user, and the session ends. */
export const INACTIVITY_MS = 300_000

const SIGNS = ['mousemove', 'keydown', 'click', 'touchstart', 'scroll'] as const

type Watch = {
  /** A sign of the user. */
  touch: () => void
  /** Looks at the clock: a timer sleeps with the computer, the clock does not. */
  look: () => void
  stop: () => void
}

/** Calls `idle` once when the user gave no sign for so long, measured by the clock. */
export function watchInactivity(limit: number, idle: () => void, now: () => number = Date.now): Watch {
  let last = now()
  let timer: ReturnType<typeof setTimeout> | undefined
  let over = false
  const look = () => {
    if (over) return
    clearTimeout(timer)
    const left = last + limit - now()
    if (left > 0) timer = setTimeout(look, left)
    else {
      over = true
      idle()
    }
  }
  look()
  return {
    // A sign after the limit comes too late: the computer slept and the timer with it.
    touch: () => {
      if (now() - last >= limit) look()
      else last = now()
    },
    look,
    stop: () => {
      over = true
      clearTimeout(timer)
    },
  }
}

let watch: Watch | null = null

/** Work that the user began and that is not over yet, such as a file on its way, is a sign of them too. */
export const stayActive = (): void => watch?.touch()

/** Ends the session after five minutes without a sign of its user. */
export function startInactivity(): void {
  const follow = () => {
    const signedIn = session.get().token !== null
    if (signedIn && !watch) watch = watchInactivity(INACTIVITY_MS, () => void signOut('session-inactive'))
    if (!signedIn && watch) {
      watch.stop()
      watch = null
    }
  }
  for (const sign of SIGNS) document.addEventListener(sign, () => watch?.touch(), { passive: true, capture: true })
  document.addEventListener('visibilitychange', () => watch?.look())
  session.subscribe(follow)
  follow()
}
