import { type RefObject, useEffect, useRef } from 'react'
import { useShortcuts } from '../core/shortcuts.ts'

const ROW_SELECTOR = '[data-vehicle]'
/** Attribute of an element within which the page, not the user, moves the focus. */
export const MOVED_FOCUS = 'data-moved-focus'

const linkIn = (row: HTMLElement | null | undefined) => row?.querySelector<HTMLElement>('a') ?? null

/**
 * Shortcuts of a vehicle list: ↑ ↓ or J K move between rows, T tags, unless `tag` is null; `more` act on the current row.
 * Enter needs no handler, because rows contain a link. Rows carry the key of their vehicle as `data-vehicle`.
 */
export function useRowKeys(
  ref: RefObject<HTMLElement | null>,
  tag: ((key: string) => void) | null,
  texts: { up: string; down: string; tag?: string },
  more: readonly { key: string; label: string; run: (row: string) => void }[] = [],
): void {
  const currentRow = useCurrentRow(ref)
  const move = (offset: 1 | -1) => {
    const area = ref.current
    if (!area) return
    const rows = [...area.querySelectorAll<HTMLElement>(ROW_SELECTOR)]
    const at = rows.indexOf(currentRow() as HTMLElement)
    const next = at < 0 ? rows[offset > 0 ? 0 : rows.length - 1] : rows[at + offset]
    // Shows the focus ring, because the keyboard moved it.
    linkIn(next)?.focus({ focusVisible: true } as FocusOptions)
    next?.scrollIntoView({ block: 'nearest' })
  }
  const onCurrent = (run: (row: string) => void) => () => {
    const row = currentRow()
    if (row) run(row.dataset.vehicle ?? '')
  }

  useShortcuts([
    { key: 'ArrowDown', label: texts.down, run: () => move(1) },
    { key: 'ArrowUp', label: texts.up, run: () => move(-1) },
    { key: 'j', label: texts.down, run: () => move(1) },
    { key: 'k', label: texts.up, run: () => move(-1) },
    ...(tag && texts.tag ? [{ key: 't', label: texts.tag, run: onCurrent(tag) }] : []),
    ...more.map(({ run, ...shortcut }) => ({ ...shortcut, run: onCurrent(run) })),
  ])
}

/**
 * The row under the pointer or with the keyboard focus, whichever moved last. A click leaves focus behind, so the focus
 * alone is not sufficient.
 */
function useCurrentRow(ref: RefObject<HTMLElement | null>): () => HTMLElement | null {
  const isPointerLast = useRef(true)
  useEffect(() => {
    const area = ref.current
    if (!area) return
    // Scrolling under a still pointer fires moves of zero length.
    const onPointerMove = ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) isPointerLast.current = true
    }
    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest(`[${MOVED_FOCUS}]`)) return
      if (target.matches(':focus-visible')) isPointerLast.current = false
    }
    area.addEventListener('pointermove', onPointerMove)
    area.addEventListener('focusin', onFocusIn)
    return () => {
      area.removeEventListener('pointermove', onPointerMove)
      area.removeEventListener('focusin', onFocusIn)
    }
  }, [ref])

  return () => {
    const hovered = ref.current?.querySelector<HTMLElement>(`${ROW_SELECTOR}:hover`) ?? null
    const focused = document.activeElement?.closest<HTMLElement>(ROW_SELECTOR) ?? null
    return isPointerLast.current ? (hovered ?? focused) : (focused ?? hovered)
  }
}
