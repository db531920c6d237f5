import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WallVehicles } from './useWallVehicles.ts'

const NOON = Date.parse('2026-10-20T12:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** Detected so many seconds ago, at its checkpoint in a minute, or without one. */
const vehicle = (id: number, secondsAgo: number, hasCheckpoint = true) => ({
  id,
  createdAt: iso(NOON - secondsAgo * 1_000),
  checkpointTime: hasCheckpoint ? iso(NOON + 60_000) : null,
  location: { id: 7 },
})

let content: ReturnType<typeof vehicle>[]
let state: WallVehicles
let stop: () => void

beforeEach(() => {
  // The clock of the page starts with its modules.
  vi.resetModules()
  vi.useFakeTimers({ now: NOON })
  vi.stubGlobal('location', new URL('http://portal'))
  vi.stubGlobal('fetch', async (address: string) => {
    const { pathname } = new URL(address, 'http://portal')
    if (pathname.endsWith('/stream')) return Response.json([], { status: 404 })
    if (pathname.endsWith('/check')) return Response.json({ refresh: false })
    return Response.json({ content, lastId: content[0]?.id ?? null })
  })
  state = { vehicles: null, violating: 0, countedSince: null }
})

afterEach(() => {
  stop()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function follow() {
  const { followWall } = await import('./useWallVehicles.ts')
  stop = followWall(
    30,
    () => {},
    (update) => {
      state = update(state)
    },
  )
  await vi.advanceTimersByTimeAsync(500)
  return state.vehicles?.map(({ vehicle: { id } }) => id) ?? []
}

test('keeps the newest of more than 5,000 vehicles', async () => {
  // As the server lists them: newest first.
  content = Array.from({ length: 5_001 }, (_, at) => vehicle(10_000 - at, at / 10))
  const ids = await follow()
  expect(ids).toHaveLength(5_000)
  expect([ids[0], ids.at(-1)]).toEqual([10_000, 5_001])
})

test('vehicles that are gone take no place of others', async () => {
  const gone = Array.from({ length: 3_000 }, (_, at) => vehicle(9_000 - at, 40, false))
  const approaching = Array.from({ length: 4_000 }, (_, at) => vehicle(5_000 - at, 50 + at / 100))
  content = [...gone, ...approaching]
  const ids = await follow()
  expect(ids).toHaveLength(4_000)
  expect([ids[0], ids.at(-1)]).toEqual([5_000, 1_001])
})
