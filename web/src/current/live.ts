import { check, list } from '@rogatka/contract/current.ts'
import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { addArrivals, addUnseenWanted, keepUnseenWanted, setWantedOnWay, unseenWanted } from '../core/arrivals.ts'
import { call } from '../core/call.ts'
import { onTick, serverNow } from '../core/clock.ts'
import { Unavailable } from '../core/failure.ts'
import { countListRequest } from '../core/listRequests.ts'
import { session } from '../core/session.ts'
import { createStore } from '../core/store.ts'
import { onTags } from '../vehicle/publicApi.ts'
import { notifyArrivals } from './beep.ts'
import {
  advanceTo,
  emptyList,
  type LiveList,
  mergeDelivery,
  pinnedOf,
  reorder,
  settle,
  showPending,
  withTags,
} from './liveList.ts'
import { type CurrentSearch, filtersOf, orderOf } from './search.ts'

/*
 * The live session: outside React, because it goes on while the operator reads another page. Started by step 3;
 * step 2 pauses it, step 1 and the end of the session stop it.
 */

const POLL_MS = 1_000
const NO_DATA_MS = 30_000
/** A request that hangs longer counts as lost, so that the next one can be asked. */
const TIMEOUT_MS = 15_000
/** Older counters say nothing about the stations now. */
const COUNTERS_TTL_MS = 15_000

export type Live = {
  /** The address that the list was started with; null: stopped. */
  search: CurrentSearch | null
  list: LiveList
  /** Whether the first list has come. */
  opened: boolean
  /** Why the last request failed; null while the server answers. */
  error: unknown
  /** For over 30 s no vehicle came: from the stations at all, or none that matches the filters. */
  silence: 'stations' | 'filters' | null
  /** Vehicles that came since the list was opened, shown or pending. */
  arrived: number
  /** The wanted vehicles that came last, each time another array. */
  hits: readonly WireVehicle[]
}

const stopped: Live = {
  search: null,
  list: emptyList,
  opened: false,
  error: null,
  silence: null,
  arrived: 0,
  hits: [],
}

export const live = createStore<Live>(stopped)

/** What changes with every answer and is shown only by the clock. */
const since = { started: 0, answered: 0, arrived: 0 }
/** What the counters said of the chosen stations: when the last vehicle passed one of them, and when they said so. */
let stations: { lastVehicle: number | null; at: number } | null = null
let lastId: number | null = null
let additionalSeconds = 0
let isPaused = false
let watchers = 0
let polling: AbortController | null = null
let stopTicking: (() => void) | null = null

/** When the server last answered and a matching vehicle last came, in ms by its clock. */
export const lastAnswered = (): number => since.answered
export const lastArrived = (): number => since.arrived
/** When the last vehicle passed one of the chosen stations, matching or not; null: never. */
export const lastAtStations = (): number | null => stations?.lastVehicle ?? null
/** Since when the stations have been silent, as far as this list knows. */
export const stationsSilentSince = (): number => lastAtStations() ?? since.started

/** Takes in what the counters say of the chosen stations. */
export function recordCounters(counters: readonly { lastVehicleTime: string | null }[]): void {
  const times = counters.flatMap(({ lastVehicleTime }) => (lastVehicleTime ? [Date.parse(lastVehicleTime)] : []))
  stations = { lastVehicle: times.length > 0 ? Math.max(...times) : null, at: serverNow() }
}

/** That filters let nothing through is no silence of the stations: those are judged by all their vehicles. */
function silenceAt(now: number): Live['silence'] {
  if (now - since.arrived <= NO_DATA_MS) return null
  if (!stations || now - stations.at > COUNTERS_TTL_MS) return 'filters'
  return now - Math.max(stationsSilentSince(), since.started) > NO_DATA_MS ? 'stations' : 'filters'
}

const keyOf = (search: CurrentSearch | null) => search && JSON.stringify(Object.entries(filtersOf(search)).sort())

