import { type RefCallback, useCallback } from 'react'

/*
 * One clock for the page. Whatever counts on the screen is written from a single tick straight into its element:
 * hundreds of countdowns cost one timer and no rendering.
 */

const TICK_MS = 500

/** What the answers of the server have told of its clock, in ms ahead of this machine's. */
let minAhead = Number.NEGATIVE_INFINITY
let maxAhead = Number.POSITIVE_INFINITY
let ahead = 0

/**
 * Learns from the Date header of an answer. It tells whole seconds and the way takes time, so one answer only bounds
 * the difference; many narrow it down. A clock that agrees with the bounds is left as it is.
 */
export function syncServerTime(date: string | null, sentAt: number, receivedAt: number): void {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told)) return
  const bounds = { least: told - receivedAt, most: told + 1_000 - sentAt }
  // One of the clocks was set: what was known before holds no more.
  const contradicts = bounds.least > maxAhead || bounds.most < minAhead
  minAhead = contradicts ? bounds.least : Math.max(minAhead, bounds.least)
  maxAhead = contradicts ? bounds.most : Math.min(maxAhead, bounds.most)
  ahead = Math.min(maxAhead, Math.max(minAhead, 0))
}

/** Now by the server's clock, in ms since the epoch. */
export const serverNow = (): number => Date.now() + ahead

/** A moment that this machine noted by its own clock, by the server's. */
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

/** Calls back with each tick. */
export function onTick(listener: (now: number) => void): () => void {
  listeners.add(listener)
  run()
  return () => {
    listeners.delete(listener)
    run()
  }
}

/** Keeps an element's text up to date; the element must have no other content. */
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

/** A ref for an element whose text follows the clock. `text` must be the same function while it says the same. */
export const useTicking = (text: Text): RefCallback<HTMLElement> =>
  useCallback((element) => (element ? writeTime(element, text) : undefined), [text])
