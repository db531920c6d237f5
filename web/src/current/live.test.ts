import type { Tag, WireVehicle } from '@rogatka/contract/vehicle.ts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { entriesOf } from './liveList.ts'

const NOON = Date.parse('2026-10-20T12:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

const vehicle = (id: number) => ({
  id,
  createdAt: iso(Date.now() - 1_000),
  checkpointTime: iso(Date.now() + 120_000),
  location: { id: 7 },
  speed: 80,
  plateLpr: null,
})
const wanted = (id: number) => ({ ...vehicle(id), wanted: { typeOfList: 0 as const, description: 'stolen' } })

/** The fake server: its vehicles in commit order, and the requests. */
let vehicles: ReturnType<typeof vehicle>[]
let requests: string[]
let override: () => Response | Promise<Response> | null
/** Events of the next stream; null: there is none. */
let streamed: string | null
/** The counter in the navigation. */
let unread: number
/** Keys of the wanted vehicles that the visible list has at its top. */
let pinned: readonly string[]

/** As the tag of a vehicle is set by the user. */
let setTags: (vehicle: WireVehicle, tags: Tag[], since: number | null) => void

let live: typeof import('./live.ts')
let session: typeof import('../core/session.ts')

vi.mock('../core/arrivals.ts', () => ({
  addArrivals: (count: number) => {
    unread += count
  },
  setPinnedWanted: (keys: readonly string[]) => {
    pinned = keys
  },
}))

// Without its components.
vi.mock('../vehicle/publicApi.ts', async () => {
  const tags = await vi.importActual<{ setOwnTags: typeof setTags }>('../vehicle/ownTags.ts')
  setTags = tags.setOwnTags
  return tags
})

const json = (body: unknown, status = 200) => Response.json(body, { status })

function serve(address: string): Response | Promise<Response> {
  const url = new URL(address, 'http://portal')
  if (url.pathname.endsWith('/stream')) {
    const events = streamed
    streamed = null
    // Without a stream the list is polled.
    return events ? new Response(events, { headers: { 'content-type': 'text/event-stream' } }) : json([], 404)
  }
  requests.push(url.pathname.split('/').at(-1) ?? '')
  const response = override()
  if (response) return response
  const since = url.searchParams.get('lastId')
  const content = vehicles.slice(vehicles.findIndex(({ id }) => String(id) === since) + 1)
  if (url.pathname.endsWith('/check')) return json({ refresh: content.length > 0 })
  return json({ content, lastId: vehicles.at(-1)?.id ?? null })
}

const pinnedIds = () => pinned.map((key) => Number(key.split('@')[0]))
const shown = () => live.live.get().list.unpinned.map((slot) => ('gap' in slot ? 'gap' : slot.vehicle.id))
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ now: NOON })
  requests = []
  vehicles = [vehicle(1), vehicle(2)]
  override = () => null
  streamed = null
  unread = 0
  pinned = []
  vi.stubGlobal('location', new URL('http://portal'))
  vi.stubGlobal('fetch', async (address: string) => serve(address))
  live = await import('./live.ts')
  session = await import('../core/session.ts')
  session.startSession('token')
})

