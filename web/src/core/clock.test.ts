import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const NOON = Date.parse('2026-10-20T12:00:00Z')
const header = (ms: number) => new Date(ms).toUTCString()

let clock: typeof import('./clock.ts')

beforeEach(async () => {
  vi.resetModules()
  vi.useFakeTimers({ now: NOON })
  clock = await import('./clock.ts')
})
afterEach(() => vi.useRealTimers())

test('keeps a clock that agrees with the server', () => {
  clock.syncServerTime(header(NOON), NOON - 40, NOON)

  expect(clock.serverNow()).toBe(NOON)
})

test('corrects a clock that is a minute late to within a second', () => {
  clock.syncServerTime(header(NOON + 60_000), NOON - 40, NOON)

  expect(clock.serverNow()).toBeGreaterThanOrEqual(NOON + 60_000)
  expect(clock.serverNow()).toBeLessThan(NOON + 61_040)
})

test('more responses narrow the clock offset', () => {
  clock.syncServerTime(header(NOON - 60_000), NOON - 40, NOON)
  const first = clock.serverNow()
  // Time passes within the same server second: the estimated offset must shrink by at least 700 ms.
  clock.syncServerTime(header(NOON - 59_000), NOON + 280, NOON + 300)

  expect(first).toBe(NOON - 58_960)
  expect(clock.serverNow()).toBe(NOON - 58_960)
  clock.syncServerTime(header(NOON - 60_000), NOON + 200, NOON + 220)
  expect(clock.serverNow()).toBe(NOON - 59_200)
})

test.each([[3_600_000], [-3_600_000]])("goes on evenly when the computer's clock is set by %i ms", (jump) => {
  clock.syncServerTime(header(NOON), NOON - 40, NOON)
  vi.setSystemTime(NOON + jump)
  vi.advanceTimersByTime(5_000)

  expect(clock.serverNow()).toBe(NOON + 5_000)
  expect(clock.toServerTime(NOON + jump + 4_000)).toBe(NOON + 4_000)
})

test("adapts after the server's clock was set", () => {
  clock.syncServerTime(header(NOON + 60_000), NOON - 40, NOON)
  clock.syncServerTime(header(NOON), NOON - 40, NOON)

  expect(clock.serverNow()).toBe(NOON)
})

test.each([[null], ['yesterday']])('ignores a Date header of %s', (date) => {
  clock.syncServerTime(date, NOON, NOON)

  expect(clock.serverNow()).toBe(NOON)
})

test('three hundred texts share one timer and are written only on change', () => {
  const elements = Array.from({ length: 300 }, () => {
    const writes: string[] = []
    return {
      writes,
      set textContent(text: string) {
        writes.push(text)
      },
    }
  })
  const stops = elements.map((element) =>
    clock.writeTime(element as unknown as HTMLElement, (now) => String(Math.floor((now - NOON) / 1_000))),
  )

  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(elements[299]?.writes).toEqual(['0', '1', '2'])
  for (const stop of stops) stop()
  expect(vi.getTimerCount()).toBe(0)
})

test('converts a client timestamp to server time', () => {
  clock.syncServerTime(header(NOON + 3_600_000), NOON, NOON)
  expect(clock.toServerTime(NOON)).toBe(clock.serverNow() - (Date.now() - NOON))
  expect(clock.toServerTime(NOON) - NOON).toBeGreaterThanOrEqual(3_600_000)
})
