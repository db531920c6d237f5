import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { MOVED_FOCUS } from '../vehicle/publicApi.ts'

const rowOf = (element: Element) => element.closest<HTMLElement>('[data-vehicle]')?.dataset.vehicle ?? null

/**
 * Keeps the focus in the lists of `area` when the row that has it is removed: on the same vehicle, if it moved to another
 * list, otherwise on the next or previous one. Returns the key of the row that had the focus last, which must be rendered.
 */
export function useKeptFocus(area: RefObject<HTMLElement | null>, initial: string | null) {
  const [row, setRow] = useState(initial)
  const focused = useRef<Element>(null)
  const keys = useRef<string[]>([])
  useLayoutEffect(() => {
    const rows = [...(area.current?.querySelectorAll<HTMLElement>('[data-vehicle]') ?? [])]
    if (focused.current?.isConnected === false && row !== null) {
      focused.current = null
      const at = keys.current.indexOf(row)
      const candidates = [row, ...keys.current.slice(at + 1), ...keys.current.slice(0, Math.max(0, at)).reverse()]
      const next = candidates.flatMap((key) => rows.find(({ dataset }) => dataset.vehicle === key) ?? [])[0]
      area.current?.setAttribute(MOVED_FOCUS, '')
      next?.querySelector('a')?.focus({ preventScroll: true })
      area.current?.removeAttribute(MOVED_FOCUS)
    }
    keys.current = rows.map(({ dataset }) => dataset.vehicle ?? '')
  })
  return {
    row,
    handlers: {
      onFocus: (event: FocusEvent) => {
        focused.current = event.target
        setRow(rowOf(event.target))
        // Only the user's own focus pauses arrivals.
        if (area.current?.hasAttribute(MOVED_FOCUS)) event.stopPropagation()
      },
      // React reports no blur of a removed element.
      onBlur: ({ target }: FocusEvent) => {
        // The focus leaves the window, not the element.
        if (document.activeElement !== target) focused.current = null
      },
    },
  }
}
