import type { Point } from './projection.ts'

/*
 * Places of names beside marks on a map, so that none covers another name, a mark or the edge.
 */

type Named = Point & {
  id: number
  /** Width of the name, px. */
  width: number
}
type Size = { width: number; height: number }
type Box = { left: number; right: number; top: number; bottom: number }

/** Position of a name: the point at its start, middle or end, on the base line. */
export type NamePlace = Point & { id: number; anchor: 'start' | 'middle' | 'end' }

/** Distance of a name from its mark, and the height of a name, px. */
const GAP = 13
const HEIGHT = 14
const MARK = 10

/** Right, left, above, below, then at the corners. */
const CANDIDATES: readonly { anchor: NamePlace['anchor']; x: number; y: number }[] = [
  { anchor: 'start', x: GAP, y: 4 },
  { anchor: 'end', x: -GAP, y: 4 },
  { anchor: 'middle', x: 0, y: -GAP - 1 },
  { anchor: 'middle', x: 0, y: GAP + 10 },
  { anchor: 'start', x: GAP - 2, y: -8 },
  { anchor: 'end', x: 2 - GAP, y: -8 },
  { anchor: 'start', x: GAP - 2, y: 16 },
  { anchor: 'end', x: 2 - GAP, y: 16 },
]

const boxOf = (place: NamePlace, width: number): Box => {
  const left = place.x - { start: 0, middle: width / 2, end: width }[place.anchor]
  return { left, right: left + width, top: place.y - HEIGHT + 3, bottom: place.y + 3 }
}

const overlap = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const isWithin = ({ left, right, top, bottom }: Box, { width, height }: Size) =>
  left >= 0 && top >= 0 && right <= width && bottom <= height

/** Places the names in the given order; a name for which there is no room is left out. */
export function placeNames(names: readonly Named[], marks: readonly Point[], size: Size): NamePlace[] {
  const taken: Box[] = marks.map(({ x, y }) => ({ left: x - MARK, right: x + MARK, top: y - MARK, bottom: y + MARK }))
  return names.flatMap(({ id, x, y, width }) => {
    const places = CANDIDATES.map((it) => ({ id, anchor: it.anchor, x: x + it.x, y: y + it.y }))
    const free = places.find((place) => {
      const box = boxOf(place, width)
      return isWithin(box, size) && !taken.some((other) => overlap(box, other))
    })
    if (!free) return []
    taken.push(boxOf(free, width))
    return [free]
  })
}
