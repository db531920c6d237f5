import { expect, test } from 'vitest'
import { outlinePoints } from './outline.ts'

const samples = Array.from({ length: 11 }, (_, at) => 100 + at)

test('the outline is to scale between the axles, and within its edges outside', () => {
  // 10 m long, axles 5 m apart at 0.5 px per cm, 1.4 m before the first, 3.6 m behind the last.
  const points = outlinePoints({ samples, length: 1_000, gaps: [0, 500] }, { left: 140, width: 700, xs: [250, 500] })
  expect(points.map(([, cm]) => cm)).toEqual(samples)
  expect(points.map(([x]) => Math.round(x))).toEqual([180, 230, 280, 330, 380, 430, 480, 530, 580, 630, 680])
})

test('compresses the outline before and behind the axles if it does not fit', () => {
  const points = outlinePoints({ samples, length: 1_000, gaps: [0, 500] }, { left: 240, width: 514, xs: [250, 500] })
  expect([points[0]?.[0], points.at(-1)?.[0]]).toEqual([240, 510])
})

test('without axles, with several rows of them or an unknown length it stays within its edges', () => {
  const edges = { left: 140, width: 704 }
  const ends = (points: [number, number][]) => [points[0]?.[0], points.at(-1)?.[0]]
  expect(ends(outlinePoints({ samples, length: 1_000, gaps: [] }, { ...edges, xs: [] }))).toEqual([140, 700])
  expect(ends(outlinePoints({ samples, length: 1_000, gaps: [0, 200, 200] }, { ...edges, xs: [250, 350] }))).toEqual([
    140, 700,
  ])
  const [first = 0, last = 0] = ends(
    outlinePoints({ samples, length: null, gaps: [0, 500] }, { ...edges, xs: [250, 500] }),
  )
  expect([Math.round(first), Math.round(last)]).toEqual([250, 501])
})
