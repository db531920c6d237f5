import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import {
  advanceTo,
  emptyList,
  entriesOf,
  isGap,
  type LiveList,
  mergeDelivery,
  reorder,
  type SortOrder,
  settle,
  showPending,
  withTags,
} from './liveList.ts'

const START = Date.parse('2026-10-20T06:00:00Z')
const NEWEST: SortOrder = { orderByColumnName: 'createdAt', orderDirection: 'desc' }
const iso = (second: number) => new Date(START + second * 1_000).toISOString()

/** Measured at a second after the start, with a checkpoint 60 s later. */
const vehicle = (id: number, second: number, more: Partial<WireVehicle> = {}) =>
  ({
    id,
    createdAt: iso(second),
    checkpointTime: iso(second + 60),
    location: { id: 7 },
    speed: 80,
    plateLpr: null,
    ...more,
  }) as WireVehicle

type Step = { paused?: boolean; opening?: boolean; order?: SortOrder }

const deliver = (
  list: LiveList,
  second: number,
  vehicles: WireVehicle[],
  { paused = false, opening = false, order = NEWEST }: Step = {},
) => mergeDelivery(list, { vehicles, now: START + second * 1_000, additionalSeconds: 30, order }, { paused, opening })

const later = (list: LiveList, second: number) => advanceTo(list, START + second * 1_000, 30)
const shown = (list: LiveList) => list.unpinned.map((slot) => (isGap(slot) ? 'gap' : slot.vehicle.id))
const pinned = (list: LiveList) => list.pinned.map((slot) => (isGap(slot) ? 'gap' : slot.vehicle.id))
/** One tick after the tick with countdown 00:00. */
const left = (list: LiveList, second: number) => later(later(list, second), second + 0.5)
const pending = (list: LiveList) => list.pending.map((entry) => entry.vehicle.id)

const opened = () => deliver(emptyList, 10, [vehicle(1, 0), vehicle(2, 5)], { opening: true }).list

test('initial vehicles are not new', () => {
  const { list, arrived } = deliver(emptyList, 10, [vehicle(1, 0), vehicle(2, 5)], { opening: true })

  expect(shown(list)).toEqual([2, 1])
  expect(arrived).toBe(0)
  expect(entriesOf(list).map(({ justArrived }) => justArrived)).toEqual([false, false])
})

test('a later vehicle takes its place by the chosen order and is new for five seconds', () => {
  const { list, arrived } = deliver(opened(), 12, [vehicle(3, 11)])

  expect(shown(list)).toEqual([3, 2, 1])
  expect(arrived).toBe(1)
  expect(entriesOf(list)[0]?.justArrived).toBe(true)
  expect(entriesOf(later(list, 16))[0]?.justArrived).toBe(true)
  expect(entriesOf(later(list, 17))[0]?.justArrived).toBe(false)
})

test('a vehicle with a reused id is a vehicle of its own', () => {
  const { list, arrived } = deliver(opened(), 12, [vehicle(1, 11)])

  expect(arrived).toBe(1)
  expect(shown(list)).toEqual([1, 2, 1])
  expect(deliver(list, 13, [vehicle(1, 11), vehicle(1, 0)]).arrived).toBe(0)
})

test('a vehicle delivered again is replaced in its place and is not new', () => {
  const { list, arrived } = deliver(opened(), 12, [vehicle(1, 0, { plateLpr: 'WX12345', speed: 120 })], {
    order: { orderByColumnName: 'speed', orderDirection: 'desc' },
  })

  expect(arrived).toBe(0)
  expect(shown(list)).toEqual([2, 1])
  expect(entriesOf(list)[1]?.vehicle.plateLpr).toBe('WX12345')
})

test('shows a vehicle delivered twice in one batch once', () => {
  const { list, arrived } = deliver(opened(), 12, [vehicle(3, 11), vehicle(3, 11)])

  expect(shown(list)).toEqual([3, 2, 1])
  expect(arrived).toBe(1)
})

test('pauses arrivals while the list is hovered', () => {
  const first = deliver(opened(), 12, [vehicle(3, 11)], { paused: true })
  const second = deliver(first.list, 13, [vehicle(4, 12)], { paused: true })

  expect(shown(second.list)).toEqual([2, 1])
  expect(pending(second.list)).toEqual([3, 4])
  expect([first.arrived, second.arrived]).toEqual([1, 1])
})

