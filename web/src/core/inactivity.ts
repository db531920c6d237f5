import { hasMoved } from './pointer.ts'
import { session } from './session.ts'
import { readSharedIdleMs, writeSharedActivity } from './sharedActivity.ts'
import { signOut } from './signOut.ts'
import { createStore, useStore } from './store.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** The session ends after this time without activity. */
export const INACTIVITY_MS = 300_000
/** The warning is shown this long before the end. */
export const WARNING_MS = 60_000
/** Minimum interval of activity messages to other tabs. */
const POST_MS = 1_000

/** Passive activity: extends the session only until the warning is shown. */
const ACTIVITY_EVENTS = ['mousemove', 'keydown', 'click', 'touchstart', 'scroll'] as const

/**
 * The wall clock includes the computer's sleep but can be set; the monotonic clock cannot be set but may stop during
 * sleep. The larger elapsed time counts: a wall clock set forward ends a session early rather than late.
 */
type Clocks = { wall: number; monotonic: number }
const readClocks = (): Clocks => ({ wall: Date.now(), monotonic: performance.now() })

type Watch = {
  /** Records passive activity; returns whether it counted. */
  touch: () => boolean
  /** The user chose to stay, in this tab or (ms ago) in another one. */
  stay: (idleMs?: number) => void
  /** Checks the clocks, as timers stop while the computer sleeps. */
  check: () => void
  idleMs: () => number
  stop: () => void
}

type WatchOptions = {
  onWarning: (isShown: boolean) => void
  onIdle: () => void
  clocks?: () => Clocks
  /** ms since the last activity in any tab, as far as readable here. */
  sharedIdleMs?: () => number
}

/** Shows the warning `WARNING_MS` before the limit, and calls `onIdle` once at the limit. */
export function watchInactivity({
  onWarning,
  onIdle,
  clocks = readClocks,
  sharedIdleMs = () => Number.POSITIVE_INFINITY,
}: WatchOptions): Watch {
  let last = clocks()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWarning = false
  let hasEnded = false
  const idleMs = () => {
    const { wall, monotonic } = clocks()
    return Math.max(0, wall - last.wall, monotonic - last.monotonic)
  }
  const setIdle = (idle: number) => {
    const { wall, monotonic } = clocks()
    last = { wall: wall - idle, monotonic: monotonic - idle }
  }
  /** A frozen tab receives no messages, so it reads the shared activity before it decides. */
  const readIdleMs = () => {
    const idle = idleMs()
    if (idle < INACTIVITY_MS - WARNING_MS) return idle
    const shared = sharedIdleMs()
    if (shared >= idle) return idle
    setIdle(shared)
    return shared
  }
  const showWarning = (isShown: boolean) => {
    if (isWarning === isShown) return
    isWarning = isShown
    onWarning(isShown)
  }
  const check = () => {
    if (hasEnded) return
    clearTimeout(timer)
    const left = INACTIVITY_MS - readIdleMs()
    if (left <= 0) {
      hasEnded = true
      showWarning(false)
      return onIdle()
    }
    showWarning(left <= WARNING_MS)
    timer = setTimeout(check, isWarning ? left : left - WARNING_MS)
  }
  check()
  return {
    touch: () => {
      const idle = readIdleMs()
      // Activity after the limit is too late: the computer slept, and the timer with it.
      if (idle >= INACTIVITY_MS) check()
      else if (!isWarning && !hasEnded) {
        last = clocks()
        return true
      }
      return false
    },
    stay: (since = 0) => {
      const idle = readIdleMs()
      if (idle < INACTIVITY_MS && since < idle) setIdle(since)
      check()
    },
    check,
    idleMs,
    stop: () => {
      hasEnded = true
      clearTimeout(timer)
      showWarning(false)
    },
  }
}

const warning = createStore(false)
/** Whether the inactivity warning is shown. */
export const useInactivityWarning = (): boolean => useStore(warning)

let watch: Watch | null = null

/** ms without activity; 0 without a session. */
export const idleMs = (): number => watch?.idleMs() ?? 0

/** Ends an expired session whose timer has not fired yet. */
export const checkInactivity = (): void => watch?.check()

/** Extends the session: the user chose to stay, or a running task such as a download counts as activity. */
export function stayActive(): void {
  const isWarning = warning.get()
  watch?.stay()
  if (isWarning) post()
  else postSoon()
}

function touch(event: Event): void {
  if (event.type === 'mousemove' && !hasMoved(event as MouseEvent)) return
  if (watch?.touch()) postSoon()
}

/** Notifies other tabs, at most once per interval: now, or at the end of the interval. */
function postSoon(): void {
  if (postTimer) return
  post()
  const postedAt = Date.now()
  postTimer = setTimeout(() => {
    postTimer = undefined
    if (idleMs() < Date.now() - postedAt) post()
  }, POST_MS)
}
let postTimer: ReturnType<typeof setTimeout> | undefined

function post(): void {
  const { userId } = session.get()
  if (userId === null) return
  // Of the activity, not of now: the timer may fire late, after a sleep of the computer.
  const idle = idleMs()
  writeSharedActivity(userId, idle)
  postToTabs('active', { userId, at: Date.now() - idle })
}

/** Keys that only move the focus, and modifiers. */
const IGNORED_KEYS = ['Tab', 'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']

/** While the warning is shown any key extends the session and has no other effect. */
function pressDuringWarning(event: KeyboardEvent): void {
  if (!warning.get()) return
  event.stopImmediatePropagation()
  const isButtonPress = (event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLButtonElement
  if (isButtonPress || IGNORED_KEYS.includes(event.key)) return
  event.preventDefault()
  stayActive()
}

/** Ends the session after five minutes without activity in all tabs of the user, with a warning before. */
export function startInactivity(): void {
  let knownUserId: number | null = null
  const onSessionChange = () => {
    const { token, userId } = session.get()
    const isSignedIn = token !== null
    if (isSignedIn && !watch)
      watch = watchInactivity({
        onWarning: warning.set,
        onIdle: () => void signOut('session-inactive'),
        sharedIdleMs: () => readSharedIdleMs(session.get().userId),
      })
    if (!isSignedIn && watch) {
      watch.stop()
      watch = null
    }
    // Opening a page is activity: notifies the other tabs.
    if (userId !== null && userId !== knownUserId) postSoon()
    knownUserId = userId
  }
  // Capture phase: a dialog below must not close by the same key.
  window.addEventListener('keydown', pressDuringWarning, true)
  for (const eventType of ACTIVITY_EVENTS) document.addEventListener(eventType, touch, { passive: true, capture: true })
  document.addEventListener('visibilitychange', () => watch?.check())
  onTabMessage({
    active: ({ userId, at = Date.now() }) => {
      if (userId === session.get().userId) watch?.stay(Math.max(0, Date.now() - at))
    },
  })
  session.subscribe(onSessionChange)
  onSessionChange()
}
