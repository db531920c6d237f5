import { type RefObject, useEffect, useRef } from 'react'
import { useShortcuts } from '../core/shortcuts.ts'

const PLACE = '[data-vehicle]'

const linkIn = (row: HTMLElement | null | undefined) => row?.querySelector<HTMLElement>('a') ?? null

/**
 * Shortcuts of a vehicle list: ↑ ↓ or J K move between rows, T tags. Enter needs no handler, because rows contain a
 * link. Rows carry the vehicle's id as `data-vehicle`.
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
    // Shows the focus ring, because the keyboard moved it.
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
 * The row under the pointer or with the keyboard focus, whichever moved last. A click leaves focus behind, so the focus
 * alone is not sufficient.
 */
function useRowInHand(ref: RefObject<HTMLElement | null>): () => HTMLElement | null {
  const pointing = useRef(true)
  useEffect(() => {
    const area = ref.current
    if (!area) return
    // Scrolling under a still pointer fires moves of zero length.
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
