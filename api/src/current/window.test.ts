import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { createWindow } from './window.ts'

const START = Date.UTC(2026, 9, 20, 8)
const at = (seconds: number) => new Date(START + seconds * 1000)

/** A vehicle measured, received and to reach its checkpoint at these seconds. */
const passage = (id: number, { received = 0, checkpoint = 200, created = 0, speed = 90 } = {}) => ({
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

test('after a vehicle comes everything that became visible later, whatever its id or time', () => {
  const window = createWindow()
  window.append(passage(5, { created: 5 }))
  window.append(passage(2, { created: 2 }))
  window.append(passage(9, { created: 1 }))
  expect(ids(window.since(5, at(6)))).toEqual([2, 9])
  expect(ids(window.since(2, at(6)))).toEqual([9])
  expect(ids(window.since(9, at(6)))).toEqual([])
  expect(window.lastId(at(6))).toBe(9)
})

test('without an id, or after one that is not known, comes the whole window', () => {
  const window = createWindow()
  window.append(passage(1))
  window.append(passage(2))
  expect(ids(window.since(undefined, at(1)))).toEqual([1, 2])
  expect(ids(window.since(77, at(1)))).toEqual([1, 2])
})

test('what has left is told no more, and the newest that is left takes its place', () => {
  const window = createWindow()
  window.append(passage(1, { checkpoint: 300 }))
  window.append(passage(2, { checkpoint: 100 }))
  expect(window.lastId(at(699))).toBe(2)
  expect(ids(window.since(undefined, at(700)))).toEqual([1])
  expect(window.lastId(at(700))).toBe(1)
  window.expire(at(700))
  expect(window.size()).toBe(1)
  expect(ids(window.since(2, at(700)))).toEqual([1])
  expect(window.lastId(at(900))).toBeNull()
})

test('a vehicle that changed leaves by the checkpoint that it has now', () => {
  const window = createWindow()
  window.append(passage(1, { checkpoint: 100 }))
  window.change(passage(1, { checkpoint: 300 }), at(10))
  expect(ids(window.since(undefined, at(899)))).toEqual([1])
  expect(ids(window.since(undefined, at(900)))).toEqual([])
})

test('a vehicle that changed keeps its place and is told to everybody for three seconds', () => {
  const window = createWindow()
  window.append(passage(1))
  window.append(passage(2))
  window.change(passage(1, { speed: 91 }), at(10))
  expect([...window.since(2, at(10))].map(({ id, speed }) => [id, speed])).toEqual([[1, 91]])
  expect(ids(window.since(1, at(12.9)))).toEqual([1, 2])
  expect(ids(window.since(2, at(13)))).toEqual([])
  expect(ids(window.since(1, at(13)))).toEqual([2])
  expect(window.lastId(at(13))).toBe(2)
})

test('changes that nobody polls for are pruned by expire, each vehicle counting once', () => {
  const window = createWindow()
  for (let id = 1; id <= 100; id++) window.append(passage(id))
  for (let second = 1; second <= 10; second++)
    for (let id = 1; id <= 100; id++) window.change(passage(id, { speed: second }), at(second))
  expect(window.changedSize()).toBe(100)
  window.expire(at(12.9))
  expect(window.changedSize()).toBe(100)
  window.expire(at(13))
  expect(window.changedSize()).toBe(0)
  expect(window.size()).toBe(100)
})

test('a change is not kept when the clock is set back', () => {
  const window = createWindow()
  window.append(passage(1))
  window.change(passage(1), at(3_600))
  window.expire(at(10))
  expect(window.changedSize()).toBe(0)
})

test('a window that replaces another continues its places', () => {
  const first = createWindow()
  first.append(passage(1))
  const next = createWindow(first.end())
  next.load([passage(2)], [])
  expect(ids(next.since(undefined, at(1), first.end()))).toEqual([2])
})

test('a vehicle is told once, also when it is new and has changed', () => {
  const window = createWindow()
  window.append(passage(1))
  window.append(passage(2))
  window.change(passage(2), at(1))
  expect(ids(window.since(1, at(1)))).toEqual([2])
  expect(ids(window.since(undefined, at(1)))).toEqual([1, 2])
})

test('a change of a vehicle that is not here is nobody’s concern', () => {
  const window = createWindow()
  window.change(passage(1), at(1))
  expect(ids(window.since(undefined, at(1)))).toEqual([])
})

test('of loaded vehicles those received half a minute before may still be new', () => {
  const window = createWindow()
  window.load([passage(3, { received: 41 }), passage(1, { received: 10 }), passage(2, { received: 40 })], [])
  expect(ids(window.since(2, at(50)))).toEqual([3])
  expect(ids(window.since(3, at(50)))).toEqual([2])
  window.load([passage(3, { received: 41 }), passage(1, { received: 12 }), passage(2, { received: 40 })], [])
  expect(ids(window.since(3, at(50)))).toEqual([1, 2])
})

test('after a load, what is heard of comes later than all that was loaded', () => {
  const window = createWindow()
  window.load([passage(1, { received: 10 }), passage(2, { received: 11 })], [])
  window.append(passage(3, { received: 9 }))
  expect(ids(window.since(1, at(50)))).toEqual([2, 3])
  expect(ids(window.since(3, at(50)))).toEqual([])
  expect(window.lastId(at(50))).toBe(3)
})

test('a vehicle that was loaded and is heard of too is there once, in its true place', () => {
  const window = createWindow()
  window.load([passage(1, { received: 10 }), passage(2, { received: 11 })], [])
  window.append(passage(2, { received: 11 }))
  window.append(passage(1, { received: 10 }))
  expect(ids(window.since(undefined, at(50)))).toEqual([1, 2])
  expect(ids(window.since(2, at(50)))).toEqual([1])
  expect(ids(window.since(1, at(50)))).toEqual([])
})

test('two passages under one number are two vehicles, and the number means the newest', () => {
  const window = createWindow()
  window.append(passage(1, { created: 0, speed: 50 }))
  window.append(passage(2))
  window.append(passage(1, { created: 60, speed: 60 }))
  expect(window.size()).toBe(3)
  expect(window.find({ id: 1, locationId: 7 }, at(61))?.speed).toBe(60)
  expect(window.find({ id: 1, locationId: 7, createdAt: at(0) }, at(61))?.speed).toBe(50)
  expect(window.find({ id: 1, locationId: 8 }, at(61))).toBeUndefined()
  expect(ids(window.since(1, at(61)))).toEqual([])
})

test('a station’s last time only grows', () => {
  const window = createWindow()
  window.load([], [{ locationId: 7, lastVehicleTime: at(100) }])
  window.noteTime(7, at(50))
  window.noteTime(8, at(60))
  expect(window.lastTimes()).toEqual(
    new Map([
      [7, at(100)],
      [8, at(60)],
    ]),
  )
})
