import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { usePrinting } from './usePrinting.ts'

/** Rows are rendered up to this far outside the viewport, in px, so that scrolling shows no blank area. */
const OVERSCAN_PX = 400
/** Shorter scrolling does not re-render. */
const STEP_PX = 200
/** Gap between rows, as in the style sheet. */
const GAP_PX = 4
/** Row height before any row was measured. */
const FIRST_HEIGHT_PX = 88

/** A row by its index, or a spacer for rows outside the viewport, in px. */
export type VirtualRow = { index: number } | { space: number; key: string }

type Options = {
  /** The list; its nearest scrollable ancestor is the viewport. */
  list: RefObject<HTMLElement | null>
  /** Keys of all rows in order; each row element carries its key as `data-row`. */
  keys: readonly string[]
  /** Row that is always rendered, with its neighbours: the focused one. */
  pinned: string | null
}

/**
 * Virtualises a long list: renders rows near the viewport, the first and the last, and the pinned row with its
 * neighbours, so that keyboard and focus work. Rows may differ in height: each is measured while rendered, the others
 * count with the mean height.
 */
export function useVirtualRows({ list, keys, pinned }: Options): VirtualRow[] {
  const heights = useRef(new Map<string, number>())
  const view = useRef({ top: 0, bottom: initialBottom() })
  const isPrinting = usePrinting()
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  const scrollArea = useRef<HTMLElement>(null)

  const updateViewport = useCallback(() => {
    const [element, area] = [list.current, scrollArea.current]
    if (!element || !area) return
    const { top, height } = area.getBoundingClientRect()
    const from = Math.floor((top - element.getBoundingClientRect().top) / STEP_PX) * STEP_PX
    const to = from + Math.ceil(height / STEP_PX + 1) * STEP_PX
    const { top: before, bottom } = view.current
    if (from === before && to === bottom) return
    view.current = { top: from, bottom: to }
    rerender()
  }, [list])

  useLayoutEffect(() => {
    const element = list.current
    const area = element && scrollAreaOf(element)
    scrollArea.current = area
    if (!element || !area) return
    area.addEventListener('scroll', updateViewport, { passive: true })
    let width = element.clientWidth
    const sizes = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        const row = target instanceof HTMLElement ? target.dataset.row : undefined
        if (row !== undefined && target.isConnected) heights.current.set(row, borderBoxSize[0]?.blockSize ?? 0)
      }
      // Row heights change with the width.
      if (element.clientWidth !== width) {
        width = element.clientWidth
        heights.current.clear()
        for (const row of rowsIn(element)) heights.current.set(row.dataset.row ?? '', row.offsetHeight)
      }
      updateViewport()
    })
    sizes.observe(area)
    sizes.observe(element)
    const observeRows = () => {
      for (const row of rowsIn(element)) sizes.observe(row)
    }
    observeRows()
    const changes = new MutationObserver(observeRows)
    changes.observe(element, { childList: true })
    updateViewport()
    return () => {
      area.removeEventListener('scroll', updateViewport)
      sizes.disconnect()
      changes.disconnect()
    }
  }, [list, updateViewport])

  useEffect(() => {
    if (heights.current.size > 2 * keys.length + 100) {
      const currentKeys = new Set(keys)
      for (const key of heights.current.keys()) if (!currentKeys.has(key)) heights.current.delete(key)
    }
    // Content above the list may have moved it.
    return afterFrame(updateViewport)
  })

  return layOutRows(keys, pinned, heights.current, isPrinting ? EVERYTHING : view.current)
}

const EVERYTHING = { top: 0, bottom: Number.POSITIVE_INFINITY }

/** Runs after the next frame, when the page is laid out: reading positions earlier would lay it out once more. */
function afterFrame(run: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(run)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

const rowsIn = (list: HTMLElement) => list.querySelectorAll<HTMLElement>(':scope > [data-row]')

const initialBottom = () => (typeof innerHeight === 'number' ? innerHeight : 0)

function scrollAreaOf(element: HTMLElement): HTMLElement | null {
  for (let area = element.parentElement; area; area = area.parentElement)
    if (/auto|scroll/.test(getComputedStyle(area).overflowY)) return area
  return document.documentElement
}

/** Rows to render, with spacers between them; `view` in px from the top of the list. */
export function layOutRows(
  keys: readonly string[],
  pinned: string | null,
  heights: ReadonlyMap<string, number>,
  { top, bottom }: { top: number; bottom: number },
): VirtualRow[] {
  const meanHeight = meanOf(heights) ?? FIRST_HEIGHT_PX
  const heightOf = (key: string) => (heights.get(key) ?? meanHeight) + GAP_PX
  const pinnedIndex = pinned === null ? Number.NaN : keys.indexOf(pinned)
  const rows: VirtualRow[] = []
  let y = 0
  let space = 0
  let spaces = 0
  const closeSpace = () => {
    // The list adds a gap after the spacer itself.
    if (space > 0) rows.push({ space: space - GAP_PX, key: `space ${spaces}` })
    spaces += 1
    space = 0
  }
  for (const [index, key] of keys.entries()) {
    const height = heightOf(key)
    const isNear = y + height > top - OVERSCAN_PX && y < bottom + OVERSCAN_PX
    const isPinned =
      index === 0 || index === keys.length - 1 || (pinnedIndex >= 0 && Math.abs(index - pinnedIndex) <= 1)
    if (isNear || isPinned) {
      closeSpace()
      rows.push({ index })
    } else space += height
    y += height
  }
  closeSpace()
  return rows
}

function meanOf(heights: ReadonlyMap<string, number>): number | null {
  if (heights.size === 0) return null
  let sum = 0
  for (const height of heights.values()) sum += height
  return sum / heights.size
}
