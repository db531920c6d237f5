import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { vehicleKey } from '../core/passage.ts'
import { createWindow, type WindowState } from './window.ts'

const START = Date.UTC(2026, 9, 20, 8)
const at = (seconds: number) => new Date(START + seconds * 1000)

/** A vehicle with these times of measurement, receipt and checkpoint, in seconds. */
const receipt = (id: number, { received = 0, checkpoint = 200, created = 0, speed = 90 } = {}) => ({
  vehicle: {
    id,
    createdAt: at(created),
    checkpointTime: at(checkpoint),
    location: { id: 7 },
    speed,
  } as Vehicle,
  receivedAt: at(received),
})
const ids = (vehicles: Iterable<Vehicle>) => [...vehicles].map(({ id }) => id).sort()

test('returns vehicles that became visible after the given one, whatever their id or time', () => {
  const window = createWindow()
  window.append(receipt(5, { created: 5 }))
  window.append(receipt(2, { created: 2 }))
  window.append(receipt(9, { created: 1 }))
  expect(ids(window.since(5, at(6)))).toEqual([2, 9])
  expect(ids(window.since(2, at(6)))).toEqual([9])
  expect(ids(window.since(9, at(6)))).toEqual([])
  expect(window.lastId(at(6))).toBe(9)
})

test('returns the whole window without an id or after an unknown one', () => {
  const window = createWindow()
  window.append(receipt(1))
  window.append(receipt(2))
  expect(ids(window.since(undefined, at(1)))).toEqual([1, 2])
  expect(ids(window.since(77, at(1)))).toEqual([1, 2])
})

test('omits expired vehicles, and lastId falls back to the newest remaining one', () => {
  const window = createWindow()
  window.append(receipt(1, { checkpoint: 300 }))
  window.append(receipt(2, { checkpoint: 100 }))
  expect(window.lastId(at(699))).toBe(2)
  expect(ids(window.since(undefined, at(700)))).toEqual([1])
  expect(window.lastId(at(700))).toBe(1)
  window.expire(at(700))
  expect(window.size()).toBe(1)
  expect(ids(window.since(2, at(700)))).toEqual([1])
  expect(window.lastId(at(900))).toBeNull()
})

test('a changed vehicle expires by its new checkpoint time', () => {
  const window = createWindow()
  window.append(receipt(1, { checkpoint: 100 }))
  window.change(receipt(1, { checkpoint: 300 }), at(10))
  expect(ids(window.since(undefined, at(899)))).toEqual([1])
  expect(ids(window.since(undefined, at(900)))).toEqual([])
})

test('a changed vehicle keeps its position and is returned to everyone for three seconds', () => {
  const window = createWindow()
  window.append(receipt(1))
  window.append(receipt(2))
  window.change(receipt(1, { speed: 91 }), at(10))
  expect([...window.since(2, at(10))].map(({ id, speed }) => [id, speed])).toEqual([[1, 91]])
  expect(ids(window.since(1, at(12.9)))).toEqual([1, 2])
  expect(ids(window.since(2, at(13)))).toEqual([])
  expect(ids(window.since(1, at(13)))).toEqual([2])
  expect(window.lastId(at(13))).toBe(2)
})

test('expire prunes unpolled changes, which are kept once per vehicle', () => {
  const window = createWindow()
  for (let id = 1; id <= 100; id++) window.append(receipt(id))
  for (let second = 1; second <= 10; second++)
    for (let id = 1; id <= 100; id++) window.change(receipt(id, { speed: second }), at(second))
  expect(window.changedSize()).toBe(100)
  window.expire(at(12.9))
  expect(window.changedSize()).toBe(100)
  window.expire(at(13))
  expect(window.changedSize()).toBe(0)
  expect(window.size()).toBe(100)
})

test('keeps changes and removals for streams for a minute, once per vehicle', () => {
  const window = createWindow()
  for (let id = 1; id <= 100; id++) window.append(receipt(id, { checkpoint: id <= 50 ? -590 : 200 }))
  for (let second = 1; second <= 5; second++)
    for (let id = 1; id <= 100; id++) window.change(receipt(id, { checkpoint: id <= 50 ? -590 : 200 }), at(second))
  expect(window.keptSize()).toBe(100)
  // Half of them leave their checkpoint ten minutes behind.
  window.expire(at(10))
  expect([window.size(), window.keptSize()]).toEqual([50, 100])
  window.expire(at(64.9))
  expect(window.keptSize()).toBe(100)
  window.expire(at(65))
  expect(window.keptSize()).toBe(50)
  window.expire(at(70))
  expect(window.keptSize()).toBe(0)
})

test('drops a change when the clock is set back', () => {
  const window = createWindow()
  window.append(receipt(1))
  window.change(receipt(1), at(3_600))
  window.expire(at(10))
  expect(window.changedSize()).toBe(0)
})

test('a replacement window continues the positions of the old one', () => {
  const first = createWindow()
  first.append(receipt(1))
  const next = createWindow(first.end())
  next.load([receipt(2)], [], at(0))
  expect(ids(next.since(undefined, at(1), { afterPosition: first.end() }))).toEqual([2])
})