test('keeps a pending vehicle that is delivered again, once', () => {
  const first = deliver(opened(), 12, [vehicle(3, 11)], { paused: true })
  const second = deliver(first.list, 13, [vehicle(3, 11, { plateLpr: 'LZA482' })], { paused: true })

  expect(pending(second.list)).toEqual([3])
  expect(second.list.pending[0]?.vehicle.plateLpr).toBe('LZA482')
  expect(second.arrived).toBe(0)
})

test('shows pending vehicles in order, new for five seconds after their arrival', () => {
  const { list } = deliver(opened(), 12, [vehicle(3, 11), vehicle(4, 8)], { paused: true })
  const soon = showPending(list, START + 14_000, NEWEST)

  expect(shown(soon)).toEqual([3, 4, 2, 1])
  expect(pending(soon)).toEqual([])
  expect(entriesOf(soon)[0]?.justArrived).toBe(true)
  expect(entriesOf(later(soon, 17))[0]?.justArrived).toBe(false)
  expect(entriesOf(showPending(list, START + 30_000, NEWEST)).map(({ justArrived }) => justArrived)).toEqual([
    false,
    false,
    false,
    false,
  ])
})

test('the next arrival after hovering shows the pending vehicles too', () => {
  const { list } = deliver(opened(), 12, [vehicle(3, 11)], { paused: true })

  expect(shown(deliver(list, 14, [vehicle(4, 13)]).list)).toEqual([4, 3, 2, 1])
})

test('a vehicle passes its checkpoint, stays for the additional time, then leaves an empty slot', () => {
  const list = opened()

  expect(entriesOf(later(list, 59)).map(({ phase }) => phase)).toEqual(['approaching', 'approaching'])
  expect(entriesOf(later(list, 60)).map(({ phase }) => phase)).toEqual(['approaching', 'passed'])
  expect(shown(later(list, 89.9))).toEqual([2, 1])
  const zero = later(list, 90)
  expect(shown(zero)).toEqual([2, 1])
  expect(entriesOf(zero)[1]?.phase).toBe('gone')
  expect(shown(later(zero, 90.5))).toEqual([2, 'gap'])
})

test('the next arrival closes the empty slot', () => {
  const list = left(opened(), 90)

  expect(shown(deliver(list, 91, [vehicle(3, 90)]).list)).toEqual([3, 2])
})

test('keeps an empty slot while arrivals are pending and closes it when they are shown', () => {
  const { list } = deliver(left(opened(), 90), 91, [vehicle(3, 90)], { paused: true })

  expect(shown(list)).toEqual([2, 'gap'])
  expect(shown(showPending(list, START + 92_000, NEWEST))).toEqual([3, 2])
})

test('a list whose last vehicle left is empty, without empty slots', () => {
  expect(left(opened(), 200).unpinned).toEqual([])
})

test('drops a pending vehicle whose time has run out', () => {
  const { list } = deliver(opened(), 12, [vehicle(3, 11)], { paused: true })

  expect(pending(later(list, 102))).toEqual([])
})

test('does not add a vehicle whose time has run out by the setting of the user', () => {
  const { list, arrived } = deliver(emptyList, 100, [vehicle(1, 0)])

  expect(list).toBe(emptyList)
  expect(arrived).toBe(0)
})

test('a vehicle that left and is delivered once more is not new', () => {
  const gone = left(opened(), 90)

  expect(deliver(gone, 91, [vehicle(1, 0, { checkpointTime: iso(80) })]).arrived).toBe(0)
})

test('a vehicle without a checkpoint stays for the additional time after its measurement', () => {
  const { list } = deliver(emptyList, 1, [vehicle(1, 0, { checkpointTime: null }), vehicle(2, 0)])

  expect(entriesOf(list).find(({ vehicle }) => vehicle.id === 1)?.phase).toBe('passed')
  expect(shown(left(list, 30))).toContain('gap')
})

test('returns the same list object if nothing changes', () => {
  const list = opened()

  expect(later(list, 11)).toBe(list)
})

test('keeps the objects of unchanged vehicles', () => {
  const list = opened()
  const next = later(list, 60)

  expect(next.unpinned[0]).toBe(list.unpinned[0])
  expect(next.unpinned[1]).not.toBe(list.unpinned[1])
})

