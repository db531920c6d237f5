import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { pageName } from '../useTitle.ts'

/** A page that takes longer to load leaves the focus where it is. */
const TIMEOUT_MS = 5_000
/** Pages set their title after rendering. */
const DELAY_MS = 100
/** Cleared, so that screen readers do not find it while reading through the page. */
const CLEAR_MS = 2_000

const DIALOGS = 'dialog, [role="dialog"], [role="alertdialog"]'

/** The first page replaces the login, whose field had the focus. */
let isFirstFocused = false

export const focusFirstPage = (): void => {
  isFirstFocused = true
}

/**
 * After navigation to another page or step moves the focus to the heading and announces the title or the step, because
 * the previously focused control no longer exists. Does not override a focus set by the page itself or by a dialog.
 * Returns the ref of the live region.
 */
export function usePageFocus() {
  const router = useRouter()
  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let stop = () => {}
    let initialFocus: Element | null = null
    // Before navigation, as the next page may set the focus while it renders.
    const unsubscribeBefore = router.subscribe('onBeforeNavigate', () => {
      initialFocus = document.activeElement
    })
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      // The initial page keeps the browser's focus, unless it follows the login.
      if (!fromLocation && !isFirstFocused) return
      isFirstFocused = false
      if (fromLocation && !pathChanged && stepOf(fromLocation.search) === stepOf(toLocation.search)) return
      stop()
      stop = moveFocus(initialFocus, () => region.current && announce(region.current))
    })
    return () => {
      unsubscribeBefore()
      unsubscribe()
      stop()
    }
  }, [router])
  return region
}

const stepOf = (search: object): unknown => ('step' in search ? search.step : undefined)

/** Waits for the heading of a page that is still loading; user input cancels it. */
function moveFocus(initialFocus: Element | null, onDone: () => void): () => void {
  const observer = new MutationObserver(() => move())
  const timer = setTimeout(() => stop(), TIMEOUT_MS)
  const stop = () => {
    clearTimeout(timer)
    observer.disconnect()
    for (const eventType of ['pointerdown', 'keydown']) document.removeEventListener(eventType, stop, true)
  }
  const move = () => {
    const heading = document.querySelector<HTMLElement>('#main h1, h1')
    if (!heading) return
    stop()
    if (!hasOwnFocus(initialFocus)) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    onDone()
  }
  for (const eventType of ['pointerdown', 'keydown']) document.addEventListener(eventType, stop, true)
  observer.observe(document.body, { childList: true, subtree: true })
  move()
  return stop
}

/** Whether a dialog has the focus, or the page has focused one of its fields or rows. */
function hasOwnFocus(initialFocus: Element | null): boolean {
  const active = document.activeElement
  if (!active || active === document.body) return false
  return (
    active.closest(DIALOGS) !== null ||
    (active !== initialFocus && active.id !== 'main' && active.closest('main') !== null)
  )
}

/** Announces the step, or the page's title unless the focused heading says the same. */
function announce(region: HTMLElement): void {
  setTimeout(() => {
    const step = document.querySelector('[aria-current="step"]')?.textContent
    const title = pageName() ?? 'Rogatka'
    const isInHeading = document.activeElement?.matches('h1') && document.activeElement.textContent === title
    region.textContent = step ?? (isInHeading ? '' : title)
    setTimeout(() => {
      region.textContent = ''
    }, CLEAR_MS)
  }, DELAY_MS)
}
