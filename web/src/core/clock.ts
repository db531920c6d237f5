import { type RefCallback, useCallback } from 'react'

/*
 * One timer for all clocks and countdowns of the page. It writes text directly into the elements, so hundreds of
 * countdowns need no rendering.
 */

const TICK_MS = 500

/** Bounds of the server clock's offset from the local clock, ms. */
let minAhead = Number.NEGATIVE_INFINITY
let maxAhead = Number.POSITIVE_INFINITY
let ahead = 0

/**
 * Narrows the offset from the Date header of a response. The header has whole seconds and the transfer takes time, so
 * each response only gives bounds. A local clock within the bounds is not corrected.
 */
export function syncServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told)) return
  const bounds = { least: told - receivedAt, most: told + 1_000 - sentAt }
  // One of the clocks was set: earlier bounds are invalid.
  const contradicts = bounds.least > maxAhead || bounds.most < minAhead
  minAhead = contradicts ? bounds.least : Math.max(minAhead, bounds.least)
  maxAhead = contradicts ? bounds.most : Math.min(maxAhead, bounds.most)
  ahead = Math.min(maxAhead, Math.max(minAhead, 0))
}

/** Current server time, ms since the epoch. */
export const serverNow = (): number => Date.now() + ahead

/** Converts a local time stamp to server time. */
export const toServerTime = (noted: number): number => noted + ahead

type Text = (now: number) => string

const watched = new Map<HTMLElement, { text: Text; written: string }>()
const listeners = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

function tick() {
  const now = serverNow()
  for (const listener of [...listeners]) listener(now)
  for (const [element, entry] of watched) write(element, entry, now)
}

function write(element: HTMLElement, entry: { text: Text; written: string }, now: number) {
  const text = entry.text(now)
  if (text === entry.written) return
  entry.written = text
  element.textContent = text
}

function run() {
  const needed = watched.size > 0 || listeners.size > 0
  if (needed) timer ??= setInterval(tick, TICK_MS)
  else {
    clearInterval(timer)
    timer = undefined
  }
}

/** Subscribes to the ticks; returns the function that unsubscribes. */
export function onTick(listener: (now: number) => void): () => void {
  listeners.add(listener)
  run()
  return () => {
    listeners.delete(listener)
    run()
  }
}

/** Keeps an element's text up to date; the element must have no other content. Returns the function that stops it. */
export function writeTime(element: HTMLElement, text: Text): () => void {
  const entry = { text, written: '' }
  watched.set(element, entry)
  write(element, entry, serverNow())
  run()
  return () => {
    watched.delete(element)
    run()
  }
}

/** Ref of an element whose text follows the clock. `text` must be a stable function. */
export const useTicking = (text: Text): RefCallback<HTMLElement> =>
  useCallback((element) => (element ? writeTime(element, text) : undefined), [text])
