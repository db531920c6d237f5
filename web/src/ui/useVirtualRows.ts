import { type RefObject, useCallback, useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { usePrinting } from './usePrinting.ts'

/** So far beyond the visible part rows are rendered, in px, so that scrolling never shows an empty place. */
const OVERSCAN_PX = 400
/** Scrolling by less renders nothing anew. */
const STEP_PX = 200
/** Between two rows, as in the style sheet. */
const GAP_PX = 4
/** Before any row was measured. */
const FIRST_HEIGHT_PX = 88

/** A row by its place, or the space that rows outside the visible part take, in px. */
export type VirtualRow = { index: number } | { space: number; key: string }

type Options = {
  /** The list; its nearest ancestor that scrolls decides what is visible. */
  list: RefObject<HTMLElement | null>
  /** Keys of all rows, in their order; a row's element carries its own as `data-row`. */
  keys: readonly string[]
  /** Rows that are rendered wherever they are: the one with the focus, with its neighbours. */
  kept: string | null
}

/**
 * Which rows of a long list to render: those near the visible part, the first and the last, and the one that is kept
 * with its neighbours, so that keys and focus find their way. Rows may differ in height: each is measured while it is
 * there, the others count as the mean of those that were.
 */
export function useVirtualRows({ list, keys, kept }: Options): VirtualRow[] {
  const heights = useRef(new Map<string, number>())
  const view = useRef({ top: 0, bottom: initialBottom() })
  const isPrinting = usePrinting()
  const [, renderAnew] = useReducer((count: number) => count + 1, 0)

  const look = useCallback(() => {
    const element = list.current
    const area = element && scrollAreaOf(element)
    if (!element || !area) return
    const { top, height } = area.getBoundingClientRect()
    const from = Math.floor((top - element.getBoundingClientRect().top) / STEP_PX) * STEP_PX
    const to = from + Math.ceil(height / STEP_PX + 1) * STEP_PX
    const { top: before, bottom } = view.current
    if (from === before && to === bottom) return
    view.current = { top: from, bottom: to }
    renderAnew()
  }, [list])

  useLayoutEffect(() => {
    const element = list.current
    const area = element && scrollAreaOf(element)
    if (!element || !area) return
    area.addEventListener('scroll', look, { passive: true })
    let width = element.clientWidth
    const sizes = new ResizeObserver((entries) => {
      for (const { target, borderBoxSize } of entries) {
        const row = target instanceof HTMLElement ? target.dataset.row : undefined
        if (row !== undefined && target.isConnected) heights.current.set(row, borderBoxSize[0]?.blockSize ?? 0)
      }
      // In another width all rows have another height.
      if (element.clientWidth !== width) {
        width = element.clientWidth
        heights.current.clear()
        for (const row of rowsIn(element)) heights.current.set(row.dataset.row ?? '', row.offsetHeight)
      }
      look()
    })
    sizes.observe(area)
    sizes.observe(element)
    const observeRows = () => {
      for (const row of rowsIn(element)) sizes.observe(row)
    }
    observeRows()
    const changes = new MutationObserver(observeRows)
    changes.observe(element, { childList: true })
    look()
    return () => {
      area.removeEventListener('scroll', look)
      sizes.disconnect()
      changes.disconnect()
    }
  }, [list, look])

  useEffect(() => {
    // What stands above the list may have moved it.
    look()
    if (heights.current.size > 2 * keys.length + 100) {
      const there = new Set(keys)
      for (const key of heights.current.keys()) if (!there.has(key)) heights.current.delete(key)
    }
  })

  return layOut(keys, kept, heights.current, isPrinting ? EVERYTHING : view.current)
}

const EVERYTHING = { top: 0, bottom: Number.POSITIVE_INFINITY }

const rowsIn = (list: HTMLElement) => list.querySelectorAll<HTMLElement>(':scope > [data-row]')

const initialBottom = () => (typeof innerHeight === 'number' ? innerHeight : 0)

function scrollAreaOf(element: HTMLElement): HTMLElement | null {
  for (let area = element.parentElement; area; area = area.parentElement)
    if (/auto|scroll/.test(getComputedStyle(area).overflowY)) return area
  return document.documentElement
}

/** The rows to render between their spaces; `view` in px from the top of the list. */
export function layOut(
  keys: readonly string[],
  kept: string | null,
  heights: ReadonlyMap<string, number>,
  { top, bottom }: { top: number; bottom: number },
): VirtualRow[] {
  const typical = meanOf(heights) ?? FIRST_HEIGHT_PX
  const heightOf = (key: string) => (heights.get(key) ?? typical) + GAP_PX
  const keptAt = kept === null ? Number.NaN : keys.indexOf(kept)
  const rows: VirtualRow[] = []
  let y = 0
  let space = 0
  let spaces = 0
  const closeSpace = () => {
    // The list itself puts a gap behind it.
    if (space > 0) rows.push({ space: space - GAP_PX, key: `space ${spaces}` })
    spaces += 1
    space = 0
  }
  for (const [index, key] of keys.entries()) {
    const height = heightOf(key)
    const isNear = y + height > top - OVERSCAN_PX && y < bottom + OVERSCAN_PX
    const isKept = index === 0 || index === keys.length - 1 || (keptAt >= 0 && Math.abs(index - keptAt) <= 1)
    if (isNear || isKept) {
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