test('returns a vehicle once, also if it is both new and changed', () => {
  const window = createWindow()
  window.append(receipt(1))
  window.append(receipt(2))
  window.change(receipt(2), at(1))
  expect(ids(window.since(1, at(1)))).toEqual([2])
  expect(ids(window.since(undefined, at(1)))).toEqual([1, 2])
})

test('ignores a change of a vehicle outside the window', () => {
  const window = createWindow()
  window.change(receipt(1), at(1))
  expect(ids(window.since(undefined, at(1)))).toEqual([])
})

test('loaded vehicles received within 130 s before the given one, as long as transactions may last, are returned again', () => {
  const window = createWindow()
  window.load([receipt(3, { received: 141 }), receipt(1, { received: 10 }), receipt(2, { received: 140 })], [], at(0))
  expect(ids(window.since(2, at(50)))).toEqual([3])
  expect(ids(window.since(3, at(50)))).toEqual([2])
  window.load([receipt(3, { received: 141 }), receipt(1, { received: 12 }), receipt(2, { received: 140 })], [], at(0))
  expect(ids(window.since(3, at(50)))).toEqual([1, 2])
})

test('appended vehicles follow all loaded ones', () => {
  const window = createWindow()
  window.load([receipt(1, { received: 10 }), receipt(2, { received: 11 })], [], at(0))
  window.append(receipt(3, { received: 9 }))
  expect(ids(window.since(1, at(50)))).toEqual([2, 3])
  expect(ids(window.since(3, at(50)))).toEqual([])
  expect(window.lastId(at(50))).toBe(3)
})

test('a vehicle both loaded and appended is returned once, at its appended position', () => {
  const window = createWindow()
  window.load([receipt(1, { received: 10 }), receipt(2, { received: 11 })], [], at(0))
  window.append(receipt(2, { received: 11 }))
  window.append(receipt(1, { received: 10 }))
  expect(ids(window.since(undefined, at(50)))).toEqual([1, 2])
  expect(ids(window.since(2, at(50)))).toEqual([1])
  expect(ids(window.since(1, at(50)))).toEqual([])
})

test('a vehicle both loaded and appended is new to a stream only if it resumed from an earlier vehicle', () => {
  const window = createWindow()
  window.load([receipt(1, { received: 10 }), receipt(2, { received: 11 })], [], at(0))
  const loaded = window.state()
  window.append(receipt(1, { received: 10 }))
  window.append(receipt(2, { received: 11 }))
  window.append(receipt(3, { received: 12 }))
  const added = (state: WindowState | undefined) => state && ids(window.deltaSince(state).added.map((it) => it.vehicle))
  expect(added(loaded)).toEqual([3])
  expect(added(window.stateAfter(vehicleKey(receipt(1).vehicle), at(20), at(20)))).toEqual([2, 3])
  expect(window.stateAfter(vehicleKey(receipt(1).vehicle), at(5), at(5))).toBeUndefined()
})

test('two vehicles with one id are kept apart, and the id refers to the newest', () => {
  const window = createWindow()
  window.append(receipt(1, { created: 0, speed: 50 }))
  window.append(receipt(2))
  window.append(receipt(1, { created: 60, speed: 60 }))
  expect(window.size()).toBe(3)
  expect(window.find({ id: 1, locationId: 7 }, at(61))?.speed).toBe(60)
  expect(window.find({ id: 1, locationId: 7, createdAt: at(0) }, at(61))?.speed).toBe(50)
  expect(window.find({ id: 1, locationId: 8 }, at(61))).toBeUndefined()
  expect(ids(window.since(1, at(61)))).toEqual([])
})

test('the last vehicle time of a station never decreases', () => {
  const window = createWindow()
  window.load([], [{ locationId: 7, lastVehicleTime: at(100) }], at(0))
  window.recordTime(7, at(50))
  window.recordTime(8, at(60))
  expect(window.lastTimes()).toEqual(
    new Map([
      [7, at(100)],
      [8, at(60)],
    ]),
  )
})

test('holds no more after a day than after an hour, without a poll or a stream', () => {
  const window = createWindow()
  const size: number[] = []
  // A vehicle every 5 s, the interval of expiry; half of them change 5 s later, as by an image.
  for (let second = 5; second <= 24 * 3_600; second += 5) {
    window.append(receipt(second, { received: second, created: second, checkpoint: second + 200 }))
    window.recordTime(7, at(second))
    const earlier = { received: second - 5, created: second - 5, checkpoint: second + 195 }
    if (second % 10 === 0) window.change(receipt(second - 5, earlier), at(second))
    window.expire(at(second))
    if (second % 3_600 === 0) size.push(window.memorySize())
  }
  expect(size[0]).toBeGreaterThan(3 * 160)
  expect(new Set(size).size).toBe(1)
  window.expire(at(26 * 3_600))
  expect(window.size()).toBe(0)
  window.expire(at(27 * 3_600))
  // The last time of the station.
  expect(window.memorySize()).toBe(1)
})
