import { type FocusEvent, type PointerEvent, useEffect, useRef } from 'react'
import { pauseArrivals } from './live.ts'

/** A pointer or focus without activity for this time no longer pauses arrivals. */
const IDLE_MS = 20_000

/**
 * Handlers that pause arrivals while the pointer or the keyboard focus is in the list. After 20 s without activity
 * arrivals resume; the next movement or key pauses them again.
 */
export function usePauseOnHover() {
  const hand = useRef({ pointer: false, keyboard: false })
  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const set = (change: Partial<typeof hand.current>) => {
    Object.assign(hand.current, change)
    const isThere = hand.current.pointer || hand.current.keyboard
    clearTimeout(resting.current)
    if (isThere) resting.current = setTimeout(() => pauseArrivals(false), IDLE_MS)
    pauseArrivals(isThere)
  }
  useEffect(
    () => () => {
      clearTimeout(resting.current)
      pauseArrivals(false)
    },
    [],
  )

  return {
    // Touch does not hover.
    onPointerEnter: ({ pointerType }: PointerEvent) => set({ pointer: pointerType !== 'touch' }),
    // Scrolling under a still pointer fires moves of zero length.
    onPointerMove: ({ pointerType, movementX, movementY }: PointerEvent) => {
      if (pointerType !== 'touch' && (movementX !== 0 || movementY !== 0)) set({ pointer: true })
    },
    onPointerLeave: () => set({ pointer: false }),
    // Clicks leave focus behind; only a visible focus is from the keyboard.
    onFocus: ({ target }: FocusEvent) => set({ keyboard: target.matches(':focus-visible') }),
    onKeyDown: () => set({}),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) set({ keyboard: false })
    },
  }
}