test('a tag is set on its vehicle alone', () => {
  const tag = { id: 5, private: true, type: 1, data: null, description: null }
  const list = opened()
  const tagged = withTags(list, vehicle(1, 0), [tag])

  expect(entriesOf(tagged).map(({ vehicle }) => vehicle.tags)).toEqual([undefined, [tag]])
  expect(tagged.unpinned[0]).toBe(list.unpinned[0])
  const ofYesterday = vehicle(1, -86_400)
  expect(entriesOf(withTags(list, ofYesterday, [tag])).every(({ vehicle }) => vehicle.tags === undefined)).toBe(true)
})

test('another order rearranges the list, the same order does not', () => {
  const list = opened()

  expect(shown(reorder(list, { orderByColumnName: 'createdAt', orderDirection: 'asc' }))).toEqual([1, 2])
  expect(reorder(list, NEWEST)).toBe(list)
})

const WANTED = { wanted: { typeOfList: 0 as const, description: 'stolen' } }
const WHITE = { wanted: { typeOfList: 1 as const, description: 'service' } }

test('reports new wanted vehicles once, also pending ones, but not initial or white-listed ones', () => {
  const wanted = (...args: Parameters<typeof deliver>) => deliver(...args).wanted.map(({ id }) => id)
  expect(wanted(emptyList, 0, [vehicle(1, 0, WANTED)], { opening: true })).toEqual([])
  expect(wanted(emptyList, 0, [vehicle(1, 0, WHITE)])).toEqual([])
  const first = deliver(emptyList, 0, [vehicle(1, 0, WANTED)], { paused: true })
  expect(first.wanted.map(({ id }) => id)).toEqual([1])
  expect(wanted(first.list, 1, [vehicle(1, 0, WANTED)], { paused: true })).toEqual([])
})

test('reports and pins a vehicle that becomes wanted on its way', () => {
  const { list, wanted, arrived } = deliver(opened(), 12, [vehicle(1, 0, WANTED)])

  expect(wanted.map(({ id }) => id)).toEqual([1])
  expect(arrived).toBe(0)
  expect([pinned(list), shown(list)]).toEqual([[1], [2]])
})

test('wanted vehicles are pinned, the soonest first, however many arrive later', () => {
  const first = deliver(opened(), 12, [vehicle(3, 11, WANTED), vehicle(4, 8, WANTED)]).list
  const later = deliver(
    first,
    13,
    Array.from({ length: 20 }, (_, at) => vehicle(10 + at, 13)),
  ).list

  expect(pinned(later)).toEqual([4, 3])
  expect(shown(later)).toHaveLength(22)
  expect(entriesOf(later)).toHaveLength(24)
})

test('moves a pinned vehicle into the list after its checkpoint, unless the list is hovered', () => {
  const list = deliver(opened(), 12, [vehicle(3, 11, WANTED)]).list
  const passed = later(list, 71)

  expect(pinned(passed)).toEqual([3])
  const settled = settle(passed, NEWEST)
  expect([pinned(settled), shown(settled)]).toEqual([[], [3, 2, 1]])
  expect(settle(settled, NEWEST)).toBe(settled)
})

test('keeps the gap of a departed pinned vehicle while the list is hovered', () => {
  const list = deliver(opened(), 12, [vehicle(3, 11, WANTED), vehicle(4, 80)]).list
  const gone = left(list, 101)

  expect(pinned(gone)).toEqual(['gap'])
  expect(pinned(settle(gone, NEWEST))).toEqual([])
  expect(pinned(showPending(gone, START + 102_000, NEWEST))).toEqual([])
})

test('pins a pending wanted vehicle when it is shown', () => {
  const { list } = deliver(opened(), 12, [vehicle(3, 11, WANTED)], { paused: true })

  expect(pinned(list)).toEqual([])
  expect(pinned(showPending(list, START + 13_000, NEWEST))).toEqual([3])
})

test('a wanted vehicle without a checkpoint is pinned for as long as it is there', () => {
  const { list } = deliver(opened(), 12, [vehicle(3, 11, { ...WANTED, checkpointTime: null })])

  expect(pinned(settle(later(list, 40), NEWEST))).toEqual([3])
  expect(pinned(settle(left(list, 41), NEWEST))).toEqual([])
})

test('arrivals that violate something are counted, white-listed ones not', () => {
  const { violating } = deliver(opened(), 12, [
    vehicle(3, 11, { overspeed: true }),
    vehicle(4, 11, { overspeed: true, ...WHITE }),
    vehicle(5, 11),
  ])

  expect(violating).toBe(1)
})