/** Shows the vehicles of these filters and asks on. The same filters go on with what is there. */
export function startLive(search: CurrentSearch): void {
  if (keyOf(search) !== keyOf(live.get().search)) {
    stopLive()
    lastId = null
    stations = null
    since.started = since.answered = since.arrived = serverNow()
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
  isPaused = false
  live.set(stopped)
  keepUnseenWanted(() => false)
}

session.subscribe(() => session.get().token === null && stopLive())

/** How long the user keeps vehicles past their checkpoint. */
export function setAdditionalTime(seconds: number): void {
  additionalSeconds = seconds
}

/** While held, newcomers wait; those who waited come when it is let go. */
export function pauseArrivals(hold: boolean): void {
  if (isPaused === hold) return
  isPaused = hold
  if (!hold) flushArrivals()
}

/** Brings those who wait into view. */
export const flushArrivals = (): void =>
  live.set((now) => {
    const list = now.search ? showPending(now.list, serverNow(), orderOf(now.search)) : now.list
    return list === now.list ? now : { ...now, list }
  })

/**
 * Tells that the list is on the screen; off it, arrivals raise the counter and wanted vehicles are announced. Answers
 * how to take it back.
 */
export function trackListVisibility(): () => void {
  watchers += 1
  const look = () => {
    if (!isUnwatched()) keepUnseenWanted(() => false)
  }
  look()
  document.addEventListener('visibilitychange', look)
  return () => {
    document.removeEventListener('visibilitychange', look)
    watchers -= 1
    if (watchers === 0) pauseArrivals(false)
  }
}

/** Whether nobody can see the list now: another page is open, or another tab. */
const isUnwatched = () => watchers === 0 || document.hidden

/** Wanted vehicles on their way that nobody here has seen yet, the soonest first. */
export function unseenHits({ list }: Live, unseen: readonly number[]): WireVehicle[] {
  const hits = pinnedOf(list).filter(({ vehicle }) => unseen.includes(vehicle.id))
  return hits.map(({ vehicle }) => vehicle)
}

live.subscribe(() => setWantedOnWay(pinnedOf(live.get().list).length))

onTags((tagged, tags) => live.set((now) => ({ ...now, list: withTags(now.list, tagged, tags) })))

const areArrivalsPaused = () => isPaused && watchers > 0

function tick(now: number) {
  live.set((state) => {
    const later = advanceTo(state.list, now, additionalSeconds)
    const list = areArrivalsPaused() || !state.search ? later : settle(later, orderOf(state.search))
    const silence = state.opened ? silenceAt(now) : null
    return list === state.list && silence === state.silence ? state : { ...state, list, silence }
  })
  const unseen = unseenWanted()
  if (unseen.length === 0) return
  const left = new Set(unseenHits(live.get(), unseen).map(({ id }) => id))
  keepUnseenWanted((id) => left.has(id))
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
  const signal = AbortSignal.any([ending, AbortSignal.timeout(TIMEOUT_MS)])
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

function take(vehicles: readonly WireVehicle[]) {
  const { search, opened, list } = live.get()
  if (!search) return
  const now = serverNow()
  const delivery = { vehicles, now, additionalSeconds, order: orderOf(search) }
  const merged = mergeDelivery(list, delivery, { paused: areArrivalsPaused(), opening: !opened })
  if (vehicles.length > 0) since.arrived = now
  const { arrived, violating, wanted } = merged
  live.set((state) => ({
    ...state,
    list: merged.list,
    opened: true,
    silence: silenceAt(now),
    arrived: state.arrived + arrived,
    hits: wanted.length > 0 ? wanted : state.hits,
  }))
  notifyArrivals({ arrived, violating, wanted: wanted.length })
  if (isUnwatched()) addUnseenWanted(wanted.map(({ id }) => id))
  if (watchers === 0) addArrivals(arrived)
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
