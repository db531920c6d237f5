import { hasMoved } from './pointer.ts'
import { session } from './session.ts'
import { readSharedIdleMs, writeSharedActivity } from './sharedActivity.ts'
import { signOut } from './signOut.ts'
import { createStore, useStore } from './store.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/** Time without activity after which the session ends. */
export const INACTIVITY_MS = 300_000
/** Time before that during which the page warns and asks. */
export const WARNING_MS = 60_000
/** Activity is told to other tabs at most so often. */
const POST_MS = 1_000

/** Activity that needs no decision: it keeps the session only until the warning is shown. */
const SIGNS = ['mousemove', 'keydown', 'click', 'touchstart', 'scroll'] as const

/**
 * The wall clock counts the sleep of the computer but may be set; the steady one may not be set but may sleep. What
 * either says counts: set forward, the wall clock ends a session early rather than late.
 */
type Clocks = { wall: number; steady: number }
const readClocks = (): Clocks => ({ wall: Date.now(), steady: performance.now() })

type Watch = {
  /** Activity that needs no decision; returns whether it counted. */
  touch: () => boolean
  /** The user decided to stay, here or (with ms since then) in another tab. */
  stay: (idleMs?: number) => void
  /** Reads the clocks: a timer sleeps with the computer. */
  look: () => void
  idleMs: () => number
  stop: () => void
}

type WatchOptions = {
  onWarning: (isShown: boolean) => void
  onIdle: () => void
  clocks?: () => Clocks
  /** Milliseconds since the last activity in any tab, as far as this one can read it. */
  sharedIdleMs?: () => number
}

/** Warns `WARNING_MS` before the limit, and calls `onIdle` once at the limit. */
export function watchInactivity({
  onWarning,
  onIdle,
  clocks = readClocks,
  sharedIdleMs = () => Number.POSITIVE_INFINITY,
}: WatchOptions): Watch {
  let last = clocks()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWarning = false
  let isOver = false
  const idleMs = () => {
    const { wall, steady } = clocks()
    return Math.max(0, wall - last.wall, steady - last.steady)
  }
  const setIdle = (idle: number) => {
    const { wall, steady } = clocks()
    last = { wall: wall - idle, steady: steady - idle }
  }
  /** A tab that the browser froze has heard nothing of the others: it asks what they wrote before it judges. */
  const catchUp = () => {
    const idle = idleMs()
    if (idle < INACTIVITY_MS - WARNING_MS) return idle
    const shared = sharedIdleMs()
    if (shared >= idle) return idle
    setIdle(shared)
    return shared
  }
  const warn = (isShown: boolean) => {
    if (isWarning === isShown) return
    isWarning = isShown
    onWarning(isShown)
  }
  const look = () => {
    if (isOver) return
    clearTimeout(timer)
    const left = INACTIVITY_MS - catchUp()
    if (left <= 0) {
      isOver = true
      warn(false)
      return onIdle()
    }
    warn(left <= WARNING_MS)
    timer = setTimeout(look, isWarning ? left : left - WARNING_MS)
  }
  look()
  return {
    touch: () => {
      const idle = catchUp()
      // Activity after the limit comes too late: the computer slept and the timer with it.
      if (idle >= INACTIVITY_MS) look()
      else if (!isWarning && !isOver) {
        last = clocks()
        return true
      }
      return false
    },
    stay: (since = 0) => {
      const idle = catchUp()
      if (idle < INACTIVITY_MS && since < idle) setIdle(since)
      look()
    },
    look,
    idleMs,
    stop: () => {
      isOver = true
      clearTimeout(timer)
      warn(false)
    },
  }
}

const warning = createStore(false)
/** Whether the session is about to end for inactivity. */
export const useInactivityWarning = (): boolean => useStore(warning)

let watch: Watch | null = null

/** Milliseconds without activity; 0 without a session. */
export const idleMs = (): number => watch?.idleMs() ?? 0

/** Ends the session where its time is over, though a timer that slept has not said so yet. */
export const checkInactivity = (): void => watch?.look()

/** Keeps the session: the user asked for it, or work that they began goes on, such as a file on its way. */
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

/** Tells the other tabs, at once or at the end of the interval in which they were told. */
function postSoon(): void {
  if (posting) return
  post()
  const posted = Date.now()
  posting = setTimeout(() => {
    posting = undefined
    if (idleMs() < Date.now() - posted) post()
  }, POST_MS)
}
let posting: ReturnType<typeof setTimeout> | undefined

function post(): void {
  const { userId } = session.get()
  if (userId === null) return
  writeSharedActivity(userId)
  postToTabs('active', { userId })
}

/** Keys that only move the focus, or belong to another key. */
const PASSING = ['Tab', 'Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']

/** While the warning is shown any key keeps the session, and does nothing else. */
function pressDuringWarning(event: KeyboardEvent): void {
  if (!warning.get()) return
  event.stopImmediatePropagation()
  const isOfButton = (event.key === 'Enter' || event.key === ' ') && event.target instanceof HTMLButtonElement
  if (isOfButton || PASSING.includes(event.key)) return
  event.preventDefault()
  stayActive()
}

/** Ends the session after five minutes without activity in any tab of its user, and warns before. */
export function startInactivity(): void {
  let known: number | null = null
  const follow = () => {
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
    // Whoever opens a page is there: the other tabs begin anew with this one.
    if (userId !== null && userId !== known) postSoon()
    known = userId
  }
  // Before all others: a dialog of the page below must not close by the same key.
  window.addEventListener('keydown', pressDuringWarning, true)
  for (const sign of SIGNS) document.addEventListener(sign, touch, { passive: true, capture: true })
  document.addEventListener('visibilitychange', () => watch?.look())
  onTabMessage({
    active: ({ userId }) => {
      if (userId === session.get().userId) watch?.stay()
    },
  })
  session.subscribe(follow)
  follow()
}
