import { type FocusEvent, type PointerEvent, useEffect, useRef } from 'react'
import { pauseArrivals } from './live.ts'

/** A pointer or a focus that rests for so long was left behind: nobody is at work with the list. */
const IDLE_MS = 20_000

/**
 * Handlers for the list's area: while the pointer or the keyboard is at work in it, arrivals wait. After 20 s without
 * a movement or a key they come; the next movement or key holds them again.
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
    // A finger that touches the screen is gone with the touch.
    onPointerEnter: ({ pointerType }: PointerEvent) => set({ pointer: pointerType !== 'touch' }),
    // A list that scrolls under a resting pointer makes a move of no length.
    onPointerMove: ({ pointerType, movementX, movementY }: PointerEvent) => {
      if (pointerType !== 'touch' && (movementX !== 0 || movementY !== 0)) set({ pointer: true })
    },
    onPointerLeave: () => set({ pointer: false }),
    // A click leaves the focus behind; only a visible focus is the keyboard's.
    onFocus: ({ target }: FocusEvent) => set({ keyboard: target.matches(':focus-visible') }),
    onKeyDown: () => set({}),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) set({ keyboard: false })
    },
  }
}
