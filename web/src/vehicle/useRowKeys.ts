import { type RefObject, useEffect, useRef } from 'react'
import { useShortcuts } from '../core/shortcuts.ts'

const PLACE = '[data-vehicle]'

const linkIn = (row: HTMLElement | null | undefined) => row?.querySelector<HTMLElement>('a') ?? null

/**
 * ↑ ↓ or J K from vehicle to vehicle of a list, T tags; Enter opens by itself, because a row holds a link. A row is
 * known by its `data-vehicle`, the vehicle's id.
 */
export function useRowKeys(
  ref: RefObject<HTMLElement | null>,
  tag: (id: number) => void,
  texts: { up: string; down: string; tag: string },
): void {
  const rowIn = useRowInHand(ref)
  const move = (by: 1 | -1) => {
    const area = ref.current
    if (!area) return
    const rows = [...area.querySelectorAll<HTMLElement>(PLACE)]
    const at = rows.indexOf(rowIn() as HTMLElement)
    const next = at < 0 ? rows[by > 0 ? 0 : rows.length - 1] : rows[at + by]
    // The browser shows the focus of what a key moved to.
    linkIn(next)?.focus({ focusVisible: true } as FocusOptions)
    next?.scrollIntoView({ block: 'nearest' })
  }
  const tagHere = () => {
    const row = rowIn()
    if (row) tag(Number(row.dataset.vehicle))
  }

  useShortcuts([
    { key: 'ArrowDown', label: texts.down, run: () => move(1) },
    { key: 'ArrowUp', label: texts.up, run: () => move(-1) },
    { key: 'j', label: texts.down, run: () => move(1) },
    { key: 'k', label: texts.up, run: () => move(-1) },
    { key: 't', label: texts.tag, run: tagHere },
  ])
}

/**
 * The row under the pointer or the keyboard, whichever moved last. A click leaves the focus behind, which any key makes
 * visible: where the focus is does not tell whose row it is.
 */
function useRowInHand(ref: RefObject<HTMLElement | null>): () => HTMLElement | null {
  const pointing = useRef(true)
  useEffect(() => {
    const area = ref.current
    if (!area) return
    // A list that scrolls under a resting pointer makes a move of no length.
    const point = ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) pointing.current = true
    }
    const focus = ({ target }: FocusEvent) => {
      if (target instanceof Element && target.matches(':focus-visible')) pointing.current = false
    }
    area.addEventListener('pointermove', point)
    area.addEventListener('focusin', focus)
    return () => {
      area.removeEventListener('pointermove', point)
      area.removeEventListener('focusin', focus)
    }
  }, [ref])

  return () => {
    const hovered = ref.current?.querySelector<HTMLElement>(`${PLACE}:hover`) ?? null
    const focused = document.activeElement?.closest<HTMLElement>(PLACE) ?? null
    return pointing.current ? (hovered ?? focused) : (focused ?? hovered)
  }
}
