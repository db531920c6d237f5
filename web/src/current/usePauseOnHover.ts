import { type FocusEvent, type PointerEvent, useEffect, useRef } from 'react'
import { pauseArrivals } from './live.ts'

/** A pointer or focus without activity for this time no longer pauses arrivals. */
const IDLE_MS = 20_000

/**
 * Handlers that pause arrivals while the pointer or the keyboard focus is in the list. After 20 s without activity
 * arrivals resume; the next movement or key pauses them again.
 */
export function usePauseOnHover() {
  const activity = useRef({ pointer: false, keyboard: false })
  const idleTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const update = (change: Partial<typeof activity.current>) => {
    Object.assign(activity.current, change)
    const isActive = activity.current.pointer || activity.current.keyboard
    clearTimeout(idleTimer.current)
    if (isActive) idleTimer.current = setTimeout(() => pauseArrivals(false), IDLE_MS)
    pauseArrivals(isActive)
  }
  useEffect(
    () => () => {
      clearTimeout(idleTimer.current)
      pauseArrivals(false)
    },
    [],
  )

  return {
    // Touch does not hover.
    onPointerEnter: ({ pointerType }: PointerEvent) => update({ pointer: pointerType !== 'touch' }),
    // Scrolling under a still pointer fires moves of zero length.
    onPointerMove: ({ pointerType, movementX, movementY }: PointerEvent) => {
      if (pointerType !== 'touch' && (movementX !== 0 || movementY !== 0)) update({ pointer: true })
    },
    onPointerLeave: () => update({ pointer: false }),
    // Clicks leave focus behind; only a visible focus is from the keyboard.
    onFocus: ({ target }: FocusEvent) => update({ keyboard: target.matches(':focus-visible') }),
    onKeyDown: () => update({}),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) update({ keyboard: false })
    },
  }
}