afterEach(() => {
  live.stopLive()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('fetches the list once, then checks for changes every second', async () => {
  live.startLive({ locations: [7] })
  await seconds(3.5)

  expect(requests).toEqual(['current-vehicles', 'check', 'check', 'check'])
  expect(shown()).toEqual([1, 2])
})

test('fetches only new vehicles, and only if there are any', async () => {
  live.startLive({ locations: [7] })
  await seconds(1.5)
  vehicles.push(vehicle(3))
  await seconds(2)

  expect(requests).toEqual(['current-vehicles', 'check', 'check', 'current-vehicles', 'check'])
  expect(shown()).toContain(3)
})

test('counts arrivals only while another page is open', async () => {
  live.startLive({ locations: [7] })
  const leave = live.trackListVisibility()
  await seconds(0.5)
  vehicles.push(vehicle(3))
  await seconds(1)
  expect(unread).toBe(0)

  leave()
  vehicles.push(vehicle(4), vehicle(5))
  await seconds(1)
  expect(unread).toBe(2)
  expect(shown()).toHaveLength(5)
})

test('keeps the list on errors and clears the error on the next response', async () => {
  live.startLive({ locations: [7] })
  await seconds(0.5)
  override = () => json([{ path: null, code: 'unavailable', userMessage: 'Serwer zajęty' }], 503)
  await seconds(2)
  expect(String(live.live.get().error)).toContain('Serwer zajęty')
  expect(shown()).toEqual([1, 2])

  override = () => null
  await seconds(1)
  expect(live.live.get().error).toBeNull()
})

/**
 * The counters are polled every five seconds; `lastVehicle` is the age of the station's last vehicle, matching or not.
 */
async function watchStation(forSeconds: number, secondsAgo: number) {
  for (let at = 0; at < forSeconds; at += 5) {
    live.recordCounters([{ lastVehicleTime: iso(Date.now() - secondsAgo * 1_000) }, { lastVehicleTime: null }])
    await seconds(5)
  }
}

test('reports no data after thirty seconds without a vehicle, until the next one', async () => {
  live.startLive({ locations: [7] })
  const last = Date.now() - 1_000
  for (let at = 0; at < 30; at += 5) {
    live.recordCounters([{ lastVehicleTime: iso(last) }])
    await seconds(5)
  }
  expect(live.live.get().noData).toBeNull()
  live.recordCounters([{ lastVehicleTime: iso(last) }])
  await seconds(1)
  expect(live.live.get().noData).toBe('stations')
  expect(live.lastVehicleAtStations()).toBe(last)

  vehicles.push(vehicle(3))
  await seconds(2)
  expect(live.live.get().noData).toBeNull()
})

test('filters without matches do not report missing data of the stations', async () => {
  vehicles = []
  live.startLive({ locations: [7], wrongDirection: true })
  await watchStation(35, 2)
  expect(live.live.get().noData).toBe('filters')
})

test('ignores outdated counters', async () => {
  vehicles = []
  live.startLive({ locations: [7] })
  live.recordCounters([{ lastVehicleTime: null }])
  await seconds(40)
  expect(live.live.get().noData).toBe('filters')
})

test('a known vehicle that is listed again does not count as data of the stations', async () => {
  live.startLive({ locations: [7] })
  await seconds(0.5)
  for (let at = 0; at < 7; at++) {
    live.pauseLive()
    live.startLive({ locations: [7] })
    await watchStation(5, 60)
  }
  expect(requests.filter((request) => request === 'current-vehicles').length).toBeGreaterThan(5)
  expect(live.live.get().noData).toBe('stations')
})

test('empties the list when polls are refused, and continues when they are allowed again', async () => {
  live.startLive({ locations: [7] })
  await seconds(1.5)
  override = () => json([{ path: null, code: 'forbidden', userMessage: 'Brak uprawnień' }], 403)
  await seconds(4)
  expect(shown()).toEqual([])
  expect(String(live.live.get().error)).toContain('Brak uprawnień')
  expect(requests.length).toBeLessThan(10)
  override = () => null
  await seconds(2)
  expect([shown(), live.live.get().error]).toEqual([[1, 2], null])
})

describe('own tags', () => {
  const TAG = { id: 5, private: true, type: 1, data: null, description: null } satisfies Tag
  const shownTags = () => entriesOf(live.live.get().list).map(({ vehicle: { id, tags } }) => [id, tags])
  const listed = () => json({ content: vehicles.map((it) => ({ ...it, tags: [] })), lastId: 2 })
  const set = (tags: Tag[], since: number | null) => setTags(vehicles[0] as unknown as WireVehicle, tags, since)

  test('a list that was requested before a tag was set does not undo it', async () => {
    override = () => new Promise((resolve) => setTimeout(() => resolve(listed()), 3_000))
    live.startLive({ locations: [7] })
    await seconds(1)
    set([TAG], null)
    await seconds(1)
    set([TAG], performance.now() - 1_000)
    await seconds(2)
    expect(shownTags()).toContainEqual([1, [TAG]])
    expect(shownTags()).toContainEqual([2, []])
  })

  test('a list does not undo a tag whose request runs', async () => {
    live.startLive({ locations: [7] })
    await seconds(0.5)
    set([TAG], null)
    live.pauseLive()
    override = listed
    live.startLive({ locations: [7] })
    await seconds(2)
    expect(shownTags()).toContainEqual([1, [TAG]])
    set([], performance.now() - 1_000)
    expect(shownTags()).toContainEqual([1, []])
  })

  test('a list that was requested later has the tags of all tabs', async () => {
    live.startLive({ locations: [7] })
    await seconds(0.5)
    set([TAG], performance.now() - 1_000)
    live.pauseLive()
    await seconds(1)
    override = listed
    live.startLive({ locations: [7] })
    await seconds(2)
    expect(shownTags()).toContainEqual([1, []])
  })
})

test('publishes the wanted vehicles at the top of the visible list, until their checkpoint', async () => {
  live.startLive({ locations: [7] })
  const leave = live.trackListVisibility()
  await seconds(0.5)
  vehicles.push(wanted(3), vehicle(4))
  await seconds(1)
  expect(pinnedIds()).toEqual([3])
  leave()
  expect(pinnedIds()).toEqual([])
  live.trackListVisibility()
  expect(pinnedIds()).toEqual([3])
  await seconds(120)
  expect(pinnedIds()).toEqual([])
})

test('a paused list sends no requests and resumes with the same filters', async () => {
  live.startLive({ locations: [7] })
  await seconds(0.5)
  live.pauseLive()
  await seconds(5)
  expect(requests).toEqual(['current-vehicles'])

  live.startLive({ locations: [7], orderDirection: 'asc' })
  await seconds(0.5)
  expect(requests).toEqual(['current-vehicles', 'check', 'current-vehicles'])
  expect(shown()).toHaveLength(2)
})

test('other filters start a new list', async () => {
  live.startLive({ locations: [7] })
  await seconds(0.5)
  live.startLive({ locations: [7], overspeed: true })
  expect(shown()).toEqual([])
  await seconds(0.5)

  expect(requests).toEqual(['current-vehicles', 'current-vehicles'])
})

test('the end of the session stops polling and empties the list', async () => {
  live.startLive({ locations: [7] })
  await seconds(0.5)
  session.endSession(null)
  await seconds(5)

  expect(requests).toEqual(['current-vehicles'])
  expect(live.live.get().search).toBeNull()
  expect(shown()).toEqual([])
})

test('shows pending arrivals when the pause ends', async () => {
  live.startLive({ locations: [7] })
  live.trackListVisibility()
  await seconds(0.5)
  live.pauseArrivals(true)
  vehicles.push(vehicle(3))
  await seconds(1)
  expect(shown()).toEqual([1, 2])

  live.pauseArrivals(false)
  expect(shown()).toContain(3)
})

test('a list by plate asks once for its purpose, continues when it is given, and shows later that it ended', async () => {
  const purpose = await import('../core/purpose.ts')
  const asked = () => purpose.callsWithoutPurpose.get().map(({ about }) => about)
  const missing = { path: null, code: 'purpose-missing', userMessage: 'Podaj cel.' }
  override = () => json([missing], 422)
  live.startLive({ plateLpr: 'WX1*' })
  await seconds(4)
  expect(asked()).toEqual(['WX1*'])
  purpose.answerPurpose(false)
  await seconds(3)
  expect(asked()).toEqual([])
  expect(purpose.lacksPurpose(live.live.get().error)).toBe(true)

  void live.askPurposeOf({ plateLpr: 'WX1*' })
  expect(asked()).toEqual(['WX1*'])
  override = () => null
  purpose.answerPurpose(true)
  await seconds(2)
  expect(live.live.get()).toMatchObject({ opened: true, error: null })
  override = () => json([missing], 422)
  await seconds(3)
  expect(asked()).toEqual([])
  expect(purpose.lacksPurpose(live.live.get().error)).toBe(true)
  // Other filters are another question, which ends with them.
  live.startLive({ plateLpr: 'GD1*' })
  await seconds(3)
  expect(asked()).toEqual(['GD1*'])
  live.stopLive()
  expect(asked()).toEqual([])
})

test('a streamed list by plate shows that its purpose has ended, and does not ask for another', async () => {
  const purpose = await import('../core/purpose.ts')
  const missing = { path: null, code: 'purpose-missing', userMessage: 'Podaj cel.' }
  override = () =>
    requests.at(-1) === 'searches' ? json({ searchId: 'saved', expiresAt: iso(NOON) }) : json([missing], 422)
  const list = JSON.stringify({ content: vehicles, lastId: 2 })
  streamed = `event: list\nid: a\ndata: ${list}\n\nevent: end\ndata: {"reason":"session-changed"}\n\n`
  live.startLive({ plateLpr: 'WX1*' })
  await seconds(5)
  expect(streamed).toBeNull()
  expect(purpose.callsWithoutPurpose.get()).toEqual([])
  expect(purpose.lacksPurpose(live.live.get().error)).toBe(true)
  expect(shown()).toEqual([])
})

test('shows the first list at once, also while the pointer is over it', async () => {
  live.startLive({})
  live.trackListVisibility()
  live.pauseArrivals(true)
  await seconds(3)
  expect(shown()).toHaveLength(2)
  vehicles.push(vehicle(3))
  await seconds(2)
  expect(shown()).toHaveLength(2)
})
