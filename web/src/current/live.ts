import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { addArrivals, setPinnedWanted } from '../core/arrivals.ts'
import { onTick, serverNow } from '../core/clock.ts'
import { ServerUnavailable } from '../core/failure.ts'
import { askPurpose, lacksPurpose } from '../core/purpose.ts'
import { session } from '../core/session.ts'
import { createStore } from '../core/store.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { onTags, withOwnTags } from '../vehicle/publicApi.ts'
import { notifyArrivals } from './beep.ts'
import { type Counter, type FeedPosition, follow } from './feed.ts'
import {
  advanceTo,
  emptyList,
  isGap,
  type LiveList,
  mergeDelivery,
  reorder,
  settle,
  showPending,
  withTags,
} from './liveList.ts'
import { type CurrentSearch, filtersOf, orderOf } from './search.ts'

/*
 * State of the live list, outside React, because it continues while another page is open. Step 3 starts it, step 2
 * pauses it, step 1 and the end of the session stop it.
 */

const NO_DATA_MS = 30_000
/** Older counters are ignored: they are polled every 5 s, a stream sends something every 15 s. */
const COUNTERS_TTL_MS = 25_000

export type LiveState = {
  /** The search that the list was started with; null: stopped. */
  search: CurrentSearch | null
  list: LiveList
  /** Whether the first response has arrived. */
  opened: boolean
  /** Why the last request failed; null if it succeeded. */
  error: unknown
  /** No vehicle for over 30 s: none from the stations at all, or none that matches the filters. */
  noData: 'stations' | 'filters' | null
  /** Vehicles that arrived since the list was opened, shown or pending. */
  arrived: number
}

const stopped: LiveState = {
  search: null,
  list: emptyList,
  opened: false,
  error: null,
  noData: null,
  arrived: 0,
}

export const live = createStore<LiveState>(stopped)

/** Counters of the selected stations by the stream; null: to be polled; undefined: not known yet. */
export const streamedCounters = createStore<readonly Counter[] | null | undefined>(undefined)

/** Times that change with every response; displayed only by the clock, so outside the store. */
const since = { started: 0, answered: 0, arrived: 0 }
/** Last vehicle of the selected stations by the counters, and the time of that response. */
let stations: { lastVehicle: number | null; at: number } | null = null
let position = startPosition()
let additionalSeconds = 0
let isPaused = false
/** Whether the user was asked, after the list was opened, why they look for its plate. */
let isPurposeAsked = false
let viewers = 0
let following: AbortController | null = null
let stopTicking: (() => void) | null = null

function startPosition(): FeedPosition {
  return { lastEventId: null, opened: false }
}

/** Server times of the last response and of the last matching vehicle, ms. */
export const lastResponseAt = (): number => since.answered
export const lastArrivalAt = (): number => since.arrived
/** Time of the last vehicle at the selected stations, matching or not; null: never. */
export const lastVehicleAtStations = (): number | null => stations?.lastVehicle ?? null
/** Time since when the stations have sent no data, as far as known. */
export const noDataSince = (): number => lastVehicleAtStations() ?? since.started

/** Records a response of the counters. */
export function recordCounters(counters: readonly { lastVehicleTime: string | null }[]): void {
  const times = counters.flatMap(({ lastVehicleTime }) => (lastVehicleTime ? [Date.parse(lastVehicleTime)] : []))
  stations = { lastVehicle: times.length > 0 ? Math.max(...times) : null, at: serverNow() }
}

/** Stations are evaluated by all their vehicles, so that narrow filters are not reported as missing data. */
function noDataAt(now: number): LiveState['noData'] {
  if (now - since.arrived <= NO_DATA_MS) return null
  if (!stations || now - stations.at > COUNTERS_TTL_MS) return 'filters'
  return now - Math.max(noDataSince(), since.started) > NO_DATA_MS ? 'stations' : 'filters'
}

const keyOf = (search: CurrentSearch | null) => search && JSON.stringify(Object.entries(filtersOf(search)).sort())

/** Follows the vehicles that match; equal filters keep the current list. */
export function startLive(search: CurrentSearch): void {
  if (keyOf(search) !== keyOf(live.get().search)) {
    stopLive()
    position = startPosition()
    stations = null
    isPurposeAsked = false
    since.started = since.answered = since.arrived = serverNow()
  }
  live.set((now) => ({ ...now, search, list: reorder(now.list, orderOf(search)) }))
  if (following) return
  following = new AbortController()
  stopTicking = onTick(tick)
  const { signal } = following
  // A response that arrives after the end is ignored.
  const unlessStopped =
    <A extends unknown[]>(handle: (...values: A) => void) =>
    (...values: A) => {
      if (!signal.aborted) handle(...values)
    }
  const handlers = {
    onVehicles: unlessStopped(applyVehicles),
    onCounters: unlessStopped(applyCounters),
    onSessionChanged: unlessStopped(restart),
    onResponse: unlessStopped(recordLiveResponse),
    onFailure: unlessStopped(applyFailure),
  }
  void follow(() => live.get().search ?? search, position, handlers, signal)
}

