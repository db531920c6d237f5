import { expect, test } from 'vitest'
import { axisStart, laneOfChart, lanesOfChart, withLanes } from './effectiveness.ts'

test('lanes follow their station unless it has only one', () => {
  const group = (id: number, laneNumber: number | null = null) => ({ location: { id }, laneNumber })
  const lanes = [group(1, 1), group(1, 2), group(1), group(2, 1)]
  expect(withLanes([group(2), group(1)], lanes)).toEqual([group(2), group(1), group(1, 1), group(1, 2)])
})

test('the chart is of the chosen lane, else of the first with pairs', () => {
  const lane = (id: number, n: number) => ({ lane: { id }, criteria: { gross: { n } } })
  const [none, some, more] = [lane(701, 0), lane(702, 3), lane(901, 9)]
  const all = [none, some, more]
  expect([undefined, 701, 901, 0, 999].map((chosen) => laneOfChart(all, chosen)?.lane.id)).toEqual([
    702,
    701,
    901,
    undefined,
    undefined,
  ])
  expect(lanesOfChart(all, undefined)).toEqual([some, more])
  expect(lanesOfChart(all, 701)).toEqual(all)
  expect(laneOfChart([none], undefined)).toBeUndefined()
})

test('the axis of rates begins at a half unless an interval is below', () => {
  const startsOf = (...lows: (number | null)[]) => axisStart(lows.map((low) => ({ low })))
  expect([startsOf(), startsOf(null, 50), startsOf(90, 49.9)]).toEqual([50, 50, 0])
})
