import { type FocusEvent, type PointerEvent, useEffect, useRef } from 'react'
import { holdLive } from './live.ts'

/** Handlers for the list's area: while the pointer or the keyboard is in it, newcomers wait. */
export function useHand() {
  const hand = useRef({ pointer: false, keyboard: false })
  const set = (change: Partial<typeof hand.current>) => {
    Object.assign(hand.current, change)
    holdLive(hand.current.pointer || hand.current.keyboard)
  }
  useEffect(() => () => holdLive(false), [])

  return {
    // A finger that touches the screen is gone with the touch.
    onPointerEnter: ({ pointerType }: PointerEvent) => set({ pointer: pointerType !== 'touch' }),
    onPointerLeave: () => set({ pointer: false }),
    // A click leaves the focus behind; only a visible focus is the keyboard's.
    onFocus: ({ target }: FocusEvent) => set({ keyboard: target.matches(':focus-visible') }),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget as Node | null)) set({ keyboard: false })
    },
  }
}