/** Stops following, keeps the list. */
export function pauseLive(): void {
  following?.abort()
  following = null
  streamedCounters.set(undefined)
  stopTicking?.()
  stopTicking = null
}

/** Stops following and clears the list. */
export function stopLive(): void {
  pauseLive()
  isPaused = false
  live.set(stopped)
}

session.subscribe(() => {
  if (session.get().token === null) stopLive()
})

/** Sets how long the user keeps vehicles after their checkpoint. */
export function setAdditionalTime(seconds: number): void {
  additionalSeconds = seconds
}

/** Pauses or resumes arrivals; resuming shows the pending ones. */
export function pauseArrivals(paused: boolean): void {
  if (isPaused === paused) return
  isPaused = paused
  if (!paused) flushArrivals()
}

/** Shows the pending arrivals. */
export const flushArrivals = (): void =>
  live.set((now) => {
    const list = now.search ? showPending(now.list, serverNow(), orderOf(now.search)) : now.list
    return list === now.list ? now : { ...now, list }
  })

/** Marks the list as visible; otherwise arrivals raise the counter. Returns the function that undoes it. */
export function trackListVisibility(): () => void {
  viewers += 1
  updatePinned()
  return () => {
    viewers -= 1
    updatePinned()
    if (viewers === 0) pauseArrivals(false)
  }
}

/** Publishes to other parts of the page which wanted vehicles the list shows at its top. */
const updatePinned = () => {
  const { pinned } = live.get().list
  setPinnedWanted(viewers === 0 ? [] : pinned.flatMap((slot) => (isGap(slot) ? [] : [vehicleKey(slot.vehicle)])))
}
live.subscribe(updatePinned)

onTags((tagged, tags) => live.set((now) => ({ ...now, list: withTags(now.list, tagged, tags) })))

const areArrivalsPaused = () => isPaused && viewers > 0

function tick(now: number) {
  live.set((state) => {
    const later = advanceTo(state.list, now, additionalSeconds)
    const list = areArrivalsPaused() || !state.search ? later : settle(later, orderOf(state.search))
    const noData = state.opened ? noDataAt(now) : null
    return list === state.list && noData === state.noData ? state : { ...state, list, noData }
  })
}

function applyVehicles(sent: readonly WireVehicle[], requestedAt: number) {
  const { search, opened, list } = live.get()
  if (!search) return
  const now = serverNow()
  const vehicles = sent.map((vehicle) => withOwnTags(vehicle, requestedAt))
  const delivery = { vehicles, now, additionalSeconds, order: orderOf(search) }
  // The first list is shown whatever the pointer is over, as after a dialog.
  const merged = mergeDelivery(list, delivery, { paused: opened && areArrivalsPaused(), opening: !opened })
  // Not those that are delivered again.
  if (merged.list.seen !== list.seen) since.arrived = now
  const { arrived, violating, wanted } = merged
  live.set((state) => ({
    ...state,
    list: merged.list,
    opened: true,
    noData: noDataAt(now),
    arrived: state.arrived + arrived,
  }))
  notifyArrivals({ arrived, violating, wanted: wanted.length })
  if (viewers === 0) addArrivals(arrived)
}

/** Starts again with an empty list. */
function restart() {
  const { search, opened } = live.get()
  const wasAsked = opened || isPurposeAsked
  stopLive()
  if (!search) return
  startLive(search)
  isPurposeAsked = wasAsked
}

function applyCounters(counters: readonly Counter[] | null) {
  if (counters) recordCounters(counters)
  streamedCounters.set(counters)
}

function recordLiveResponse() {
  since.answered = serverNow()
  // A stream sends counters only when they change.
  if (stations && streamedCounters.get()) stations.at = since.answered
  live.set((now) => (now.error === null ? now : { ...now, error: null }))
}

function applyFailure(error: unknown) {
  const displayed = error instanceof DOMException ? new ServerUnavailable('unavailable', { cause: error }) : error
  live.set((now) => (String(now.error) === String(displayed) ? now : { ...now, error: displayed }))
  const { opened, search } = live.get()
  // Later, for example when the purpose has ended, the list shows it: a poll must not open a dialog unexpectedly.
  if (opened || isPurposeAsked || !search || !lacksPurpose(error)) return
  isPurposeAsked = true
  void askPurposeOf(search)
}

/** Asks why the user looks for the plate of the list, which then continues by itself. */
export const askPurposeOf = ({ plateLpr }: CurrentSearch): Promise<boolean> =>
  askPurpose(plateLpr ?? null, following?.signal)
