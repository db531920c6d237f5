import { type RefCallback, useCallback } from 'react'

/*
 * One timer for all clocks and countdowns of the page. It writes text directly into the elements, so hundreds of
 * countdowns need no rendering.
 */

const TICK_MS = 500

/** Start of the local clock, which runs evenly even if the computer's clock is changed. */
const origin = Date.now() - performance.now()

/** Local time, ms since the epoch, unaffected by changes of the computer's clock; may be late after a suspension. */
export const localNow = (): number => Math.round(origin + performance.now())

/** Bounds of the server clock's offset from the local clock, ms. */
let minOffset = Number.NEGATIVE_INFINITY
let maxOffset = Number.POSITIVE_INFINITY
let offset = 0

/**
 * Narrows the offset from the Date header of a response. The header has whole seconds and the transfer takes time, so
 * each response only gives bounds. A local clock within the bounds is not corrected. `sentAt` and `receivedAt` are of
 * `localNow`.
 */
export function syncServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const serverTime = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(serverTime)) return
  const bounds = { min: serverTime - receivedAt, max: serverTime + 1_000 - sentAt }
  // The server's clock was set, or the computer was suspended: earlier bounds are invalid.
  const contradicts = bounds.min > maxOffset || bounds.max < minOffset
  minOffset = contradicts ? bounds.min : Math.max(minOffset, bounds.min)
  maxOffset = contradicts ? bounds.max : Math.min(maxOffset, bounds.max)
  offset = Math.min(maxOffset, Math.max(minOffset, 0))
}

/** Current server time, ms since the epoch. */
export const serverNow = (): number => localNow() + offset

/** A time that the server has surely reached; the local time until a response has given bounds. */
export const serverNowAtLeast = (): number => localNow() + (Number.isFinite(minOffset) ? minOffset : offset)

/** Converts a time stamp of the computer's clock to server time. */
export const toServerTime = (time: number): number => serverNow() - (Date.now() - time)

type Text = (now: number) => string

const elements = new Map<HTMLElement, { text: Text; written: string }>()
const listeners = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  const now = serverNow()
  for (const listener of [...listeners]) listener(now)
  for (const [element, entry] of elements) write(element, entry, now)
}

function write(element: HTMLElement, entry: { text: Text; written: string }, now: number) {
  const text = entry.text(now)
  if (text === entry.written) return
  entry.written = text
  element.textContent = text
}

function updateTimer() {
  const needed = elements.size > 0 || listeners.size > 0
  if (needed) timer ??= setInterval(tick, TICK_MS)
  else {
    clearInterval(timer)
    timer = undefined
  }
}

/** Subscribes to the ticks; returns the function that unsubscribes. */
export function onTick(listener: (now: number) => void): () => void {
  listeners.add(listener)
  updateTimer()
  return () => {
    listeners.delete(listener)
    updateTimer()
  }
}

/** Keeps an element's text up to date; the element must have no other content. Returns the function that stops it. */
export function writeTime(element: HTMLElement, text: Text): () => void {
  const entry = { text, written: '' }
  elements.set(element, entry)
  write(element, entry, serverNow())
  updateTimer()
  return () => {
    elements.delete(element)
    updateTimer()
  }
}

/** Ref of an element whose text follows the clock. `text` must be a stable function. */
export const useTicking = (text: Text): RefCallback<HTMLElement> =>
  useCallback((element) => (element ? writeTime(element, text) : undefined), [text])
