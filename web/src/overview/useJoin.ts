import type { FocusEvent, PointerEvent } from 'react'
import { useMemo, useState } from 'react'

/** Joins what belongs to the same stations: the mark on the map, the strip and the alarm under the pointer or focus. */
export type Join = {
  /** The stations under the pointer or with the focus. */
  joined: readonly number[]
  /** Handlers of an element that belongs to these stations. */
  handlersFor: (ids: readonly number[]) => {
    onPointerEnter: (event: PointerEvent) => void
    onPointerLeave: () => void
    onFocus: (event: FocusEvent) => void
    onBlur: () => void
  }
}

const NONE: readonly number[] = []

export function useJoin(): Join {
  const [joined, setJoined] = useState(NONE)
  return useMemo(
    () => ({
      joined,
      handlersFor: (ids) => ({
        // Touch does not hover.
        onPointerEnter: ({ pointerType }) => pointerType !== 'touch' && setJoined(ids),
        onPointerLeave: () => setJoined(NONE),
        // Clicks leave focus behind; only a visible focus is from the keyboard.
        onFocus: ({ target }) => target.matches(':focus-visible') && setJoined(ids),
        onBlur: () => setJoined(NONE),
      }),
    }),
    [joined],
  )
}
