import { check, list } from '@rogatka/contract/current.ts'
import { call } from '../core/call.ts'
import { onTick, serverNow } from '../core/clock.ts'
import { Unavailable } from '../core/failure.ts'
import { countListRequest } from '../core/listRequests.ts'
import { addNewCars } from '../core/newCars.ts'
import { session } from '../core/session.ts'
import { createStore } from '../core/store.ts'
import { onTags } from '../vehicle/useTag.ts'
import { alarm, beep } from './beep.ts'
import { advance, emptyList, type LiveList, merge, release, reorder, withTags } from './liveList.ts'
import { type CurrentSearch, filtersOf, orderOf } from './search.ts'

/*
 * The live session: outside React, because it goes on while the operator reads another page. Started by step 3;
 * step 2 pauses it, step 1 and the end of the session stop it.
 */

const POLL_MS = 1_000
const SILENCE_MS = 30_000
/** A request that hangs longer counts as lost, so that the next one can be asked. */
const PATIENCE_MS = 15_000

export type Live = {
  /** The address that the list was started with; null: stopped. */
  search: CurrentSearch | null
  list: LiveList
  /** Whether the first list has come. */
  opened: boolean
  /** Why the last request failed; null while the server answers. */
  error: unknown
  /** No vehicle for over 30 s. */
  silent: boolean
  /** When the newest vehicle was measured; null: none has come. */
  newest: string | null
}

const stopped: Live = { search: null, list: emptyList, opened: false, error: null, silent: false, newest: null }

export const live = createStore<Live>(stopped)

/** What changes with every answer and is shown only by the clock. */
const since = { answered: 0, arrived: 0 }
let lastId: number | null = null
let additionalSeconds = 0
let held = false
let watchers = 0
let polling: AbortController | null = null
let stopTicking: (() => void) | null = null

/** When the server last answered and a vehicle last came, in ms by its clock. */
export const lastAnswered = (): number => since.answered
export const lastArrived = (): number => since.arrived

const keyOf = (search: CurrentSearch | null) => search && JSON.stringify(Object.entries(filtersOf(search)).sort())

/** Shows the vehicles of these filters and asks on. The same filters go on with what is there. */
export function startLive(search: CurrentSearch): void {
  if (keyOf(search) !== keyOf(live.get().search)) {
    stopLive()
    lastId = null
    since.answered = since.arrived = serverNow()
  }
  live.set((now) => ({ ...now, search, list: reorder(now.list, orderOf(search)) }))
  if (polling) return
  polling = new AbortController()
  stopTicking = onTick(tick)
  void poll(polling.signal)
}

/** Stops asking; what is shown stays for when it goes on. */
export function pauseLive(): void {
  polling?.abort()
  polling = null
  stopTicking?.()
  stopTicking = null
}

/** Stops asking and forgets the list. */
export function stopLive(): void {
  pauseLive()
  held = false
  live.set(stopped)
}

session.subscribe(() => session.get().token === null && stopLive())

/** How long the user keeps vehicles past their checkpoint. */
export function keepFor(seconds: number): void {
  additionalSeconds = seconds
}

/** While held, newcomers wait; those who waited come when it is let go. */
export function holdLive(hold: boolean): void {
  if (held === hold) return
  held = hold
  if (!hold) showWaiting()
}

/** Brings those who wait into view. */
export const showWaiting = (): void =>
  live.set((now) => (now.search ? { ...now, list: release(now.list, serverNow(), orderOf(now.search)) } : now))

/** Tells that the list is on the screen; off it, arrivals raise the counter. Answers how to take it back. */
export function watchLive(): () => void {
  watchers += 1
  return () => {
    watchers -= 1
    if (watchers === 0) holdLive(false)
  }
}

onTags((tagged, tags) => live.set((now) => ({ ...now, list: withTags(now.list, tagged, tags) })))

function tick(now: number) {
  live.set((state) => {
    const list = advance(state.list, now, additionalSeconds)
    const silent = state.opened && now - since.arrived > SILENCE_MS
    return list === state.list && silent === state.silent ? state : { ...state, list, silent }
  })
}

async function poll(signal: AbortSignal) {
  while (!signal.aborted) {
    const began = performance.now()
    await refresh(signal).catch((error: unknown) => {
      if (!signal.aborted) fail(error)
    })
    await pause(POLL_MS - (performance.now() - began), signal)
  }
}

/** One round: is there anything new, and if so what. */
async function refresh(ending: AbortSignal) {
  const { search, opened } = live.get()
  if (!search) return
  const signal = AbortSignal.any([ending, AbortSignal.timeout(PATIENCE_MS)])
  const asked = { signal, background: true }
  const query = { ...filtersOf(search), ...(lastId !== null && { lastId }) }
  const { refresh } = opened ? await call(check, { query, ...asked }) : { refresh: true }
  if (refresh) {
    countListRequest()
    const flags = { withAxles: true, withImages: true, withShapeSamples: true, withTags: true }
    const answer = await call(list, { query: { ...query, ...orderOf(search), ...flags }, ...asked })
    if (ending.aborted) return
    lastId = answer.lastId ?? lastId
    take(answer.content)
  }
  since.answered = serverNow()
  live.set((now) => (now.error === null ? now : { ...now, error: null }))
}

function take(vehicles: Parameters<typeof merge>[1]['vehicles']) {
  const { search, opened, list } = live.get()
  if (!search) return
  const now = serverNow()
  const delivery = { vehicles, now, additionalSeconds, order: orderOf(search) }
  const merged = merge(list, delivery, { held: held && watchers > 0, opening: !opened })
  if (vehicles.length > 0) since.arrived = now
  live.set((state) => ({
    ...state,
    list: merged.list,
    opened: true,
    silent: now - since.arrived > SILENCE_MS,
    newest: vehicles.reduce<string | null>(
      (newest, { createdAt }) => (newest && newest > createdAt ? newest : createdAt),
      state.newest,
    ),
  }))
  if (merged.arrived === 0) return
  if (merged.wanted) alarm()
  else beep()
  if (watchers === 0) addNewCars(merged.arrived)
}

function fail(error: unknown) {
  const shown = error instanceof DOMException ? new Unavailable('unavailable', { cause: error }) : error
  live.set((now) => (String(now.error) === String(shown) ? now : { ...now, error: shown }))
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, Math.max(0, ms))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
